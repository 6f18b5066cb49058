/// Takes the place of a command whose inputs come from an outbox.
struct StoredCommand<C: Command>: CarrierCommand {
    typealias Service = C.Service
    typealias Failure = C.Failure
    typealias Response = C.Response

    let inputs: EncodedInputs

    static var endpoint: EndpointDescription { C.endpoint }
    static var carried: any Command.Type { C.self }
    func encode(into request: inout RequestEncoder) { request.write(inputs) }
    static func load(from reader: inout JSONReader) -> C.Response? { C.load(from: &reader) }
}

extension StoredCommand: OutcomeCommand where C: OutcomeCommand {
    static func outcome(_ name: DeclaredName, _ match: ErrorMatch) -> C.Response? { C.outcome(name, match) }
    static func load(bytes: [UInt8]) -> C.Response? { C.load(bytes: bytes) }
}

extension StoredCommand: HeaderCommand where C: HeaderCommand {
    typealias Headers = C.Headers
}

extension StoredCommand: ConfirmableCommand where C: ConfirmableCommand {
    func confirmation(for receipt: Receipt) -> StoredCommand<C.Confirmation>? {
        inputs.confirmation.flatMap(EncodedInputs.init(kept:)).map { StoredCommand<C.Confirmation>(inputs: $0) }
    }

    static func confirmed(by found: C.Confirmation.Response) -> C.Response { C.confirmed(by: found) }
}

extension ServiceBinding {
    /// The contract's name of the service.
    package var serviceName: String { route.service.name }

    /// Whether stubs carry its commands out.
    package var isStubbed: Bool { route.stubs != nil }

    /// Carries a command out.
    package func perform<C: Command>(_ command: C) async throws(C.Failure) -> Reply<C.Response> {
        try await perform(command, as: .ordinary)
    }

    /// Carries a command out whose inputs were kept.
    ///
    /// - Parameters:
    ///   - recorder: notes its attempts.
    ///   - membership: the login of the user who submitted it.
    package func perform<C: Command>(
        _ type: C.Type, with inputs: EncodedInputs, notedBy recorder: some CommandRecorder, of membership: CommandEpoch
    ) async throws(C.Failure) -> Reply<C.Response> {
        let stored = StoredCommand<C>(inputs: inputs)
        return try await makeCall(stored, .recorded(recorder, of: membership))
            .perform(stored, with: CommandReader<C>())
    }

    /// The inputs of a command, and of the read that confirms it, for a store.
    ///
    /// - Parameter key: the idempotency key that the command will have.
    package func keep(_ command: some Command, key: String?) -> Result<EncodedInputs, InvalidRequest> {
        keepAlone(command).map { inputs in
            var inputs = inputs
            if let confirmable = command as? any ConfirmableCommand {
                let read = keepConfirmation(of: confirmable, key: key)
                inputs.confirmation = read?.keptBytes
                inputs.secrets += read?.secrets ?? []
                inputs.isSensitive = inputs.isSensitive || read?.isSensitive ?? false
            }
            return inputs
        }
    }

    private func keepAlone(_ command: some Command) -> Result<EncodedInputs, InvalidRequest> {
        let endpoint = type(of: command).endpoint
        let environment = dispatcher.environment
        var encoder = RequestEncoder(
            method: endpoint.method, base: "", isSigned: endpoint.service.signing != nil,
            sensitiveNames: endpoint.service.sensitive, wallTime: environment.wallTime(), chance: environment.chance)
        command.encode(into: &encoder)
        return encoder.takeInputs()
    }

    /// The inputs of the read that confirms a command; nil if it can't be made.
    private func keepConfirmation<C: ConfirmableCommand>(of command: C, key: String?) -> EncodedInputs? {
        let cause = CommandFault(.connectionLost).context
        guard let read = command.confirmation(for: Receipt(idempotencyKey: key, cause: cause)) else { return nil }
        return try? keepAlone(read).get()
    }
}
