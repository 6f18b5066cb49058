/// What is known of an id when a command comes to be carried out with it.
struct TransferKnowledge: Sendable {
    /// What the command is.
    var wanted: TransferIdentity
    /// What the journal says.
    var entry: TransferJournal.Entry
    /// The attempts with this id that the system knows of, by their names.
    var underWay: Set<String>
    /// How many bytes of an answer's body there are; nil where there is no file.
    var received: Int?
    /// Whether another command of this process has the id.
    var isClaimed = false
    /// How many transfers the journal has.
    var count = 0
    /// Whether a command with effect `once` may be handed to the system.
    var acceptsOnce = false
}

/// Which command a transfer is for.
struct TransferIdentity: Sendable, Equatable {
    let id: String
    /// Service and endpoint as the contract names them.
    let endpoint: String
    /// Where it goes by its own inputs, as it may be printed; nil where the inputs are not known, and the command cannot be sent.
    let url: String?
    let effect: Effect
    let isDownload: Bool
}

/// What a command with an id begins with.
enum TransferStep: Sendable, Equatable {
    /// It is sent: nothing of it is there.
    case start
    /// An earlier process has sent it, and the system has it still.
    case wait(TransferRecord)
    /// An earlier process has sent it, and it has ended.
    case deliver(TransferRecord)
    /// It may have been sent, and its end will not be known. Nil where the record is lost as well.
    case lost(TransferRecord?)
    /// It is not carried out, and all that is there stays.
    case refuse(BrokenField)
}

/// Decides what a command with an id begins with. Architecture invariant: nothing else decides that. It is a pure function.
func beginTransfer(_ known: TransferKnowledge) -> TransferStep {
    let wanted = known.wanted
    let length = wanted.id.utf8.count
    guard (1...TransferJournal.longestID).contains(length) else {
        return .refuse("id", "must have 1 to \(TransferJournal.longestID) bytes")
    }
    if known.isClaimed { return .refuse("id", "is the id of a transfer that is being carried out") }
    switch known.entry {
    case .unreadable(let problem): return .refuse("journal", "cannot be read: \(problem)")
    case .newer: return .refuse("id", "is the id of a transfer that a newer version of the app has begun")
    case .damaged:
        // Nothing says whether it was sent.
        return wanted.effect.isUnsafe ? .lost(nil) : begin(known)
    case .absent:
        // The journal was removed, and the system goes on with what it has.
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

/// Whether the journal keeps a transfer whose command has ended: what may have taken effect is not sent again, also where the app
/// ends before it has noted the result.
func keepsTransfer(_ effect: Effect, hasSucceeded: Bool, applied: Applied) -> Bool {
    effect.isUnsafe && (hasSucceeded || applied != .never)
}

extension TransferStep {
    fileprivate static func refuse(_ name: String, _ reason: String) -> TransferStep {
        .refuse(BrokenField(name: name, reason: reason))
    }
}
