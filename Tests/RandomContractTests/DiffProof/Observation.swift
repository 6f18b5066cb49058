import Foundation

/// What can be observed of one command: the requests that reached the server, and what the app was told.
struct Observation: Equatable {
    /// A request with what the server made of it.
    struct Request: Equatable {
        /// Everything that is on the wire.
        var wire: String
        /// The server's own name for the endpoint; empty for a request that belongs to none.
        var endpoint = ""
        /// The server's own names for the endpoint and the result, and its findings.
        var server: String
        /// The response as it is on the wire; empty if there is none.
        var answer = ""
        /// What the server notices about the request, also where it does not refuse it.
        var remarks = ""
        /// How the server took it: `success`, `refused` …
        var result: String
        /// The number of the idempotency key, in the order of their first use; nil without one.
        var key: Int?
        /// Whether the server carried out the command again although it had done so before.
        var isRepeated: Bool
    }

    /// The end of a command, as the driver reports it.
    struct Report: Codable, Equatable {
        var kind: String
        var name: String
        var category: String
        var applied: String
        var value: String
        var hasSession: Bool
    }

    var requests: [Request] = []
    var report = Report(kind: "", name: "", category: "", applied: "", value: "", hasSession: false)

    /// What the app and its user notice, and what the server did: the same for one app with two servers whose contracts differ in
    /// nothing that matters.
    var forApp: String { forUser + " \(report.name) \(report.value)" }

    /// The same without the values, which the server of another endpoint makes differently.
    var forAppWithoutValue: String { forUser + " \(report.name)" }

    /// The same without names and values, which two apps with different clients have.
    var forUser: String {
        let steps = requests.map { request in
            "\(request.result)\(request.key.map { " key \($0)" } ?? "")\(request.isRepeated ? " again" : "")"
        }
        return
            "[\(steps.joined(separator: ", "))] \(report.kind) \(report.category) \(report.applied) \(report.hasSession ? "session" : "")"
    }

    /// What the app and its user notice, and what the server notices about the requests.
    var judged: String { requests.map { $0.remarks + "|" }.joined() + forUser }

    /// Whether the server refused a request, because it does not follow the contract.
    var isRefused: Bool { requests.contains { $0.result == "refused" } }

    /// Whether the service took a request for this endpoint. It cannot where the address is that of another service, such as one with
    /// pictures, and does not where an earlier endpoint has the same method and path.
    func reaches(_ endpoint: String) -> Bool {
        requests.isEmpty || requests.contains { $0.endpoint == endpoint }
    }

    /// What the app asked for, and what it and its user notice.
    var asked: String { requests.map { "\($0.wire)|" }.joined() + forApp }

    /// How the app and the server did not understand each other: requests that the server takes for none of its own, and a response
    /// that the app cannot read.
    var misunderstandings: Set<String> {
        let refused = requests.filter { request in
            ["refused", "elsewhere"].contains(request.result) && !ProofLimits.isStricterThanNeeded(request.remarks)
        }
        var found = Set(refused.map(\.result))
        if report.name == "malformed" { found.insert("malformed") }
        return found
    }

    /// Everything.
    var whole: String { requests.map { "\($0.wire)|\($0.server)|" }.joined() + forApp }
}

extension Difference {
    /// What two runs say and read differently, as far as they go the same way. How often a command is sent, and which failure it ends
    /// with, is no part of it.
    static func ofExchange(_ one: Observation, _ other: Observation) -> Difference? {
        for (index, (first, second)) in zip(one.requests, other.requests).enumerated() {
            // From here on, the apps do different things.
            if index > 0, first.endpoint != second.endpoint { return nil }
            func said(_ request: Observation.Request) -> String {
                "\(request.wire)|\(request.server)|\(request.remarks)|\(request.answer)"
            }
            if let difference = Difference(said(first), said(second)) { return difference }
        }
        guard one.requests.count == other.requests.count else { return nil }
        func read(_ observation: Observation) -> String {
            observation.report.name == "malformed" ? "malformed" : observation.report.value
        }
        let isComparable =
            one.report.name == other.report.name || !one.misunderstandings.isEmpty
            || !other.misunderstandings.isEmpty
        return isComparable ? Difference(read(one), read(other)) : nil
    }
}

/// Two descriptions of what was observed, from shortly before the first difference.
struct Difference {
    let first: String
    let second: String

    /// Nil if there is none.
    init?(_ one: String, _ two: String) {
        guard one != two else { return nil }
        let common = zip(one, two).prefix { $0 == $1 }.count
        func part(_ text: String) -> String {
            let start = max(0, common - 100)
            return (start > 0 ? "…" : "") + text.dropFirst(start).prefix(300)
        }
        (first, second) = (part(one), part(two))
    }

    var text: String { "\n    one   \(first)\n    other \(second)" }
}
