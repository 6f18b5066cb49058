import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Cancels a command's task when the command comes to a given point, counted over everything that it
/// waits for: its transport, its pauses, its login.
private actor Trap {
    private var step = 0
    private let target: Int
    private var cancel: (@Sendable () -> Void)?
    private(set) var isSprung = false

    init(at target: Int) { self.target = target }

    func arm(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

    func pass() async {
        step += 1
        guard step == target else { return }
        await until { cancel != nil }
        isSprung = true
        cancel?()
    }
}

private struct TrapClock: Clock, Sendable {
    let trap: Trap
    private let instant = InstantClock()
    init(_ trap: Trap) { self.trap = trap }
    var now: InstantClock.Instant { instant.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        if deadline.offset < .seconds(15) { await trap.pass() }
        try await instant.sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite(.overSocketsToo) struct CancellationTests {
    /// The way of one command: a lost connection, a pause, an expired session, a login, a success.
    private func bank(_ trap: Trap) -> (Bank, ScriptedTransport) {
        let transport = ScriptedTransport.scripted { request, number throws(TransportFault) in
            await trap.pass()
            if Task.isCancelled { throw TransportFault(.lost, evidence: .sent) }
            if request.url.hasSuffix("/sessions") {
                return .json(200, #"{"data":{"token":"new"}}"#)
            }
            if number == 1 { throw TransportFault(.lost, evidence: .sent) }
            guard request.headers["Authorization"] == "Bearer new" else { return .json(401, "") }
            return .json(200, request.method == .post ? transferred : noAccounts)
        }
        let session = Session { () -> Bank.LogIn? in
            await trap.pass()
            return Bank.LogIn(user: "ada", password: "right")
        }
        let environment = DispatcherEnvironment(
            clock: TrapClock(trap), generator: SeededGenerator(seed: 3))
        let dispatcher = Dispatcher(transport: transport, environment: environment)
        return (Bank(on: dispatcher, session: session), transport)
    }

    @Test(arguments: 1...8) func aReadEndsWhereverItIsCancelled(step: Int) async throws {
        let trap = Trap(at: step)
        let (bank, _) = bank(trap)
        await bank.session.begin(SessionTokens(access: "old"))
        let task = Task { await bank.result(of: Bank.ListAccounts()) }
        await trap.arm { task.cancel() }
        switch await task.value {
        case .success: break
        case .failure(.fault(let fault)):
            #expect(fault.kind == .cancelled)
            #expect(fault.category == .nonRetryable)
            #expect(await trap.isSprung)
        case .failure(let failure): Issue.record(failure)
        }
    }

    @Test(arguments: 1...8) func aKeyedCommandMayEndUnconfirmed(step: Int) async throws {
        let trap = Trap(at: step)
        let (bank, _) = bank(trap)
        await bank.session.begin(SessionTokens(access: "old"))
        let task = Task {
            await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 3))
        }
        await trap.arm { task.cancel() }
        switch await task.value {
        case .success: break
        case .failure(.unconfirmed(let receipt)):
            #expect(receipt.cause.name == "cancelled")
            #expect(receipt.idempotencyKey != nil)
        case .failure(let failure): Issue.record(failure)
        }
    }

    @Test func aCommandCancelledBeforeItStartsSendsNothing() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, transferred) }
        let bank = Bank.scripted(transport)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 3))
        }
        task.cancel()
        guard case .failure(.shared(.fault(let fault))) = await task.value else {
            Issue.record("?")
            return
        }
        #expect(fault.kind == .cancelled)
        #expect(fault.context.applied == .never)
        #expect(transport.requests.isEmpty)
    }

    @Test func aPauseGivesItsTokenBack() async throws {
        let trap = Trap(at: 2)
        let (bank, _) = bank(trap)
        await bank.session.begin(SessionTokens(access: "old"))
        let task = Task { await bank.result(of: Bank.ListAccounts()) }
        await trap.arm { task.cancel() }
        _ = await task.value
        let host = try #require(Origin(Bank.Server.production.url))
        var left = 0
        while bank.binding.dispatcher.budget.withdraw(for: host) { left += 1 }
        #expect(left == 10)
    }

    @Test func theRenewalGoesOnForTheOthers() async throws {
        let (asking, asks) = AsyncStream.makeStream(of: Void.self)
        let (going, go) = AsyncStream.makeStream(of: Void.self)
        let session = Session { () -> Bank.LogIn? in
            asks.finish()
            for await _ in going {}
            return Bank.LogIn(user: "ada", password: "right")
        }
        let transport = ScriptedTransport.scripted { request, _ in
            .json(200, request.method == .post ? #"{"data":{"token":"new"}}"# : noAccounts)
        }
        let bank = Bank.scripted(transport, session: session)
        let first = Task { await bank.result(of: Bank.ListAccounts()) }
        for await _ in asking {}
        let second = Task { await bank.result(of: Bank.ListAccounts()) }
        first.cancel()
        guard case .failure = await first.value else {
            Issue.record("it went on")
            return
        }
        go.finish()
        guard case .success = await second.value else {
            Issue.record("it ended")
            return
        }
    }
}
