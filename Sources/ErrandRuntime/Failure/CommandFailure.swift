#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A command's failure: an enumeration of the errors that its contract declares, and `.fault` for the built-in ones. Generated
/// code conforms to this.
///
/// Each further conformance is compiled again for every endpoint, so this protocol has no others. Printing needs none: the
/// values in the cases redact themselves, and so does their presentation in the debugger.
public protocol CommandFailure: CategorizedError, LocalizedError, CustomStringConvertible {
    /// The failure for a built-in error: a case of this name.
    static func fault(_ fault: CommandFault) -> Self
    /// The failure for a declared error, by its name in the contract; for `ErrorMatch.open` the failure of a command that may
    /// or may not have been carried out. Nil if the endpoint has no such case.
    static func declared(_ error: DeclaredName, _ match: ErrorMatch) -> Self?
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
        guard let status = context.status, status < 500 else { return false }
        return context.category != .retryable && context.malformation == nil
    }
}

/// Out of line, or the optimizer would make one `description` for each failure.
@inline(never)
private func line(about failure: some CommandFailure) -> String { failure.context.description }

/// One of the built-in errors, which together cover every failure that the contract doesn't declare.
public struct CommandFault: CommandFailure, CustomReflectable {
    /// Which one.
    public enum Kind: String, Sendable, CaseIterable {
        /// A constraint of the contract is broken; nothing was sent. `context.brokenFields` names them.
        case invalidRequest
        /// The body of the request isn't what it was when the command was made: its file has changed. The server got no more of
        /// it than what was sent before the change.
        case bodyChanged
        /// This device has no room for a file: its disk, or the user's share of it, is full.
        case localStorageFull
        /// This device couldn't read or write a file, or the app's own source of a body has failed.
        case localFault
        /// The network can't be reached.
        case offline
        /// The server's name is unknown, or it refuses connections.
        case unreachable
        /// The connection ended before the response was complete.
        case connectionLost
        /// No response arrived in time.
        case timedOut
        /// TLS failed (RFC 8446): the server can't prove its identity.
        case insecure
        /// 429 (RFC 6585 section 4).
        case throttled
        /// 408 (RFC 9110 section 15.5.9): the server stopped waiting for the request.
        case requestTimeout
        /// 502, 503 or 504 (RFC 9110 section 15.6).
        case unavailable
        /// Another status of 500 or more.
        case serverFault
        /// 401 (RFC 9110 section 15.5.2), or the transport was asked for credentials.
        case unauthenticated
        /// The session that the command was submitted in is over: its user logged out, or another one logged in.
        case sessionEnded
        /// Another 4xx, or an envelope says that it failed.
        case rejected
        /// The response breaks the contract. `context.malformation` says where.
        case malformed
        /// It ended while it was unknown whether the server had carried out the request.
        case unconfirmed
        /// The caller's task was cancelled.
        case cancelled
    }

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
                name: kind.rawValue, category: kind.category, applied: kind.applied(status: status, .idempotent),
                message: message ?? kind.message, status: status, code: code, underlying: underlying))
    }

    public static func fault(_ fault: CommandFault) -> CommandFault { fault }
    public static func declared(_ error: DeclaredName, _ match: ErrorMatch) -> CommandFault? { nil }
}

extension ServiceDescription {
    /// The contract's declaration for a built-in error, if it has one.
    func redeclaration(of kind: CommandFault.Kind) -> ErrorDescription? {
        redeclared.first { $0.name == kind.rawValue }
    }
}

extension CommandFault.Kind {
    /// The category, unless the contract says otherwise.
    var category: ErrorCategory {
        switch self {
        case .offline, .unreachable, .connectionLost, .timedOut, .throttled, .requestTimeout, .unavailable: .retryable
        case .unauthenticated: .requiresLogout
        case .invalidRequest, .bodyChanged, .localStorageFull, .localFault, .insecure, .serverFault, .sessionEnded,
            .rejected, .malformed, .unconfirmed, .cancelled:
            .nonRetryable
        }
    }

    /// Whether the request may have been carried out, if nothing better is known.
    ///
    /// A proxy can respond with 503 or 408 after it has passed the request on, so that a request with effect `keyed` or `once`
    /// may have been carried out all the same. A server can act on a request before it has all of its body, and has responded
    /// where a response finds no room.
    func applied(status: Int?, _ effect: Effect) -> Applied {
        switch self {
        case .bodyChanged, .localStorageFull, .localFault, .connectionLost, .timedOut, .serverFault, .malformed,
            .unconfirmed:
            .maybe
        case .unavailable: status == 503 && !effect.isUnsafe ? .never : .maybe
        case .requestTimeout: effect.isUnsafe ? .maybe : .never
        case .invalidRequest, .offline, .unreachable, .insecure, .throttled, .unauthenticated, .sessionEnded,
            .rejected, .cancelled:
            .never
        }
    }

    /// The text for people, used if neither the contract nor the server has one.
    var message: String {
        switch self {
        case .invalidRequest: "Something that was entered is not valid."
        case .bodyChanged: "The file changed while it was being sent."
        case .localStorageFull: "There is not enough space on this device."
        case .localFault: "Data on this device could not be read or saved."
        case .offline: "There is no connection to the network."
        case .unreachable: "The server cannot be reached."
        case .connectionLost: "The connection was lost."
        case .timedOut: "The server took too long to answer."
        case .insecure: "A secure connection to the server could not be made."
        case .throttled: "There were too many requests. Please try again later."
        case .requestTimeout: "The server waited too long for the request. Please try again."
        case .unavailable: "The service is not available. Please try again later."
        case .serverFault: "Something went wrong on the server."
        case .unauthenticated: "Please log in."
        case .sessionEnded: "Your session has ended."
        case .rejected: "The server refused the request."
        case .malformed: "The server's answer could not be understood."
        case .unconfirmed: "It is not known whether this was carried out."
        case .cancelled: "This was cancelled."
        }
    }
}
