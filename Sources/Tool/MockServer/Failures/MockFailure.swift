import ContractModel
import Diagnostics

/// A failure that the mock server plays.
package enum MockFailure: Sendable, Equatable {
    /// An error or an outcome of the contract.
    case declared(Verdict)
    /// A built-in error that a response leads to.
    case builtIn(BuiltInError)
    case wire(WireFailure)

    /// The name in the log.
    package var name: String {
        switch self {
        case .declared(let verdict): verdict.name
        case .builtIn(let error): error.rawValue
        case .wire(let failure): failure.name
        }
    }

    /// Whether other failures may come with it: a slow response is also an error.
    var isModifier: Bool {
        if case .wire(let failure) = self { failure.isModifier } else { false }
    }

    /// The built-in errors that a response can lead to. The others begin in the client, or before there is a connection.
    package static let builtIns: [BuiltInError] = [
        .throttled, .requestTimeout, .unavailable, .serverFault, .unauthenticated, .rejected, .malformed,
    ]

    /// Those that a frame or the end of a connection can lead to.
    package static let builtInsOfFrames: [BuiltInError] = [
        .unavailable, .serverFault, .unauthenticated, .rejected, .malformed,
    ]

    /// Those that the status of a refused handshake leads to.
    static let builtInsOfHandshakes: [BuiltInError] = [
        .throttled, .requestTimeout, .unavailable, .serverFault, .unauthenticated, .rejected,
    ]

    /// The usual status of a built-in error.
    static func status(of error: BuiltInError) -> Int {
        switch error {
        case .throttled: 429
        case .requestTimeout: 408
        case .unavailable: 503
        case .serverFault: 500
        case .unauthenticated: 401
        default: 400
        }
    }
}

/// A failure below HTTP, or of all sessions.
package enum WireFailure: Sendable, Equatable {
    /// The response comes later.
    case slow(Duration)
    /// The connection ends before the server has done anything.
    case cutBefore
    /// The server carries out the request, and the connection ends before the response.
    case cutAfter
    /// The server carries out the request, and 503 comes in place of its response, as of a gateway that has lost the response.
    case unavailableAfter
    /// The connection ends inside the body of the response.
    case cutInside
    /// The response never comes.
    case hang
    /// The response comes with so many bytes per second.
    case trickle(Int)
    /// All sessions end before the request is handled.
    case expired
    /// The failure that comes with it is stored for the idempotency key, and every repetition gets it.
    case stored
    /// The connection is closed with this code.
    case close(UInt16)
    /// The reply comes twice.
    case twice
    /// The reply has an id that no request has.
    case unknownID
    /// A message that is not JSON comes in place of the reply.
    case notJSON

    package static let names = [
        "slow", "cut-before", "cut-after", "unavailable-after", "cut-inside", "hang", "trickle", "expired", "stored",
    ]
    /// Those of frames.
    package static let namesOfFrames = [
        "slow", "cut-before", "cut-after", "cut-inside", "hang", "trickle", "expired", "close=1012", "twice",
        "unknown-id", "not-json",
    ]
    static let namesOfHandshakes = ["slow", "cut-before", "hang", "expired"]

    package var name: String {
        switch self {
        case .slow: "slow"
        case .cutBefore: "cut-before"
        case .cutAfter: "cut-after"
        case .unavailableAfter: "unavailable-after"
        case .cutInside: "cut-inside"
        case .hang: "hang"
        case .trickle: "trickle"
        case .expired: "expired"
        case .stored: "stored"
        case .close(let code): "close=\(code)"
        case .twice: "twice"
        case .unknownID: "unknown-id"
        case .notJSON: "not-json"
        }
    }

    /// Whether a request that is a frame, or one over HTTP, can have it.
    func isPossible(overConnection: Bool) -> Bool {
        switch self {
        case .close, .twice, .unknownID, .notJSON: overConnection
        case .unavailableAfter, .stored: !overConnection
        case .slow, .cutBefore, .cutAfter, .cutInside, .hang, .trickle, .expired: true
        }
    }

    var isModifier: Bool {
        switch self {
        case .slow, .trickle, .expired, .stored: true
        case .cutBefore, .cutAfter, .unavailableAfter, .cutInside, .hang, .close, .twice, .unknownID, .notJSON: false
        }
    }

    static let usualPause = Duration.seconds(3)
    static let usualBytesPerSecond = 100

    /// From its name, and from the value after `=`. Nil for another name, or for a wrong value.
    init?(_ name: String, _ value: String?) {
        switch (name, value) {
        case ("slow", nil): self = .slow(Self.usualPause)
        case ("slow", let value?):
            guard let pause = MockTime.duration(value) else { return nil }
            self = .slow(pause)
        case ("trickle", nil): self = .trickle(Self.usualBytesPerSecond)
        case ("trickle", let value?):
            guard let count = Int(value), (1...1_000_000_000).contains(count) else { return nil }
            self = .trickle(count)
        case ("cut-before", nil): self = .cutBefore
        case ("cut-after", nil): self = .cutAfter
        case ("unavailable-after", nil): self = .unavailableAfter
        case ("cut-inside", nil): self = .cutInside
        case ("hang", nil): self = .hang
        case ("expired", nil): self = .expired
        case ("stored", nil): self = .stored
        case ("close", let value?):
            guard let code = UInt16(value), CloseCode(rawValue: code).isSendable else { return nil }
            self = .close(code)
        case ("twice", nil): self = .twice
        case ("unknown-id", nil): self = .unknownID
        case ("not-json", nil): self = .notJSON
        default: return nil
        }
    }
}

/// Times as contracts write them.
package enum MockTime {
    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// `500ms`, `20s`, `2m` or `1h`, at most a day. Nil for anything else.
    package static func duration(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
            let number = Int(text.dropLast(unit.suffix.count)), number >= 0,
            String(number) == text.dropLast(unit.suffix.count)
        else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        return overflow || milliseconds > 86_400_000 ? nil : .milliseconds(milliseconds)
    }

    /// `200ms`, or `100ms..2s` for a time between two.
    package static func range(_ text: String) -> ClosedRange<Duration>? {
        guard let dots = text.firstRange(of: "..") else { return duration(text).map { $0...$0 } }
        guard let low = duration(String(text[..<dots.lowerBound])),
            let high = duration(String(text[dots.upperBound...])),
            low <= high
        else { return nil }
        return low...high
    }
}

/// When a failure happens: at which endpoint, how often, and to which part of the requests.
package struct FailureRule: Sendable, Equatable {
    /// Nil for every endpoint.
    package var endpoint: String?
    /// The failure as it is written: `insufficientFunds`, `slow=2s`.
    package var failure: String
    /// The part of the requests, from 0 to 1.
    package var rate: Double
    /// How many requests have the failure; nil without an end.
    package var times: Int?
    /// How many requests pass before the first failure.
    package var after: Int

    package init(endpoint: String?, failure: String, rate: Double = 1, times: Int? = nil, after: Int = 0) {
        self.endpoint = endpoint
        self.failure = failure
        self.rate = rate
        self.times = times
        self.after = after
    }
}

/// The failures that the endpoints of a contract have.
package struct FailureNames: Sendable {
    private let contract: ResolvedContract

    package init(_ contract: ResolvedContract) { self.contract = contract }

    /// Everything that can be played at an endpoint, the contract's own failures first.
    package func all(at endpoint: ResolvedEndpoint) -> [String] {
        declared(at: endpoint) + Self.builtIns(at: endpoint).map(\.rawValue) + Self.ofWire(at: endpoint)
    }

    /// The built-in errors that an endpoint can have.
    package static func builtIns(at endpoint: ResolvedEndpoint) -> [BuiltInError] {
        endpoint.frame == nil ? MockFailure.builtIns : MockFailure.builtInsOfFrames
    }

    /// The failures on the wire that an endpoint can have.
    package static func ofWire(at endpoint: ResolvedEndpoint) -> [String] {
        if endpoint.frame != nil { return WireFailure.namesOfFrames }
        return WireFailure.names.filter { $0 != WireFailure.stored.name || endpoint.effect == .keyed }
    }

    /// The errors and the outcomes of an endpoint that a response, or the end of a connection, can say.
    package func declared(at endpoint: ResolvedEndpoint) -> [String] {
        var names: [String] = []
        for row in endpoint.table.rows
        where Self.isPlayable(row.row, at: endpoint) && !names.contains(row.verdict.name) {
            names.append(row.verdict.name)
        }
        return names
    }

    private static func isPlayable(_ row: DecisionRow, at endpoint: ResolvedEndpoint) -> Bool {
        endpoint.frame == nil
            ? row.isAboutResponse
            : row.close != nil || row.isAboutResponse && row.values.allSatisfy { $0.keys != nil }
    }

    /// The failure of a name at an endpoint. Nil if the endpoint has none of this name.
    package func failure(_ text: String, at endpoint: ResolvedEndpoint) -> MockFailure? {
        guard let (name, value) = Self.parts(text) else { return nil }
        if value == nil,
            let row = endpoint.table.rows.first(where: {
                Self.isPlayable($0.row, at: endpoint) && $0.verdict.name == name
            })
        {
            return .declared(row.verdict)
        }
        if value == nil, let error = Self.builtIns(at: endpoint).first(where: { $0.rawValue == name }) {
            return .builtIn(error)
        }
        guard let failure = WireFailure(name, value), failure.isPossible(overConnection: endpoint.frame != nil),
            failure != .stored || endpoint.effect == .keyed
        else { return nil }
        return .wire(failure)
    }

    /// No name of an endpoint or of a failure has a blank, so `slow = 2s` is `slow=2s`, wherever it is written.
    package static func withoutBlanks(_ text: String) -> String { text.filter { $0 != " " && $0 != "\t" } }

    /// The name of a failure, and the value after `=`.
    private static func parts(_ text: String) -> (name: String, value: String?)? {
        let parts = withoutBlanks(text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        return parts.first.map { ($0, parts.count > 1 ? parts[1] : nil) }
    }

    // MARK: Handshakes

    /// The name of a connection's handshake among the endpoints.
    package static let handshake = "handshake"

    /// Everything that can be played at a handshake. Empty for a contract over HTTP.
    package var ofHandshake: [String] {
        hasHandshake ? MockFailure.builtInsOfHandshakes.map(\.rawValue) + WireFailure.namesOfHandshakes : []
    }

    /// Whether the name of the handshake is about it, and not about an endpoint with this name.
    private var hasHandshake: Bool {
        contract.connection != nil && !contract.endpoints.contains { $0.name.value == Self.handshake }
    }

    /// The failure of a name at a handshake. Nil if it has none of this name.
    package func failureOfHandshake(_ text: String) -> MockFailure? {
        guard hasHandshake, let (name, value) = Self.parts(text) else { return nil }
        if value == nil, let error = MockFailure.builtInsOfHandshakes.first(where: { $0.rawValue == name }) {
            return .builtIn(error)
        }
        guard let failure = WireFailure(name, value), WireFailure.namesOfHandshakes.contains(name) else { return nil }
        return .wire(failure)
    }

    /// Whether a rule can name this endpoint.
    package func hasEndpoint(_ name: String) -> Bool {
        contract.endpoints.contains { $0.name.value == name } || hasHandshake && name == Self.handshake
    }

    /// What is wrong with a rule, with advice. Nil if its names are known.
    package func problem(of rule: FailureRule) -> (message: String, help: String, isAboutEndpoint: Bool)? {
        let endpoints = contract.endpoints
        if let name = rule.endpoint {
            if hasHandshake, name == Self.handshake {
                return failureOfHandshake(rule.failure) == nil ? unknown(rule.failure, ofHandshake, "`\(name)`") : nil
            }
            guard let endpoint = endpoints.first(where: { $0.name.value == name }) else {
                let near = nearestSpelling(of: name, among: endpoints.map(\.name.value))
                return (
                    "the contract has no endpoint `\(name)`",
                    near.map { "did you mean `\($0)`?" } ?? "`*` means all endpoints", true
                )
            }
            if failure(rule.failure, at: endpoint) != nil { return nil }
            return unknown(rule.failure, all(at: endpoint), "`\(name)`")
        }
        if endpoints.contains(where: { failure(rule.failure, at: $0) != nil }) { return nil }
        var names: [String] = []
        for name in endpoints.flatMap({ all(at: $0) }) where !names.contains(name) { names.append(name) }
        return unknown(rule.failure, names, "no endpoint")
    }

    private func unknown(_ failure: String, _ names: [String], _ subject: String) -> (String, String, Bool) {
        let name = Self.withoutBlanks(String(failure.prefix { $0 != "=" }))
        if WireFailure.names.contains(name) {
            return (
                "`\(failure)` is not a failure of the mock server",
                "write `slow`, `slow=2s`, `trickle=100` (bytes per second), or the others without a value", false
            )
        }
        if let error = BuiltInError(rawValue: name) {
            return (
                "no response leads to `\(error.rawValue)`",
                "the built-in errors of responses are \(MockFailure.builtIns.map { "`\($0.rawValue)`" }.joined(separator: ", ")); `hang` leads to `timedOut`, and `cut-after` to `connectionLost`",
                false
            )
        }
        let near = nearestSpelling(of: name, among: names)
        let subject = subject == "no endpoint" ? "no endpoint has a failure" : "\(subject) has no failure"
        return (
            "\(subject) `\(name)` that a response can say",
            near.map { "did you mean `\($0)`?" }
                ?? "it has \(names.prefix(30).map { "`\($0)`" }.joined(separator: ", "))", false
        )
    }
}
