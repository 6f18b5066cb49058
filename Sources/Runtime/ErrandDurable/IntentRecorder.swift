import ErrandRuntime

/// Notes the attempts of one run of a durable command in the outbox.
final class IntentRecorder: CommandRecorder {
    let earlier: EarlierRuns
    private let number: Int
    private let queue: IntentQueue

    init(_ intent: KeptIntent, _ queue: IntentQueue) {
        number = intent.number
        self.queue = queue
        earlier = EarlierRuns(
            key: intent.key, keyAge: queue.keyAge(intent.progress),
            mayHaveBeenApplied: intent.progress.mayHaveBeenApplied)
    }

    func noteAttempt() async throws(TransportFault) {
        do throws(OutboxStoreError) {
            try await queue.noteAttempt(number)
        } catch {
            throw TransportFault(
                error == .storageFull ? .storageFull : .storage, evidence: .notSent, underlying: error)
        }
    }
}
