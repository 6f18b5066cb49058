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
    /// Values that were left out because they broke the contract: elements (`skipInvalid`), and fields that are nil or empty in
    /// their place (`lenient`).
    /// The first 20 of them tell why; `skippedCount` counts all.
    public let skipped: [JSONFault]
    /// How many values were left out.
    public let skippedCount: Int

    /// A reply that no server gave, for an app's own tests and previews.
    public init(
        value: Value, message: String? = nil, code: String? = nil, status: Int = 200,
        headers: HTTPHeaders = HTTPHeaders(), skipped: [JSONFault] = [], skippedCount: Int? = nil
    ) {
        self.value = value
        self.message = message
        self.code = code
        self.status = status
        self.headers = headers
        self.skipped = skipped
        self.skippedCount = skippedCount ?? skipped.count
    }

    init(value: Value, _ parts: ReplyParts, _ skipped: SkippedElements) {
        self.value = value
        message = parts.message
        code = parts.code
        status = parts.status
        headers = parts.headers
        self.skipped = skipped.faults
        skippedCount = skipped.count
    }

    /// The same with another value.
    func replacing<Other: Sendable>(value: Other) -> Reply<Other> {
        Reply<Other>(
            value: value, message: message, code: code, status: status, headers: headers, skipped: skipped,
            skippedCount: skippedCount)
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
        Mirror(
            self,
            children: [
                "value": value, "message": message.map { PrintedText.line($0) } as Any,
                "code": code.map { PrintedText.line($0) } as Any, "status": status, "headers": headers,
                "skipped": skipped,
                "skippedCount": skippedCount,
            ], displayStyle: .struct)
    }
}

/// A reply without its value.
struct ReplyParts: Sendable {
    var message: String?
    var code: String?
    var status: Int
    var headers: HTTPHeaders
}
