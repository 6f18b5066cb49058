#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A command's failure: an enumeration of the errors that its contract declares, and `.fault` for the built-in ones. The
/// failure of an endpoint with errors of its own has cases for these, and `.shared` for what any command can fail with.
/// Generated code conforms to this.
///
/// Each further conformance is compiled again for every endpoint, so this protocol has no others. Printing needs none: the
/// values in the cases redact themselves, and so does their presentation in the debugger.
public protocol CommandFailure: CategorizedError, LocalizedError, CustomStringConvertible {
    // Initializers, so that only the cases are suggested after `catch .`.
    /// Creates the failure for a built-in error.
    init(_ fault: CommandFault)
    /// Creates the failure for a declared error, by its name in the contract; for `ErrorMatch.open` the failure of a command
    /// that may or may not have been carried out. Nil if the endpoint has no such case.
    init?(declared error: DeclaredName, _ match: ErrorMatch)
    /// All that is known about it.
    var context: FailureContext { get }
}

extension CommandFailure {
    public var category: ErrorCategory { context.category }

    /// The text for people, which is also what `localizedDescription` gives.
    public var errorDescription: String? { context.message }

    /// One line, without secrets.
    public var description: String { line(about: self) }
}

extension CommandFailure {
    /// Whether a login or a renewal that failed with this was refused: by the server, or by the contract, whose constraints a
    /// password of three letters may break. Any other failure says nothing about the credentials.
    var refusesCredentials: Bool {
        let context = context
        if context.name == CommandFault.Kind.invalidRequest.rawValue { return true }
        // The response to a handshake is the response to no login.
        guard let status = context.status, status < 500, context.evidence != .notSent else { return false }
        return context.category != .retryable && context.decodingError == nil
    }
}

/// Out of line, or the optimizer would make one `description` for each failure.
@inline(never)
private func line(about failure: some CommandFailure) -> String { failure.context.description }

/// One of the built-in errors, which together cover every failure that the contract doesn't declare.
public struct CommandFault: CommandFailure, CustomReflectable {
    /// Which one.
    public typealias Kind = BuiltInError

    public var kind: Kind { facts.kind }
    public var context: FailureContext { facts.context }
    private let facts: Facts

    public init(_ kind: Kind, _ context: FailureContext) {
        facts = Facts(kind: kind, context: context)
    }

    /// The fault's data. It is one object, because an enumeration with one reference per case compiles fastest.
    private final class Facts: Sendable {
        let kind: Kind
        let context: FailureContext

        init(kind: Kind, context: FailureContext) {
            self.kind = kind
            self.context = context
        }
    }

    /// Only what may be printed.
    public var customMirror: Mirror { context.customMirror }

    /// Creates a fault without a real failure, for an app's own tests and previews. Omitted arguments have the values of the
    /// built-in error.
    public init(
        _ kind: Kind, message: String? = nil, status: Int? = nil, code: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(
            kind,
            FailureContext(
                name: kind.rawValue, category: kind.category,
                applied: kind.applied(status: status, to: RequestKind(.idempotent, method: "POST")),
                message: message ?? kind.message, status: status, code: code, underlying: underlying))
    }

    public init(_ fault: CommandFault) { self = fault }
    public init?(declared error: DeclaredName, _ match: ErrorMatch) { return nil }
}

extension ServiceDescription {
    /// The contract's declaration for a built-in error, if it has one.
    func redeclaration(of kind: CommandFault.Kind) -> ErrorDescription? {
        redeclared.first { $0.name == kind.rawValue }
    }
}
