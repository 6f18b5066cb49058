/// A response of the mock server.
package struct MockResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body

    package enum Body: Sendable {
        case bytes([UInt8])
        /// The elements of a stream, one after the other, with a pause between two.
        case elements([[UInt8]], pause: Duration)

        /// The number of all bytes.
        package var size: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .elements(let elements, _): elements.reduce(0) { $0 + $1.count }
            }
        }

        /// All bytes.
        package var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .elements(let elements, _): elements.flatMap { $0 }
            }
        }
    }

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What the host of the mock server does for a request, and the request's line in the log.
package struct MockReply: Sendable {
    package var response: MockResponse
    package var delivery = Delivery()
    package var entry: LogEntry

    /// How the response goes over the wire.
    package struct Delivery: Sendable, Equatable {
        /// The pause before the first byte.
        package var delay = Duration.zero
        /// Whether the response never comes.
        package var hangs = false
        /// After how many bytes of the response the connection ends: 0 for no response at all.
        package var cut: Cut = .never
        /// The most bytes per second; nil without a limit.
        package var bytesPerSecond: Int?

        package enum Cut: Sendable, Equatable {
            case never
            /// The client gets nothing.
            case beforeResponse
            /// The client gets the head and half of the body.
            case insideBody
        }
    }
}

/// One line of the log: a request with its result.
package struct LogEntry: Sendable, Equatable {
    /// Counts the requests of the run, from 1.
    package let number: Int
    /// The time since the server began.
    package let moment: Duration
    package let method: String
    /// Path and query, without the values that a contract calls sensitive.
    package let target: String
    /// The name of the endpoint; nil for a request that no endpoint takes.
    package let endpoint: String?
    package var status: Int
    package var result: Result
    /// The name of the error, of the outcome, or of the failure on the wire.
    package var name: String?
    /// What is wrong with the request, or odd about it.
    package let findings: [String]
    /// What a frame led to, in place of a status: `reply`, `closed with 1012`. Nil for a request over HTTP.
    package let reply: String?
    /// `sent again with the same key after 0.4 s`.
    package var remark: String?
    /// The number of the attempt before it, if the request is sent again.
    package var earlier: Int?

    /// How the request ended, for the plot.
    package enum Result: String, Sendable, CaseIterable {
        case success, outcome, failure, refused, wire
    }

    /// Texts of the client become bounded, and lose what a terminal would obey.
    init(
        number: Int, moment: Duration, method: String, target: String, endpoint: String? = nil, status: Int,
        result: Result, name: String? = nil, findings: [String] = [], reply: String? = nil
    ) {
        self.number = number
        self.moment = moment
        self.method = ClientText.shown(method)
        self.target = ClientText.shown(target)
        self.endpoint = endpoint
        self.status = status
        self.result = result
        self.name = name
        self.reply = reply
        self.findings = findings.map { ClientText.shown($0, longest: ClientText.longestMessage) }
    }

    /// The status, or what a frame led to, and the name of the result.
    package var resultText: String {
        if let reply { return reply + (name.map { "  \($0)" } ?? "") }
        return (result == .wire && status == 0 ? "no response" : "\(status)") + (name.map { "  \($0)" } ?? "")
    }

    /// The entry in one line.
    package var text: String {
        var parts = ["\(Self.seconds(moment))", "\(method) \(target)"]
        if let endpoint { parts.append(endpoint) }
        parts.append(resultText)
        if let remark { parts.append("(\(remark))") }
        return parts.joined(separator: "  ")
    }

    /// Seconds with one digit after the point.
    static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10 + (attoseconds + 50_000_000_000_000_000) / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
