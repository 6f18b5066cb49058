import ErrandRuntime

/// The transfers that continue while the app doesn't run. The registry hands them to the carrier, and writes their results to
/// the journal, even if no command waits for them.
package final class TransferRegistry: Sendable {
    private struct State {
        var claims: [String: Claim] = [:]
        /// The fingerprints of the requests of downloads that can be continued, by the ids of the transfers.
        var resumable: [String: Int] = [:]
        var progress: [String: TransferProgress] = [:]
        /// The responses that are arriving, by the ids of the transfers.
        var arriving: [String: Arriving] = [:]
        var isDelivered = false
        var waiters: [Suspension<Void>] = []
    }

    /// The knowledge of a command in this process about its transfer.
    private struct Claim: Sendable {
        var attempt = ""
        /// The record of the ended attempt; nil until this process learns of the end.
        var record: TransferRecord?
        var waiter: Suspension<Bool>?
    }

    /// A response that is arriving. The response to an upload comes in many parts, and the journal is read for the first one only.
    private struct Arriving: Sendable {
        let attempt: String
        /// How many more bytes are taken.
        var room = 0
        /// Why a part of the response, or its file, could not be kept.
        var problem: SessionStoreError?
    }

    /// A transfer in the journal.
    package struct Listed: Sendable, Equatable {
        package let id: String
        package let endpoint: String
        package let isFinished: Bool
    }

    private let journal: TransferJournal
    private let carrier: any TransferCarrier
    private let acceptsOnce: Bool
    // Files are changed under the lock, which orders the reports of the system and the work of commands.
    private let state = LockedState<State> { State() }

    /// - Parameters:
    ///   - folder: the folder of the journal. It is created if it doesn't exist.
    ///   - acceptsOnce: whether commands with effect `once` are accepted, although the carrier may repeat a request.
    package convenience init(folder: String, carrier: any TransferCarrier, acceptsOnce: Bool) {
        self.init(TransferJournal(folder: folder), carrier, acceptsOnce: acceptsOnce)
    }

    init(_ journal: TransferJournal, _ carrier: any TransferCarrier, acceptsOnce: Bool) {
        self.journal = journal
        self.carrier = carrier
        self.acceptsOnce = acceptsOnce
        journal.removeOrphans()
    }

    // MARK: What an app asks

    /// The transfers in the journal.
    package var transfers: [Listed] {
        journal.ids.compactMap { id in
            guard case .record(let record) = journal.entry(id) else { return nil }
            return Listed(id: id, endpoint: record.endpoint, isFinished: record.end != nil)
        }
    }

    /// The progress of a transfer.
    package func progress(of id: String) -> TransferProgress {
        state.withLock { state in
            let progress = state.progress[id] ?? TransferProgress()
            state.progress[id] = progress
            return progress
        }
    }

    /// Ends a transfer, and removes its record and files. A command that waits for it ends as cancelled.
    package func forget(_ id: String) async {
        let waiter = state.withLock { state in
            drop(id, &state)
            return state.claims[id]?.waiter
        }
        for name in await carrier.underWay() where name.id == id { carrier.cancel(name) }
        waiter?.end(false)
    }

    /// Waits until the system has reported all events that happened while the app didn't run.
    package func waitForEvents() async {
        let waiter = Suspension<Void>()
        let isDelivered = state.withLock { state in
            defer { state.isDelivered = false }
            if !state.isDelivered { state.waiters.append(waiter) }
            return state.isDelivered
        }
        if !isDelivered { await waiter.value(ifCancelled: ()) }
    }

    // MARK: What a command asks

    /// Decides the first step of a command, and reserves the id for the command unless it is refused.
    func begin(_ wanted: TransferIdentity) async -> TransferStep {
        // After this call, the journal has every transfer that has ended by now.
        let names = await carrier.underWay().filter { $0.id == wanted.id }
        let step = state.withLock { state -> TransferStep in
            let step = beginTransfer(
                TransferKnowledge(
                    wanted: wanted, entry: journal.entry(wanted.id), underWay: Set(names.map(\.attempt)),
                    received: journal.receivedSize(wanted.id), isClaimed: state.claims[wanted.id] != nil,
                    count: journal.ids.count, acceptsOnce: acceptsOnce))
            var claim = Claim()
            switch step {
            case .refuse, .fail: return step
            case .start: break
            case .wait(let record):
                claim.attempt = record.attempt
                claim.waiter = Suspension()
            case .deliver(let record): claim.record = record
            case .lost(nil):
                // The next process must not treat the id as a new one.
                try? journal.write(
                    TransferRecord(
                        id: wanted.id, attempt: "-", endpoint: wanted.endpoint, url: wanted.url ?? "",
                        effect: wanted.effect, isDownload: wanted.isDownload))
            case .lost: break
            }
            state.claims[wanted.id] = claim
            return step
        }
        // The command waits for one attempt. The system's other attempts with this id are obsolete.
        let wantedAttempt: String? = if case .wait(let record) = step { record.attempt } else { nil }
        if step.isEnd { return step }
        for name in names where name.attempt != wantedAttempt { carrier.cancel(name) }
        return step
    }

    /// Notes that the command with an id has ended.
    ///
    /// - Parameter keeps: whether the id still means the same transfer.
    func end(_ id: String, keeps: Bool) {
        state.withLock { state in
            state.claims[id] = nil
            if keeps { state.progress.removeValue(forKey: id)?.finish() } else { drop(id, &state) }
        }
    }

    private func drop(_ id: String, _ state: inout State) {
        try? journal.remove(id)
        state.resumable[id] = nil
        state.arriving[id] = nil
        state.progress.removeValue(forKey: id)?.finish()
    }

    /// Creates the file for the body of an upload, and returns its path.
    func makeBodyFile(_ id: String) throws(SessionStoreError) -> String {
        try journal.prepareFolder()
        let path = journal.bodyPath(id)
        try journal.empty(path)
        return path
    }

    func append(_ bytes: [UInt8], to path: String) throws(SessionStoreError) { try journal.append(bytes, to: path) }

    /// Writes an attempt to the journal, then starts it.
    func start(_ record: TransferRecord, _ request: TransportRequest, bodyPath: String?) throws(SessionStoreError) {
        let result = state.withLock { state -> Result<Bool, SessionStoreError> in
            do throws(SessionStoreError) {
                try journal.removeReceived(record.id)
                try journal.write(record)
            } catch {
                return .failure(error)
            }
            state.claims[record.id] = Claim(attempt: record.attempt, waiter: Suspension())
            state.arriving[record.id] = nil
            return .success(state.resumable.removeValue(forKey: record.id) == record.fingerprint)
        }
        let resumes = try result.get()
        carrier.start(
            TransferOrder(
                name: TransferName(id: record.id, attempt: record.attempt), request: request, bodyPath: bodyPath,
                resumes: resumes))
    }

    /// Waits for the end of the attempt under way; nil if the task is cancelled, or if the transfer was forgotten.
    func wait(_ id: String) async -> TransferRecord? {
        let waiter = state.withLock { $0.claims[id]?.record == nil ? $0.claims[id]?.waiter : nil }
        if let waiter, await !waiter.value(ifCancelled: false) {
            cancel(id)
            return nil
        }
        return state.withLock { $0.claims[id]?.record }
    }

    /// Ends the attempt under way.
    func cancel(_ id: String) {
        guard let claim = state.withLock({ $0.claims[id] }) else { return }
        carrier.cancel(TransferName(id: id, attempt: claim.attempt))
        claim.waiter?.end(false)
    }

    func receivedPath(_ id: String) -> String { journal.receivedPath(id) }

    // MARK: What the system tells

    /// The record of an attempt that hasn't ended; nil if the journal doesn't have one.
    private func record(_ name: TransferName) -> TransferRecord? {
        guard case .record(let record) = journal.entry(name.id), record.attempt == name.attempt, record.end == nil
        else {
            return nil
        }
        return record
    }

    /// Takes the file of a received download. The system removes it afterwards.
    package func receive(_ file: String, as name: TransferName) {
        state.withLock { state in
            guard record(name) != nil else { return }
            var arriving = Arriving(attempt: name.attempt)
            do throws(SessionStoreError) {
                try journal.receive(file, as: name.id)
            } catch {
                arriving.problem = error
            }
            state.arriving[name.id] = arriving
        }
    }

    /// Takes a part of the response to an upload.
    ///
    /// - Returns: false if the response is larger than allowed.
    package func append(_ bytes: [UInt8], of name: TransferName, isFirst: Bool) -> Bool {
        state.withLock { state in
            let path = journal.receivedPath(name.id)
            if isFirst {
                guard let record = record(name) else { return true }
                state.arriving[name.id] = Arriving(attempt: name.attempt, room: record.limit)
            }
            guard var arriving = state.arriving[name.id], arriving.attempt == name.attempt, arriving.problem == nil
            else { return true }
            guard bytes.count <= arriving.room else { return false }
            arriving.room -= bytes.count
            do throws(SessionStoreError) {
                if isFirst { try journal.empty(path) }
                try journal.append(bytes, to: path)
            } catch {
                arriving.problem = error
            }
            state.arriving[name.id] = arriving
            return true
        }
    }

    /// Notes the progress of an attempt.
    package func note(bytes: Int, total: Int?, of name: TransferName) {
        state.withLock { $0.progress[name.id] }?.note(bytes: bytes, total: total)
    }

    /// Notes how an attempt ended.
    ///
    /// - Parameters:
    ///   - redirectedTo: the URL of the last redirect that the carrier has followed.
    ///   - hasFile: whether the response body was received as a file. Without the file, the attempt is lost.
    ///   - canResume: whether the carrier can request the rest of the download.
    package func end(
        _ name: TransferName, _ end: TransferEnd, redirectedTo: String? = nil, hasFile: Bool = false,
        canResume: Bool = false
    ) {
        let waiter = state.withLock { state -> Suspension<Bool>? in
            var problem: SessionStoreError?
            if let arriving = state.arriving[name.id], arriving.attempt == name.attempt {
                problem = arriving.problem
                state.arriving[name.id] = nil
            }
            guard var record = record(name) else { return nil }
            var end = end
            if case .response(let status, let headers, _) = end {
                let size = journal.receivedSize(name.id)
                if let problem {
                    // The command may have been carried out, and the response is gone.
                    end = .fault(TransportFault(keeping: problem, evidence: .sent).kind, .sent)
                } else if hasFile, size == nil {
                    end = .fault(.lost, .sent)
                } else {
                    end = .response(status: status, headers: headers, size: size ?? 0)
                }
            }
            record.end = end
            // The rest of the URL may hold secrets.
            record.redirectedTo = redirectedTo.map { Origin($0)?.description ?? "" }
            // If the end can't be written, the next process treats the attempt as lost. This process knows the end.
            try? journal.write(record)
            state.resumable[name.id] = canResume ? record.fingerprint : nil
            guard state.claims[name.id]?.attempt == name.attempt else { return nil }
            state.claims[name.id]?.record = record
            return state.claims[name.id]?.waiter
        }
        waiter?.end(true)
    }

    /// Notes that the system has reported all events that happened while the app didn't run.
    package func noteEventsDelivered() {
        let waiters = state.withLock { state in
            state.isDelivered = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.end(()) }
    }
}
