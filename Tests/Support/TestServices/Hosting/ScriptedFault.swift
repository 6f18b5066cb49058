/// A service's action in a test in place of, or in addition to, its own response.
public indirect enum ScriptedFault: Sendable {
    /// A bare status, without a body.
    case status(Int)
    /// A response of the test's own.
    case answer(ServedAnswer)
    /// The request waits, is then carried out and gets its response, unless `then` sets another action.
    case delay(Duration, then: ScriptedFault? = nil)
    /// The same until the test lets it go on.
    case hold(until: @Sendable () async -> Void)
    /// The connection is closed without a response, and nothing is carried out.
    case cut
    /// The request is carried out, and the connection closed without a response.
    case loseAnswer
    /// The request is carried out, and its response ends after that many bytes of the body.
    case cutBody(after: Int)
    /// The request is carried out, and a success has another body.
    case otherBody(String)
    /// The request is carried out, and its response trickles in pieces.
    case slowBody(pieces: Int, pause: Duration)

    /// A body that breaks off in the middle of its JSON, with status 200.
    public static let garbage = ScriptedFault.answer(.text("{\"data\": [1, 2", contentType: "application/json"))
    /// A login page in place of a response, as captive portals send it.
    public static let webPage = ScriptedFault.answer(
        .text("<!DOCTYPE html><html><body>Welcome</body></html>", contentType: "text/html"))
    public static let unauthorized = ScriptedFault.status(401)

    public static func body(_ text: String, status: Int = 200) -> ScriptedFault {
        .answer(.text(text, contentType: "application/json", status: status))
    }

    public static func throttled(retryAfter: String) -> ScriptedFault {
        .answer(ServedAnswer(429, headers: [("Retry-After", retryAfter)]))
    }

    /// 429 with the fields of a rate limit.
    public static func limited(_ fields: [(String, String)]) -> ScriptedFault {
        .answer(ServedAnswer(429, headers: fields.map { (name: $0.0, value: $0.1) }))
    }

    public static func unavailable(retryAfter: String) -> ScriptedFault {
        .answer(ServedAnswer(503, headers: [("Retry-After", retryAfter)]))
    }

    public static func redirect(to location: String, status: Int = 302) -> ScriptedFault {
        .answer(ServedAnswer(status, headers: [("Location", location)]))
    }
}

/// Scripted faults in the order in which they were asked for.
struct FaultScript {
    private struct Entry {
        var fault: ScriptedFault
        var remaining: Int
        var pattern: RequestPattern
    }

    private var entries: [Entry] = []

    mutating func add(_ fault: ScriptedFault, times: Int, on pattern: RequestPattern) {
        guard times > 0 else { return }
        entries.append(Entry(fault: fault, remaining: times, pattern: pattern))
    }

    mutating func removeAll() { entries = [] }

    /// The first fault that fits the request, which is then used up by one.
    mutating func take(for request: ReceivedRequest) -> ScriptedFault? {
        guard let index = entries.firstIndex(where: { $0.pattern.matches(request) }) else { return nil }
        let fault = entries[index].fault
        entries[index].remaining -= 1
        if entries[index].remaining == 0 { entries.remove(at: index) }
        return fault
    }
}

/// `POST /transfers`, `* /users/*`, `*`: a method and a path below the service's base path. `*` matches any method or any one
/// segment.
public struct RequestPattern: Sendable, ExpressibleByStringLiteral {
    private var method = "*"
    private var segments: [Substring]?

    public init(stringLiteral text: String) {
        let sides = text.split(separator: " ", maxSplits: 1)
        if let first = sides.first { method = String(first) }
        if sides.count > 1 { segments = sides[1].split(separator: "/") }
    }

    public func matches(_ request: ReceivedRequest) -> Bool {
        guard method == "*" || method == request.method else { return false }
        guard let segments else { return true }
        let actual = request.path.split(separator: "/")
        return actual.count == segments.count && zip(actual, segments).allSatisfy { $1 == "*" || $0 == $1 }
    }
}

/// Lets a service route by `switch request { case "GET /accounts/*": … }`.
func ~= (pattern: RequestPattern, request: ReceivedRequest) -> Bool { pattern.matches(request) }
