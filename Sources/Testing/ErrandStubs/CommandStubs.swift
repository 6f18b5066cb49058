public import ErrandRuntime

extension ServiceClient {
    /// The same client without a server, for previews and unit tests: each command ends as its stub says.
    ///
    ///     let bank = Bank().stubbed {
    ///         $0.on(Bank.ListAccounts.self) { _ in [] }
    ///         $0.fail(Bank.CloseAccount.self, with: .accountNotEmpty(.declared))
    ///     }
    ///
    /// Nothing is sent, and no session is needed. A command ends with what its stub returns or throws: it is not retried, and
    /// no responder is asked. Broken constraints, observers, completions and the session after a login are those of a client
    /// with a server. A command without a stub fails as `invalidRequest`, with a message that names it.
    ///
    /// - Parameter describe: says how the commands end, with ``CommandStubs``.
    public func stubbed(_ describe: (inout CommandStubs<Self>) -> Void) -> Self {
        var stubs = CommandStubs<Self>()
        describe(&stubs)
        var client = self
        client.binding = binding.stubbed(by: stubs.stubs, events: stubs.events)
        return client
    }
}

/// Carries out the commands of one client in place of a server.
public struct CommandStubs<Client: ServiceClient>: Sendable {
    fileprivate var stubs: [ObjectIdentifier: any CommandStub] = [:]
    fileprivate var events: [ObjectIdentifier: any Sendable] = [:]

    /// Responds to the commands of one type.
    public mutating func on<C: Command>(
        _ type: C.Type, _ respond: @escaping @Sendable (C) async -> C.Response
    ) where C.Service == Client {
        stubs[ObjectIdentifier(type)] = ClosureStub<C> { command in .success(await respond(command)) }
    }

    /// Carries out the commands of one type, some of which fail. Swift needs the type of the failure in the closure:
    ///
    ///     $0.on(Bank.GetAccount.self) { command throws(Bank.GetAccountFailure) in
    ///         guard command.accountID == 1 else { throw .noSuchAccount(.declared) }
    ///         return account
    ///     }
    ///
    /// The runtime replaces the parts of a failure that the contract defines: name, category, text for people, and whether the
    /// command was carried out. `.declared` is a context with all of these.
    public mutating func on<C: Command>(
        _ type: C.Type, _ carryOut: @escaping @Sendable (C) async throws(C.Failure) -> C.Response
    ) where C.Service == Client {
        stubs[ObjectIdentifier(type)] = ClosureStub<C> { command in
            do throws(C.Failure) {
                return .success(try await carryOut(command))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Gives these events to each follower of their type (`events(of:)`), whose sequence then ends.
    ///
    ///     $0.send([Presence.Notice(text: "Welcome")])
    public mutating func send<Event: ServerEvent>(_ events: [Event]) where Event.Service == Client {
        self.events[ObjectIdentifier(Event.self)] = events
    }

    /// Lets all commands of one type fail.
    ///
    ///     $0.fail(Bank.GetAccount.self, with: .noSuchAccount(.declared))
    ///     $0.fail(Bank.ListAccounts.self, with: .fault(CommandFault(.offline)))
    public mutating func fail<C: Command>(_ type: C.Type, with failure: C.Failure) where C.Service == Client {
        stubs[ObjectIdentifier(type)] = ClosureStub<C> { _ in .failure(failure) }
    }
}

/// The stub for the commands of one type.
private struct ClosureStub<C: Command>: CommandStub {
    let closure: @Sendable (C) async -> Result<C.Response, C.Failure>

    func carryOut(_ command: any Command) async -> StubResult? {
        guard let command = command as? C else { return nil }
        switch await closure(command) {
        case .success(let response): return .response(response)
        case .failure(let failure): return .failure(failure)
        }
    }
}
