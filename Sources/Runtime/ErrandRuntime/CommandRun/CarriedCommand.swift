/// A command that a carrier sends, and how it ends.
///
/// - `C` is the app's command, and `Sent` is the command that is sent for it.
package struct CarriedCommand<C: Command, Sent: Command> where C.Failure == Sent.Failure {
    private let binding: ServiceBinding
    /// Nil if the inputs of the command aren't known.
    private let command: C?
    private let sent: Sent
    private let run: CommandRun

    /// - Parameters:
    ///   - carrier: nil for a command that ends without an attempt.
    ///   - login: the name of the login in which an earlier process has sent the command.
    package init(
        _ command: C?, sentAs sent: Sent, by binding: ServiceBinding, over carrier: (any CommandCarrier)? = nil,
        inLogin login: String? = nil
    ) async {
        self.binding = binding
        self.command = command
        self.sent = sent
        guard let carrier else {
            run = CommandRun(binding.makeCall(sent))
            return
        }
        let membership = carrier.earlier == nil ? nil : await binding.session.membership(inLogin: login)
        run = CommandRun(binding.makeCall(sent, .carried(carrier, of: membership)))
    }

    /// Sends the command, or takes the result of an earlier attempt.
    package func respond() async throws(C.Failure) -> Reply<Sent.Response> {
        do throws(CommandRun.Ending) {
            return try await run.respond(with: CommandReader<Sent>())
        } catch {
            throw run.call.failure(of: error, sent)
        }
    }

    /// Sends the command once more, after a response.
    package func respondAgain() async throws(C.Failure) -> Reply<Sent.Response> {
        run.restart()
        return try await respond()
    }

    /// Notes that the command is done, and tells followers of the app's command.
    package func succeed(_ reply: Reply<Sent.Response>) {
        run.call.noteWrite()
        run.call.observation?.settle(run.state.summary.isOutcome ? .outcome : .success)
        guard let command, let value = reply.value as? C.Response else { return }
        let completions = binding.dispatcher.completions
        if completions.areFollowed { completions.tell(command, .success(reply.replacing(value: value))) }
    }

    // MARK: Failures of the carrier

    /// The failure of a command that must not be sent as it is.
    package func failure(_ broken: BrokenField) -> C.Failure {
        run.call.failure(of: FailedAttempt(invalid: [broken], run.endpoint).ending(run.state.summary), sent)
    }

    /// The failure of a command that could not be kept, and was not sent.
    package func failure(_ problem: SessionStoreError) -> C.Failure {
        let failed = run.state.note(TransportFault(keeping: problem, evidence: .notSent))
        return run.call.failure(of: failed.ending(run.state.summary), sent)
    }

    /// The failure of a command whose response could not be put in its place.
    package func failure(_ problem: DownloadError) -> C.Failure {
        run.call.failure(of: run.ending(by: problem), sent)
    }
}

extension ServiceBinding {
    /// The URL that a command's own inputs make, as failures print it. It leaves out the parts that the session, the signature and the
    /// contract add, because they differ each time.
    package func ownURL<C: Command>(of command: C, on endpoint: EndpointDescription) -> String {
        let server = route.server(of: endpoint)
        var encoder = RequestEncoder(
            method: endpoint.method, base: server?.base ?? "", isSigned: false,
            sensitiveNames: endpoint.service.sensitive, wallTime: dispatcher.environment.wallTime(),
            chance: dispatcher.environment.chance)
        command.encode(into: &encoder)
        let limits = RequestLimits(timeout: .zero, maximumRedirects: 0, maximumResponseSize: 0, priority: .normal)
        guard case .success(let assembled) = encoder.finish(endpoint, limits, home: server?.origin) else { return "" }
        // Only the beginning of a long URL is compared.
        return String(assembled.printedURL.prefix(2_000))
    }
}
