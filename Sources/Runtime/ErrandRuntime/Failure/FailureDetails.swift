/// A declared error that comes with data of its own.
@dynamicMemberLookup
public struct FailureDetails<Data: Sendable>: Sendable {
    /// The data; nil if what the server sent does not fit the contract.
    public var data: Data? { facts.data }
    /// All else that is known about the failure, whose members can also be reached directly.
    public var context: FailureContext { facts.context }
    private let facts: Facts

    public init(data: Data?, context: FailureContext) {
        facts = Facts(data: data, context: context)
    }

    /// The value's data. It is one object, so that failures stay as small as a reference.
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

/// Details of an error whose type is not known at compile time.
protocol DetailedError {
    var anyData: (any Sendable)? { get }
}

extension FailureDetails: DetailedError {
    var anyData: (any Sendable)? { data }
}

extension FailureDetails: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { context.description }
    public var debugDescription: String { context.description }
    /// The data is left out: it may be worth hiding.
    public var customMirror: Mirror { context.customMirror }
}

/// The record of a command whose effect on the server is unknown: the command was sent, must not be sent again, and got no
/// response that settled its effect.
public struct Receipt: Sendable {
    /// The key that the server knows the request by; nil for an endpoint with effect `once`.
    public var idempotencyKey: String? { facts.idempotencyKey }
    /// The last event, which is the reason why the outcome is unknown.
    public var cause: FailureContext { facts.cause }
    /// The failure itself, `unconfirmed`.
    public var context: FailureContext { facts.context }
    private let facts: Facts

    /// The command, if it can be sent again with the same key; nil for an endpoint with effect `once`.
    var intent: (any ResendableIntent)? { facts.intent }

    /// - Parameter context: the failure itself; nil for what the cause and the defaults make of it.
    public init(
        idempotencyKey: String? = nil, cause: FailureContext, context: FailureContext? = nil
    ) {
        self.init(idempotencyKey: idempotencyKey, cause: cause, context: context, intent: nil)
    }

    init(idempotencyKey: String?, cause: FailureContext, context: FailureContext?, intent: (any ResendableIntent)?) {
        let kind = CommandFault.Kind.unconfirmed
        facts = Facts(
            idempotencyKey: idempotencyKey, cause: cause,
            context: context
                ?? cause.renamed(
                    kind.rawValue, kind.category, message: kind.message, messageKey: MessageKey.builtIn(kind)),
            intent: intent)
    }

    /// The receipt's data. It is one object, so that failures stay as small as a reference.
    private final class Facts: Sendable {
        let idempotencyKey: String?
        let cause: FailureContext
        let context: FailureContext
        let intent: (any ResendableIntent)?

        init(idempotencyKey: String?, cause: FailureContext, context: FailureContext, intent: (any ResendableIntent)?) {
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

/// The data from which a command is sent again. Only the pipeline knows its content.
protocol ResendableIntent: Sendable {}
