public import ErrandRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A durable command that isn't delivered yet, or couldn't be.
public struct OutboxEntry: Sendable, Hashable, Identifiable {
    /// What happens to a durable command.
    public enum State: String, Sendable, CaseIterable {
        /// It is sent later.
        case waiting
        /// An attempt is under way, or was when the process ended.
        case sending
        /// It isn't sent any more.
        case settled
    }

    /// Why a durable command has its state.
    public enum Reason: String, Sendable, CaseIterable {
        /// It was submitted, and has not failed since.
        case submitted
        /// Its last attempt failed, and a later one may not.
        case failedForNow
        /// Its user has to log in.
        case needsLogin
        /// The server refused it, or it can't be sent as it is.
        case failed
        /// Whether the server has carried it out is unknown, and another attempt could repeat its effect.
        case unconfirmed
        /// Its lifetime is over.
        case expired
        /// The app has canceled it.
        case cancelled
        /// This version of the app doesn't have the endpoint any more, or has it with other inputs.
        case obsolete
        /// Its inputs are damaged, or can't be unsealed.
        case unreadable
    }

    private let intent: KeptIntent
    /// Whether it waits for a login, whatever its last attempt came to.
    private let needsLogin: Bool

    /// - Parameter isLoggedIn: whether the command's user has tokens.
    init(_ intent: KeptIntent, isLoggedIn: Bool) {
        self.intent = intent
        needsLogin = !isLoggedIn && intent.progress.state == .waiting
    }

    /// The id that `submit` has returned.
    public var id: UUID { intent.id }
    /// The endpoint as the contract names it.
    public var endpoint: String { intent.endpoint }
    public var lane: String? { intent.lane }
    public var state: State { intent.progress.state }
    public var reason: Reason { needsLogin ? .needsLogin : intent.progress.reason }
    /// When the command was submitted.
    public var submitted: Date { intent.submitted }
    /// When its lifetime is over.
    public var expires: Date { intent.expires }
    /// Since when it has its state.
    public var since: Date { intent.progress.since }
    /// When it is sent again after a failure; nil if it waits for something other than time.
    public var nextAttempt: Date? { needsLogin ? nil : intent.progress.nextAttempt }
    /// The last failure in one line, without secrets; nil without a failure.
    public var failure: String? { intent.progress.failure }
    /// The idempotency key of its attempts, by which the server knows the command.
    public var idempotencyKey: String? { intent.key }
}

/// The result of a durable command, with the id that `submit` has returned.
public struct OutboxCompletion<C: DurableCommand>: Sendable {
    public let id: UUID
    public let result: Result<Reply<C.Response>, C.Failure>
}

/// The inputs of a durable command as its request has them, for a command that can't be sent any more.
public struct OutboxInputs: Sendable, Hashable {
    /// The path and the query, percent-encoded.
    public let path: String
    /// The headers that the command has written.
    public let headers: [String: String]
    /// The body: JSON, the fields of a form, or bytes.
    public let body: [UInt8]

    init(_ inputs: EncodedInputs) {
        let path = inputs.url ?? inputs.path
        self.path = inputs.query.isEmpty ? path : "\(path)?\(inputs.query)"
        headers = Dictionary(inputs.headers.map { ($0.name, $0.value) }) { first, _ in first }
        body = inputs.body?.bytes ?? []
    }
}

extension OutboxInputs: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size. The inputs may be secret.
    public var description: String { "OutboxInputs(\(body.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["bytes": body.count], displayStyle: .struct) }
}

/// Encrypts the inputs of durable commands before they are kept, and decrypts them before they are sent. An error of `open` settles
/// the command as `unreadable`.
public typealias OutboxSeal = StorageSeal

/// Why an outbox doesn't take a command. Nothing was kept or sent.
public enum OutboxError: Error, Sendable, Hashable {
    /// Inputs break the contract, or can't be kept: the content of a file must be in memory.
    case invalid([BrokenField])
    /// The command needs a session, and no user is logged in.
    case noSession
    /// Inputs are sensitive, and the outbox has no seal.
    case sensitiveInputs
    /// The seal failed.
    case notSealed
    /// The inputs have more bytes than the settings allow.
    case tooLarge
    /// The outbox has as many commands as the settings allow.
    case full
    /// The store failed.
    case store(OutboxStoreError)
}

extension OutboxError: CustomStringConvertible {
    /// One line for a developer.
    public var description: String {
        switch self {
        case .invalid(let fields): "the command is invalid: \(fields.map(\.description).joined(separator: ", "))"
        case .noSession: "the command needs a session, and no user is logged in"
        case .sensitiveInputs: "the command has sensitive inputs, so the outbox needs a seal"
        case .notSealed: "the inputs could not be sealed"
        case .tooLarge: "the inputs are too large"
        case .full: "the outbox is full"
        case .store(let problem): problem.description
        }
    }
}

/// An error that tells responders once that durable commands could not be delivered.
public struct UndeliveredCommands: CategorizedError, LocalizedError {
    public var category: ErrorCategory { .nonRetryable }
    /// The text for people.
    public var errorDescription: String? { "Something could not be delivered." }
}

/// An error that tells responders once that the store has lost durable commands. They are in no list. The store marks those that it still
/// has as possibly carried out, because it may have lost what happened to them.
public struct LostCommands: CategorizedError, LocalizedError {
    public var category: ErrorCategory { .nonRetryable }
    /// The text for people.
    public var errorDescription: String? { "Something that was to be sent was lost on this device." }
}

/// An app's settings for its outbox.
public struct OutboxSettings: Sendable {
    /// The pauses between the attempts of a command that fails for now. Each attempt is already repeated as the contract says.
    public var pause: RetryRule
    /// How many commands may be sent at once.
    public var maximumRequests: Int
    /// How many commands may be kept.
    public var maximumCommands: Int
    /// The largest inputs in bytes.
    public var maximumSize: Int

    public init(
        pause: RetryRule = RetryRule(attempts: .max, base: .seconds(5), cap: .seconds(900)), maximumRequests: Int = 4,
        maximumCommands: Int = 100_000, maximumSize: Int = 16 << 20
    ) {
        self.pause = pause
        self.maximumRequests = max(1, maximumRequests)
        self.maximumCommands = maximumCommands
        self.maximumSize = maximumSize
    }
}
