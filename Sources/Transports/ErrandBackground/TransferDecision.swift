import ErrandRuntime

/// The facts about an id when a command with this id begins.
struct TransferKnowledge: Sendable {
    /// The command that begins.
    var wanted: TransferIdentity
    /// The journal's entry for the id.
    var entry: TransferJournal.Entry
    /// The attempts with this id that the system knows of, by their names.
    var underWay: Set<String>
    /// The size of the received response body in bytes; nil without a file.
    var received: Int?
    /// Whether another command of this process uses the id.
    var isClaimed = false
    /// The number of transfers in the journal.
    var count = 0
    /// Whether a command with effect `once` may be handed to the system.
    var acceptsOnce = false
}

/// Identifies the command of a transfer.
struct TransferIdentity: Sendable, Equatable {
    let id: String
    /// Service and endpoint as the contract names them.
    let endpoint: String
    /// The URL that the command's own inputs make, as failures print it; nil if the inputs aren't known. The command can't be sent
    /// then.
    let url: String?
    let effect: Effect
    let isDownload: Bool
}

/// The first step of a command with an id.
enum TransferStep: Sendable, Equatable {
    /// The command is sent as a new transfer.
    case start
    /// An earlier process has sent it, and the system still carries it.
    case wait(TransferRecord)
    /// An earlier process has sent it, and it has ended.
    case deliver(TransferRecord)
    /// It may have been sent, and its end will remain unknown. The record is nil if it is lost as well.
    case lost(TransferRecord?)
    /// The command is refused. The existing record and files are kept.
    case refuse(BrokenField)
    /// The command fails, because the journal can't be read now. The existing record and files are kept.
    case fail(SessionStoreError)

    /// Whether the command ends without an attempt.
    var isEnd: Bool {
        switch self {
        case .refuse, .fail: true
        case .start, .wait, .deliver, .lost: false
        }
    }
}

/// Decides the first step of a command with an id.
///
/// Architecture invariant: only this function makes that decision, and it is pure.
func beginTransfer(_ known: TransferKnowledge) -> TransferStep {
    let wanted = known.wanted
    let length = wanted.id.utf8.count
    guard (1...TransferJournal.longestID).contains(length) else {
        return .refuse("id", "must have 1 to \(TransferJournal.longestID) bytes")
    }
    if known.isClaimed { return .refuse("id", "is the id of a transfer that is being carried out") }
    switch known.entry {
    case .unreadable(let problem): return .fail(problem)
    case .newer: return .refuse("id", "is the id of a transfer that a newer version of the app has begun")
    case .damaged:
        // Whether the command was sent is unknown.
        return wanted.effect.isUnsafe ? .lost(nil) : begin(known)
    case .absent:
        // The journal was removed, but the system still carries its tasks.
        return wanted.effect.isUnsafe && !known.underWay.isEmpty ? .lost(nil) : begin(known)
    case .record(let record): return takeUp(record, known)
    }
}

private func begin(_ known: TransferKnowledge) -> TransferStep {
    guard known.wanted.url != nil else { return .refuse("id", "is the id of no transfer") }
    if known.wanted.effect == .once, !known.acceptsOnce {
        return .refuse("effect", "must not be `once`: the system may repeat a request by itself")
    }
    guard known.count < TransferJournal.capacity else {
        return .refuse("journal", "has \(TransferJournal.capacity) transfers, some of which must be forgotten first")
    }
    return .start
}

private func takeUp(_ record: TransferRecord, _ known: TransferKnowledge) -> TransferStep {
    let wanted = known.wanted
    guard record.endpoint == wanted.endpoint, record.isDownload == wanted.isDownload, record.effect == wanted.effect,
        wanted.url.map({ $0 == record.url }) ?? true
    else { return .refuse("id", "is the id of another command's transfer") }
    switch record.end {
    case nil: return known.underWay.contains(record.attempt) ? .wait(record) : .lost(record)
    case .fault: return .deliver(record)
    case .response(_, _, let size): return known.received ?? 0 == size ? .deliver(record) : .lost(record)
    }
}

/// Whether the journal keeps a transfer whose command has ended.
///
/// A command that may have taken effect isn't sent again, even if the app ends before it stores the result.
func keepsTransfer(_ effect: Effect, hasSucceeded: Bool, applied: Applied) -> Bool {
    effect.isUnsafe && (hasSucceeded || applied != .never)
}

extension TransferStep {
    fileprivate static func refuse(_ name: String, _ reason: String) -> TransferStep {
        .refuse(BrokenField(name: name, reason: reason))
    }
}
