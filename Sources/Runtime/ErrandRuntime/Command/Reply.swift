/// A success with everything around it.
public struct Reply<Value: Sendable>: Sendable {
    /// The response.
    public let value: Value
    /// The message in the envelope.
    public let message: String?
    /// The code in the envelope.
    public let code: String?
    /// The status of the response (RFC 9110 section 15).
    public let status: Int
    public let headers: HTTPHeaders
    /// Values that were left out because they broke the contract: elements (`skipInvalid`), fields that are nil or empty in their place
    /// (`lenient`), and declared headers that count as absent. The first 20 of them tell why; `skippedCount` counts all.
    public let skipped: [JSONError]
    /// How many values and headers were left out.
    public let skippedCount: Int
    /// An object, because a command that waits reserves room for its reply.
    private var origin: ReplyOrigin?

    /// Creates a reply for tests and previews.
    public init(
        value: Value, message: String? = nil, code: String? = nil, status: Int = 200,
        headers: HTTPHeaders = HTTPHeaders(), skipped: [JSONError] = [], skippedCount: Int? = nil,
        declaredHeaders: (any Sendable)? = nil, cached: CacheHit? = nil
    ) {
        self.value = value
        self.message = message
        self.code = code
        self.status = status
        self.headers = headers
        self.skipped = skipped
        self.skippedCount = skippedCount ?? skipped.count
        origin =
            declaredHeaders == nil && cached == nil
            ? nil : ReplyOrigin(url: nil, headers: declaredHeaders, cached: cached)
    }

    /// - Parameter declared: the declared headers beside the value; nil without any.
    init(value: Value, _ parts: ReplyParts, _ skipped: SkippedElements, _ declared: (any Sendable)? = nil) {
        self.value = value
        message = parts.message
        code = parts.code
        status = parts.status
        headers = parts.headers
        self.skipped = skipped.faults
        skippedCount = skipped.count
        origin = declared.map { ReplyOrigin(url: nil, headers: $0, cached: nil) }
    }

    /// The same with another value.
    func replacing<Other: Sendable>(value: Other) -> Reply<Other> {
        var other = Reply<Other>(
            value: value, message: message, code: code, status: status, headers: headers, skipped: skipped,
            skippedCount: skippedCount)
        other.origin = origin
        return other
    }

    /// Notes the URL that it came from, which its links may be relative to.
    mutating func locate(at url: String) {
        origin = ReplyOrigin(url: url, headers: origin?.headers, cached: origin?.cached)
    }

    /// Notes that it came from the cache.
    mutating func note(_ hit: CacheHit) {
        origin = ReplyOrigin(url: origin?.url, headers: origin?.headers, cached: hit)
    }
}

extension Reply {
    /// The headers that the contract declares for the response (`response: {type: …, headers: …}`).
    ///
    ///     let reply = try await shop.reply(to: Shop.ListOrders())
    ///     let remaining = reply.declaredHeaders(of: Shop.ListOrders.self)?.remaining
    ///
    /// A header that is optional or has a default counts as absent if its value is wrong, and ``skipped`` tells why.
    ///
    /// - Returns: nil for a reply without them: of a stub, of an outcome, or of the read that confirms a command.
    public func declaredHeaders<C: HeaderCommand>(of command: C.Type) -> C.Headers? where C.Response == Value {
        origin?.headers as? C.Headers
    }

    /// How old the response is and why the cache has given it; nil for a response that the server has just given.
    ///
    ///     let reply = try await shop.reply(to: Shop.ListOrders())
    ///     banner.isHidden = reply.cached?.isStale != true
    public var cached: CacheHit? { origin?.cached }

    /// Whether the server says that it repeats its response to an earlier request with the same idempotency key, so that this one has
    /// changed nothing (`Idempotent-Replayed: true`, also with `X-`, or `Idempotency-Replayed: true`).
    public var isReplayed: Bool { headers.sayReplayed }

    /// The absolute URL of the first link with a relation (RFC 8288), such as `next`, `prev` or `last`; nil without one.
    public func link(_ relation: String) -> String? {
        guard let target = LinkHeader(headers).target(of: relation) else { return nil }
        return LinkHeader.resolve(target, against: origin?.url ?? target)
    }
}

/// The parts of a reply that most replies do not have.
private final class ReplyOrigin: Sendable {
    /// The URL that the reply came from; nil for a reply that no server gave, or without links.
    let url: String?
    let headers: (any Sendable)?
    /// Nil for a reply that did not come from the cache.
    let cached: CacheHit?

    init(url: String?, headers: (any Sendable)?, cached: CacheHit?) {
        self.url = url
        self.headers = headers
        self.cached = cached
    }
}

extension Reply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value, and what the server said beside it on one line.
    public var description: String {
        let children = customMirror.children.map { "\($0.label ?? "_"): \($0.value)" }
        return "Reply(\(children.joined(separator: ", ")))"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        var children: [(String?, Any)] = [
            ("value", value), ("message", message.map { PrintedText.line($0) } as Any),
            ("code", code.map { PrintedText.line($0) } as Any), ("status", status), ("headers", headers),
            ("skipped", skipped), ("skippedCount", skippedCount),
        ]
        if let declared = origin?.headers { children.append(("declaredHeaders", declared)) }
        if let cached { children.append(("cached", cached)) }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

/// A reply without its value.
package struct ReplyParts: Sendable {
    var message: String?
    var code: String?
    package var status: Int
    package var headers: HTTPHeaders
}
