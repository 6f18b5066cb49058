import Diagnostics

/// What recordings have, in numbers. Each entry is counted once beside `entries`.
package struct TrafficCounts: Sendable, Equatable {
    package var entries = 0
    /// Entries that belong to an endpoint, and whose response is judged.
    package var judged = 0
    /// Entries for a service that no endpoint takes.
    package var unmatched = 0
    package var otherHosts = 0
    package var preflights = 0
    /// Requests to an endpoint whose response never came.
    package var withoutResponse = 0
    /// Responses that only say that the client's cache is current.
    package var cached = 0
    /// Responses that only lead to another one.
    package var redirects = 0
    /// Connections of WebSocket, whose messages are not judged.
    package var connections = 0
    package var unreadable = 0
}

/// What was found in recordings.
package struct TrafficReport: Sendable {
    package struct Endpoint: Sendable, Equatable {
        package var name: String
        /// How many responses had each meaning, by their names.
        package var meanings: [String: Int]
        /// How many requests had no response that says something.
        package var others: Int
    }

    package struct Service: Sendable, Equatable {
        package var name: String
        /// The endpoints with requests, in the order of the contract.
        package var endpoints: [Endpoint]
    }

    package var findings: [Diagnostic]
    /// Why files are no recordings, those of which no entry was read.
    package var noRecordings: [Diagnostic]
    package var counts: TrafficCounts
    package var services: [Service]
}
