/// A declared error that comes with data of its own.
@dynamicMemberLookup
public struct FailureDetails<Data: Sendable>: Sendable {
    /// The data; nil where what the server sent does not fit the contract.
    public var data: Data? { facts.data }
    /// All else that is known about the failure, whose members can also be reached directly.
    public var context: FailureContext { facts.context }
    private let facts: Facts

    public init(data: Data?, context: FailureContext) {
        facts = Facts(data: data, context: context)
    }

    /// What it is made of. One object, so that failures stay as small as a reference.
    private final class Facts: Sendable {
        let context: FailureContext
        let data: Data?

        init(data: Data?, context: FailureContext) {
            self.context = context
            self.data = data
        }
    }

    public subscript<Value>(dynamicMember path: KeyPath<FailureContext, Value>) -> Value {
        context[keyPath: path]
    }
}

extension FailureDetails: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { context.description }
    public var debugDescription: String { context.description }
    /// The data is left out: it may be worth hiding.
    public var customMirror: Mirror { context.customMirror }
}

/// What remains of a command whose outcome nobody knows: it was sent, must not be sent again, and no
/// answer settled it.
public struct Receipt: Sendable {
    /// The key that the server knows the request by; nil for an endpoint with effect `once`.
    public var idempotencyKey: String? { facts.idempotencyKey }
    /// What happened last: why it is not known.
    public var cause: FailureContext { facts.cause }
    /// The failure itself, `unconfirmed`.
    public var context: FailureContext { facts.context }
    private let facts: Facts

    /// The command, where it can be sent again with the same key; nil for an endpoint with effect `once`.
    var intent: CommandIntent? { facts.intent }

    /// - Parameter context: the failure itself; nil for what the cause and the defaults make of it.
    public init(
        idempotencyKey: String? = nil, cause: FailureContext, context: FailureContext? = nil
    ) {
        self.init(idempotencyKey: idempotencyKey, cause: cause, context: context, intent: nil)
    }

    init(idempotencyKey: String?, cause: FailureContext, context: FailureContext?, intent: CommandIntent?) {
        let kind = CommandFault.Kind.unconfirmed
        facts = Facts(
            idempotencyKey: idempotencyKey, cause: cause,
            context: context
                ?? cause.renamed(
                    kind.rawValue, kind.category, message: kind.message, messageKey: MessageKey.builtIn(kind)),
            intent: intent)
    }

    /// What it is made of. One object, so that failures stay as small as a reference.
    private final class Facts: Sendable {
        let idempotencyKey: String?
        let cause: FailureContext
        let context: FailureContext
        let intent: CommandIntent?

        init(idempotencyKey: String?, cause: FailureContext, context: FailureContext, intent: CommandIntent?) {
            self.idempotencyKey = idempotencyKey
            self.cause = cause
            self.context = context
            self.intent = intent
        }
    }
}

extension Receipt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(context.description); cause: \(cause.name)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { context.customMirror }
}

/// A success with everything around it.
public struct Reply<Value: Sendable>: Sendable {
    /// The response.
    public let value: Value
    /// The message in the envelope.
    public let message: String?
    /// The code in the envelope.
    public let code: String?
    /// The status of the answer (RFC 9110 section 15).
    public let status: Int
    public let headers: HTTPHeaders
    /// Elements of lists that were left out because they broke the contract (`skipInvalid`).
    /// The first 20 of them tell why; `skippedCount` counts all.
    public let skipped: [JSONFault]
    /// How many elements were left out.
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

    init(value: Value, parts: ReplyParts) {
        self.value = value
        message = parts.message
        code = parts.code
        status = parts.status
        headers = parts.headers
        skipped = parts.skipped.faults
        skippedCount = parts.skipped.count
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
    var skipped = SkippedElements()
    var isOutcome = false
}

extension ReplyParts {
    init<Value>(_ reply: Reply<Value>) {
        self.init(
            message: reply.message, code: reply.code, status: reply.status, headers: reply.headers,
            skipped: SkippedElements(faults: reply.skipped, count: reply.skippedCount))
    }
}
