public import ErrandRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps durable commands, so that they outlast the process.
///
/// One store serves all services and all processes of an app. Each method is one step: after a crash, the store has all of it or
/// nothing, and it finishes in a canceled task as well. A store makes no decisions, and sends nothing.
public protocol OutboxStore: Sendable {
    /// Takes the right to send the commands of a service. False while another process or another outbox has it. The right ends
    /// with the process.
    func claim(_ service: String) async throws(OutboxStoreError) -> Bool
    /// Gives the right back.
    func release(_ service: String) async
    /// Adds a command. When the call returns, the command outlasts a crash of the system.
    ///
    /// - Returns: the number of the command. Later commands have greater numbers.
    func append(_ intent: KeptIntent, inputs: [UInt8]) async throws(OutboxStoreError) -> Int
    /// The commands of a service with greater numbers than `number`, in the order of their numbers, at most `limit`.
    func intents(of service: String, after number: Int, limit: Int) async throws(OutboxStoreError) -> [KeptIntent]
    /// The inputs of a command; nil if the store doesn't have the command.
    func inputs(of number: Int) async throws(OutboxStoreError) -> [UInt8]?
    /// Replaces the progress of a command.
    ///
    /// - Parameter isSynced: whether the change must outlast a crash of the system when the call returns. Otherwise it only has to
    ///   outlast the process.
    func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) async throws(OutboxStoreError)
    /// Removes a command with its inputs. It only has to outlast the process.
    func remove(_ number: Int) async throws(OutboxStoreError)
    /// Calls `tell` if the store has lost commands. When `tell` has returned, the loss is told, and the store forgets it. A store that
    /// cannot find out does nothing, which is the default.
    func reportLoss(_ tell: @Sendable () async -> Void) async throws(OutboxStoreError)
}

extension OutboxStore {
    public func reportLoss(_ tell: @Sendable () async -> Void) async throws(OutboxStoreError) {}
}

/// Why a store can't keep or give durable commands.
public enum OutboxStoreError: Error, Sendable, Hashable {
    /// The disk, or the user's share of it, is full.
    case storageFull
    /// A newer version of the app has written the store. The store is left as it is.
    case newerVersion(Int)
    /// The store is damaged, or belongs to another program. The store is left as it is.
    case unreadable
    /// The store can't be written.
    case readOnly
    /// Another process has held the store for longer than this one waits.
    case busy
    /// The store was closed.
    case closed
    /// The system refused a call. Its `errno` (POSIX.1-2024, `errno.h`).
    case system(call: String, code: Int)
}

extension OutboxStoreError: CustomStringConvertible {
    /// One line for a developer.
    public var description: String {
        switch self {
        case .storageFull: "the disk is full"
        case .newerVersion(let version): "a newer version of the app has written the outbox (version \(version))"
        case .unreadable: "the stored data is not an outbox"
        case .readOnly: "the outbox can't be written"
        case .busy: "another process holds the outbox"
        case .closed: "the outbox is closed"
        case .system(let call, let code): "\(call) failed with errno \(code)"
        }
    }
}

/// A durable command in a store, without its inputs.
public struct KeptIntent: Sendable, Hashable {
    /// The number that the store has given to the command; 0 before that.
    public var number: Int
    public let id: UUID
    /// The service and the endpoint as the contract names them.
    public let service: String
    public let endpoint: String
    /// The form of the inputs (`Durability.fingerprint`).
    public let fingerprint: String
    public let effect: Effect
    /// The user or the login that the command belongs to; nil if it goes without a session.
    public let owner: String?
    public let lane: String?
    public let submitted: Date
    /// When the command's lifetime is over.
    public let expires: Date
    /// The idempotency key of all attempts; nil for an effect other than `keyed`.
    public let key: String?
    /// Whether the inputs are sealed (`OutboxSeal`).
    public let isSealed: Bool
    public var progress: IntentProgress

    public init(
        number: Int, id: UUID, service: String, endpoint: String, fingerprint: String, effect: Effect, owner: String?,
        lane: String?, submitted: Date, expires: Date, key: String?, isSealed: Bool, progress: IntentProgress
    ) {
        self.number = number
        self.id = id
        self.service = service
        self.endpoint = endpoint
        self.fingerprint = fingerprint
        self.effect = effect
        self.owner = owner
        self.lane = lane
        self.submitted = submitted
        self.expires = expires
        self.key = key
        self.isSealed = isSealed
        self.progress = progress
    }
}

/// How far a durable command has come.
public struct IntentProgress: Sendable, Hashable {
    public var state: OutboxEntry.State
    public var reason: OutboxEntry.Reason
    /// Since when the command has this state.
    public var since: Date
    /// How often the command has failed in a way that a later attempt may not.
    public var failures: Int
    /// Whether the server may have carried out an attempt.
    public var mayHaveBeenApplied: Bool
    /// When the idempotency key was first sent.
    public var keyUsed: Date?
    /// When the command is sent again; nil if it waits for something other than time.
    public var nextAttempt: Date?
    /// The last failure as it may be printed.
    public var failure: String?

    public init(
        state: OutboxEntry.State, reason: OutboxEntry.Reason, since: Date, failures: Int = 0,
        mayHaveBeenApplied: Bool = false,
        keyUsed: Date? = nil, nextAttempt: Date? = nil, failure: String? = nil
    ) {
        self.state = state
        self.reason = reason
        self.since = since
        self.failures = failures
        self.mayHaveBeenApplied = mayHaveBeenApplied
        self.keyUsed = keyUsed
        self.nextAttempt = nextAttempt
        self.failure = failure
    }
}
