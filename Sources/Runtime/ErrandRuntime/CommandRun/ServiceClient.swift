/// The client of one service: a thin value over a dispatcher and a session, and the namespace of
/// everything that is generated from its contract.
public protocol ServiceClient: Sendable {
    /// The contract's description of the service.
    static var service: ServiceDescription { get }
    /// Where this client's commands go, and with which session.
    var binding: ServiceBinding { get set }
}

extension ServiceClient {
    /// Sends a command and waits for its response.
    ///
    /// - Throws: the endpoint's own failure type, exactly once and after everything the contract and
    ///   the dispatcher allow was tried. Cancelling the task ends the command, on the wire too.
    public func send<C: Command>(_ command: consuming C) async throws(C.Failure) -> C.Response
    where C.Service == Self {
        try await makeCall(command).perform(command).value
    }

    /// The same as a `Result`, for code that wants to keep the failure's type where Swift's typed
    /// throws would lose it (in `async let`, in a task group).
    public func result<C: Command>(of command: consuming C) async -> Result<C.Response, C.Failure>
    where C.Service == Self {
        do throws(C.Failure) {
            return .success(try await makeCall(command).perform(command).value)
        } catch {
            return .failure(error)
        }
    }

    /// Out of line, so that a command that waits keeps no copy of the binding.
    @inline(never)
    private func makeCall<C: Command>(_ command: C) -> CommandExecution { binding.makeCall(command) }

    /// The same client with another responder, which is asked first: a screen that shows the message of a login itself,
    /// for instance. The client, the copy and all others share their dispatcher and their session.
    public func responding(with responder: some Responder) -> Self {
        var client = self
        client.binding.responders.insert(ResponderLevel(responder), at: 0)
        return client
    }

    /// The same client with options for the commands that are sent through it.
    ///
    ///     let quick = bank.with { $0.timeout = .seconds(5); $0.attempts = 1 }
    ///
    /// The client, the copy and all others share their dispatcher and their session.
    public func with(_ change: (inout CommandOptions) -> Void) -> Self {
        var client = self
        change(&client.binding.options)
        return client
    }

    /// Sends the command of a receipt once more, with the idempotency key of all its earlier attempts. If the server has
    /// carried out one of them, it knows the key and doesn't repeat the effect.
    ///
    /// It fails as `invalidRequest` if the receipt has no key (effect `once`: its first attempt may still be under way),
    /// belongs to another type of command, or has a key whose lifetime is over. It fails as `sessionEnded` if the login in
    /// which the command was submitted is over.
    ///
    /// - Throws: the endpoint's own failure type.
    public func send<C: Command>(again receipt: Receipt, as type: C.Type) async throws(C.Failure) -> C.Response
    where C.Service == Self {
        try await binding.performAgain(receipt, as: type).value
    }

    /// Sends a command and waits for the complete reply: the response with the server's message, code, status and headers, and
    /// the number of skipped list elements.
    public func reply<C: Command>(to command: consuming C) async throws(C.Failure) -> Reply<C.Response>
    where C.Service == Self {
        try await makeCall(command).perform(command)
    }
}
