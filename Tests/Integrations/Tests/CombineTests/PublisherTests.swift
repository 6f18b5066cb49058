import BankClient
import ErrandRuntime
import ErrandTesting
import ErrandUI
import Foundation
import OpenCombine
import Testing

/// The publishers of `Sources/ErrandUI/Combine` over OpenCombine, which is Combine for other systems: the same source, with another import.
@Suite(.timeLimit(.minutes(1))) struct PublisherTests {
    private let network = ScriptedPathMonitor()
    private let isDown = LockedBox(false)

    private func makeBank(_ session: Session = Session(), responder: (any Responder)? = nil) -> Bank {
        let isDown = isDown
        let transport = ScriptedTransport { (_, _) async throws(TransportFault) in
            if isDown.value { throw TransportFault(.refused, evidence: .notSent) }
            return TransportResponse(status: 200, body: Array(#"{"data":[]}"#.utf8))
        }
        return Bank(
            on: Dispatcher(
                transport: transport, network: network, responder: responder,
                settings: DispatcherSettings(retry: RetryRule(attempts: 1))),
            session: session)
    }

    private func loggedIn() async -> Session {
        let session = Session()
        await session.begin(SessionTokens(access: "t"))
        return session
    }

    @Test func aCommandPublishesItsResponseOrItsFailure() async {
        let bank = makeBank(await loggedIn())
        let (events, report) = AsyncStream.makeStream(of: String.self)
        func follow() -> AnyCancellable {
            bank.publisher(for: Bank.ListAccounts()).sink {
                if case .failure(let failure) = $0 {
                    report.yield(failure.context.name)
                } else {
                    report.yield("finished")
                }
            } receiveValue: {
                report.yield("\($0.count) accounts")
            }
        }
        var all = events.makeAsyncIterator()
        let first = follow()
        #expect(await all.next() == "0 accounts")
        #expect(await all.next() == "finished")
        isDown.value = true
        let second = follow()
        #expect(await all.next() == "unreachable")
        withExtendedLifetime((first, second)) {}
    }

    @Test func cancellationEndsTheCommand() async {
        let bank = makeBank(await loggedIn())
        network.goAway()
        var completions = bank.binding.dispatcher.completions(of: Bank.ListAccounts.self).makeAsyncIterator()
        var incidents = bank.binding.dispatcher.incidents.makeAsyncIterator()
        let values = LockedBox(0)
        let command = bank.publisher(for: Bank.ListAccounts()).sink { _ in
            values.value += 1
        } receiveValue: { _ in
            values.value += 1
        }
        _ = await incidents.next()
        command.cancel()
        guard case .failure(let failure)? = await completions.next()?.result else { return #expect(Bool(false)) }
        #expect(failure.context.name == "cancelled" && values.value == 0)
    }

    @Test func incidentsAndPhasesArePublishedInTheirOrder() async {
        let session = Session()
        let bank = makeBank(session)
        let (events, report) = AsyncStream.makeStream(of: String.self)
        let phases = session.statePublisher.sink { report.yield("\($0)") }
        var all = events.makeAsyncIterator()
        #expect(await all.next() == "loggedOut")
        await session.begin(SessionTokens(access: "t"))
        #expect(await all.next() == "loggedIn(identity: nil)")
        let incidents = bank.binding.dispatcher.incidentPublisher.sink { event in
            switch event {
            case .opened(let incident): report.yield("opened \(incident.name)")
            case .closed: report.yield("closed")
            default: break
            }
        }
        isDown.value = true
        _ = await bank.result(of: Bank.ListAccounts())
        #expect(await all.next() == "opened unreachable")
        #expect(await all.next() == "closed")
        withExtendedLifetime((phases, incidents)) {}
    }

    /// A subscriber that demands one value gets one.
    @Test func demandIsKept() async {
        let session = Session()
        let (events, report) = AsyncStream.makeStream(of: String.self)
        let subscriber = OneAtATime { report.yield($0) }
        session.statePublisher.subscribe(subscriber)
        var all = events.makeAsyncIterator()
        #expect(await all.next() == "loggedOut")
        await session.begin(SessionTokens(access: "t"))
        await session.end()
        await session.begin(SessionTokens(access: "u"))
        #expect(subscriber.count == 1)
        subscriber.requestOne()
        #expect(await all.next() == "loggedIn(identity: nil)")
        subscriber.requestOne()
        #expect(await all.next() == "loggedOut")
        #expect(subscriber.count == 3)
        subscriber.cancel()
    }
}

/// Demands what it is told to demand.
private final class OneAtATime: Subscriber {
    typealias Input = SessionPhase
    typealias Failure = Never

    private let subscription = LockedBox<(any Subscription)?>(nil)
    private let received = LockedBox(0)
    private let report: (String) -> Void

    init(_ report: @escaping (String) -> Void) { self.report = report }

    var count: Int { received.value }

    func receive(subscription: any Subscription) {
        self.subscription.value = subscription
        subscription.request(.max(1))
    }

    func receive(_ input: SessionPhase) -> Subscribers.Demand {
        received.value += 1
        report("\(input)")
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
    func requestOne() { subscription.value?.request(.max(1)) }
    func cancel() { subscription.value?.cancel() }
}

/// A value that a lock protects.
private final class LockedBox<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value
    init(_ value: Value) { stored = value }
    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
