#if Outbox
@_exported public import ErrandDurable
import ErrandRuntime
import Foundation
import GRDB

/// Keeps durable commands on the disk, so that they outlast the process and a restart of the device.
///
///     let store = try FileOutboxStore(folder: folder.path)
///     let outbox = try await Outbox(of: chat, in: store)
///
/// The folder has a database of SQLite, which only its owner can read. A command in it is encrypted if its outbox has a seal.
/// Several processes can use one folder, such as an app and its extension.
public final class FileOutboxStore: OutboxStore {
    /// More than an outbox keeps for one command, so that a damaged file cannot fill the memory.
    static let largestInputs = 64 << 20

    private let file: OutboxFile
    private let claims = LockedState<[String: FileLock]> { [:] }
    private let isLossTold = LockedState<Bool> { false }

    /// Opens the store of a folder.
    ///
    /// - Parameter folder: a folder for this store alone. A missing one is created (mode 0700). No other user may have write
    ///   permission to an existing folder.
    /// - Throws: `newerVersion` and `unreadable`, which leave the files as they are, or what the system refuses. Without a store an
    ///   app can send all commands, and submit none.
    public init(folder: String) throws(OutboxStoreError) { file = try OutboxFile(folder: folder) }

    public func claim(_ service: String) async throws(OutboxStoreError) -> Bool {
        guard claims.withLock({ $0[service] == nil }) else { return false }
        // The name of a service may be long, and contain what the name of a file cannot.
        let number = try await file.write(isSynced: false) { try OutboxTable.number(of: service, in: $0) }
        do throws(SessionStoreError) {
            guard let lock = try FileLock.take(file.path + "-sending-\(number)") else { return false }
            claims.withLock { $0[service] = lock }
            return true
        } catch {
            throw OutboxStoreError(error)
        }
    }

    public func release(_ service: String) async { claims.withLock { $0.removeValue(forKey: service) }?.release() }

    public func append(_ intent: KeptIntent, inputs: [UInt8]) async throws(OutboxStoreError) -> Int {
        guard inputs.count <= Self.largestInputs else { throw .system(call: "write", code: Int(EFBIG)) }
        return try await file.write(isSynced: true) { try OutboxTable.append(intent, inputs, to: $0) }
    }

    public func intents(
        of service: String, after number: Int, limit: Int
    ) async throws(OutboxStoreError) -> [KeptIntent] {
        try await file.read {
            try OutboxTable.intents(of: service, after: number, limit: limit, in: $0)
        }
    }

    public func inputs(of number: Int) async throws(OutboxStoreError) -> [UInt8]? {
        try await file.read { try OutboxTable.inputs(of: number, atMost: Self.largestInputs, in: $0) }
    }

    public func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) async throws(OutboxStoreError) {
        try await file.write(isSynced: isSynced) { try OutboxTable.update(number, progress, in: $0) }
    }

    public func remove(_ number: Int) async throws(OutboxStoreError) {
        try await file.write(isSynced: false) { try OutboxTable.remove(number, from: $0) }
    }

    public func reportLoss(_ tell: @Sendable () async -> Void) async throws(OutboxStoreError) {
        // Several outboxes have one store, and one of them tells.
        let isFirst = isLossTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        guard isFirst else { return }
        guard try await file.read({ try OutboxTable.isLost(in: $0) }) else { return }
        await tell()
        try await file.write(isSynced: false) { try OutboxTable.forgetLoss(in: $0) }
    }

    deinit { for lock in claims.withLock({ $0 }).values { lock.release() } }
}
#endif
