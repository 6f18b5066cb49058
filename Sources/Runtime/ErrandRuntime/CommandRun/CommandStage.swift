/// A part of the pipeline that only some commands have: the cache, a connection, or a carrier. It belongs to one command, and owns what
/// it remembers of it.
///
/// The loop of a command (`CommandRun`) knows its stages by this class only, and asks each of them at the points below. Most commands have
/// no stage. What a stage does not override changes nothing. All but `pass` return at once, so a command that waits has no
/// frame for them.
class CommandStage {
    /// The command, which owns the stage.
    unowned let run: CommandRun

    init(of run: CommandRun) { self.run = run }

    // MARK: Before an attempt

    /// Begins an attempt, before the command passes any gate.
    ///
    /// - Returns: a response for which nothing has to be sent; nil if the command goes on.
    func begin(to server: ServerAddress) -> ReceivedResponse? { nil }

    /// Gets ready for its own gate. Returns a failure if the command can't be sent.
    func prepare() -> FailedAttempt? { nil }

    /// Whether the command may go without waiting at the gate of this stage.
    ///
    /// - Parameter isInTurn: whether it has waited there already, so that those who wait do not go before it.
    func isOpen(isInTurn: Bool) -> Bool { true }

    /// Waits at the gate of this stage. Nil if the command may ask again.
    func pass() async -> FailedAttempt? { nil }

    /// What bounds the requests beside which the attempt is made; nil for the limit of its host.
    var limiter: ConcurrencyLimiter? { nil }

    // MARK: At an attempt

    /// Looks once more when everything is ready to be sent.
    ///
    /// - Returns: a response in place of one of the server; nil if the request has to be sent.
    func respondInstead() -> ReceivedResponse? { nil }

    /// Adds to a request that is sent now.
    func amend(_ request: AssembledRequest) {}

    /// What sends the request; nil for the dispatcher's transport.
    ///
    /// - Parameter end: when the time of the attempt is over.
    func transport(until end: Duration) -> (any Transport)? { nil }

    /// Lends its part of a request that is made for equal reads, too.
    func lend(to attempt: SharedAttempt) {}

    /// Takes a part in a request that is made for equal reads.
    func join(_ attempt: SharedAttempt) {}

    // MARK: After an attempt

    /// Takes a response that has arrived.
    ///
    /// - Returns: the one that the command reads; nil if the request has to be sent once more.
    func take(_ received: ReceivedResponse) -> ReceivedResponse? { received }

    /// Ends an attempt. Returns a failure that comes before whatever the attempt has brought.
    func end() -> FailedAttempt? { nil }

    /// Notes that a response of the server was read as a success.
    func keep(_ received: ReceivedResponse) {}

    /// Notes that a response is a failure.
    func refuse(_ received: ReceivedResponse) {}

    // MARK: What comes next

    /// Adds what bears on the decision about a failure.
    func add(to facts: inout CommandFacts) {}

    /// Responds with what `add` has found in place of a failure.
    func respond(with stored: StoredResponse, _ basis: CacheHit.Basis) -> ReceivedResponse? { nil }

    /// Why the cache has given the response; nil for a response of the server.
    var hit: CacheHit? { nil }

    // MARK: The end of the command

    /// Notes that the command is done.
    func succeed() {}

    /// Notes that the command ends, and that the server may have carried it out or not.
    func endUnconfirmed() {}

    /// Notes that a login has ended.
    ///
    /// - Parameter access: its token, which the session has now; nil if it has failed.
    func endLogin(_ access: String?) {}
}

extension CommandRun {
    /// The stages that a command has from its beginning.
    @inline(never)
    func makeStages() -> [CommandStage] {
        // A carrier makes its attempts without a cache and without a connection.
        if case .carried(let carrier, _) = role { return [CarrierStage(of: self, carrier)] }
        var stages: [CommandStage] = []
        if endpoint.cache != nil, role.isCacheable { stages.append(CacheStage(of: self)) }
        if endpoint.frame != nil { stages.append(ConnectionStage(of: self)) }
        return stages
    }

    /// The first answer that a stage has.
    @inline(__always)
    func askStages<Answer>(_ ask: (CommandStage) -> Answer?) -> Answer? {
        for stage in stages {
            if let answer = ask(stage) { return answer }
        }
        return nil
    }

    /// Why the cache has given the response; nil for a response of the server.
    var hit: CacheHit? { askStages { $0.hit } }

    /// Notes that a login has ended.
    func endLogin(_ access: String?) { for stage in stages { stage.endLogin(access) } }
}
