extension CommandRun {
    /// Sends an attempt of a durable command once it is noted, unless the attempt could take effect a second time.
    ///
    /// Such a command has an attempt of an earlier process whose end is unknown. It is treated as an attempt whose connection was
    /// lost, so `confirm` settles it, or it ends as `unconfirmed`.
    func send(recordedBy recorder: any CommandRecorder) async -> ReceivedResponse? {
        var fault = mayRepeatEffect ? TransportFault(.lost, evidence: .sent) : nil
        if fault == nil {
            do throws(TransportFault) {
                try await recorder.noteAttempt()
            } catch {
                fault = error
            }
        }
        guard let fault else { return await send() }
        if let request { state.summary.url = request.printedURL }
        request = nil
        settle(state.note(fault))
        return nil
    }

    /// Whether a further attempt could take effect a second time.
    private var mayRepeatEffect: Bool {
        guard state.mayHaveBeenApplied, state.confirmation != .foundNothing else { return false }
        return switch endpoint.effect {
        case .read, .idempotent: false
        case .keyed: state.key?.isExpired(endpoint.keyLifetime, at: environment.time.now) ?? true
        case .once: true
        }
    }
}
