import BankClient
import ErrandRuntime
import ErrandTesting
import TestSeeds
import Testing
import VideoClient

@testable import ErrandUI

/// The network and a host, as a screen observes them.
@Suite(.timeLimit(.minutes(1))) @MainActor struct StatusModelTests {
    /// A network that counts who follows it.
    private final class CountedNetwork: PathMonitor {
        let script: ScriptedPathMonitor
        private let followers = LockedState { 0 }

        init(_ path: NetworkPath) { script = ScriptedPathMonitor(path) }

        var count: Int { followers.withLock { $0 } }
        var current: NetworkPath { script.current }

        func paths() -> AsyncStream<NetworkPath> {
            followers.withLock { $0 += 1 }
            let paths = script.paths()
            let (stream, continuation) = AsyncStream.makeStream(of: NetworkPath.self)
            let task = Task { for await path in paths { continuation.yield(path) } }
            continuation.onTermination = { [followers] _ in
                task.cancel()
                followers.withLock { $0 -= 1 }
            }
            return stream
        }
    }

    private let train = NetworkPath(isSatisfied: true, kind: .cellular, isExpensive: true, isConstrained: true)

    private func makeDispatcher(_ network: some PathMonitor) -> Dispatcher {
        Dispatcher(transport: ScriptedTransport { _, _ in .json("{}") }, network: network)
    }

    // MARK: The network

    @Test func theNetworkIsAsItIsAtTheFirstLook() async {
        let network = ScriptedPathMonitor(.unsatisfied)
        let model = NetworkStatusModel(makeDispatcher(network))
        network.change(to: train)
        #expect(model.path == train, "a change before the first look is missed")
        let home = NetworkPath(isSatisfied: true, kind: .wiFi)
        network.change(to: home)
        await becomes { model.path == home }
        network.goAway()
        await becomes { !model.isAvailable }
        network.change(to: train)
        await becomes { model.path.kind == .cellular && model.path.isConstrained && model.path.isExpensive }
    }

    /// `network: unmetered` of the contract.
    @Test func aCommandMayNeedAnotherNetwork() {
        let video = Video(on: makeDispatcher(ScriptedPathMonitor(train)))
        let model = NetworkStatusModel(video)
        #expect(model.isAvailable && model.isAvailable(for: Video.GetFeed.self))
        #expect(!model.isAvailable(for: Video.PreloadVideo.self))
    }

    @Test func aNetworkThatStaysTheSameDrawsNothing() async {
        let network = ScriptedPathMonitor(train)
        let model = NetworkStatusModel(makeDispatcher(network))
        let drawings = Drawings { "\(model.path.kind)" }
        for _ in 1...5 { network.change(to: train) }
        network.goAway()
        await until { drawings.all.count > 1 }
        #expect(drawings.all == ["cellular", "other"])
    }

    @Test func theModelIsNotKeptByWhatItFollows() async {
        let network = CountedNetwork(.satisfied)
        let dispatcher = makeDispatcher(network)
        await until { network.count == 1 }
        weak var released: NetworkStatusModel?
        do {
            let unread = NetworkStatusModel(dispatcher)
            let model = NetworkStatusModel(dispatcher)
            released = model
            #expect(network.count == 1, "SwiftUI makes a model for each view that it makes, and drops it")
            _ = (model.path, model.isAvailable, unread)
            #expect(network.count == 2, "it is followed once")
        }
        await until { network.count == 1 }
        #expect(network.count == 1, "the network is followed for a model that is gone")
        #expect(released == nil)
    }

    /// However many changes come, and whenever the screen looks: at the end it shows the network as it is.
    @Test func theLastChangeIsShown() async {
        let seed = TestSeeds.SeededGenerator.newSeed()
        var chance = TestSeeds.SeededGenerator(seed: seed)
        for _ in 1...50 {
            let network = ScriptedPathMonitor(.unsatisfied)
            let model = NetworkStatusModel(makeDispatcher(network))
            for _ in 0...chance.below(20) {
                let kind = NetworkPath.Kind.allCases[chance.below(4)]
                network.change(to: NetworkPath(isSatisfied: chance.below(3) > 0, kind: kind))
                if chance.below(3) == 0 { _ = model.path }
                if chance.below(3) == 0 { await Task.yield() }
            }
            // One that was not there before, so that it is not taken for an earlier one.
            network.change(to: train)
            await until { model.path == train }
            for _ in 1...5 { await Task.yield() }
            #expect(model.path == train, "ERRAND_SEED=\(seed) repeats it")
        }
    }

    // MARK: A host

    /// A bank that is down, or one of whose endpoints is.
    private struct Service: Sendable {
        var isDown = false
        var isTransferDown = false
        var isTransferRefused = false
    }

    private let service = LockedState<Service> { Service() }

    private func makeBank(_ presenter: ErrorPresenter) async -> Bank {
        let transport = ScriptedTransport { [service] (request, _) async throws(TransportFault) in
            let state = service.withLock { $0 }
            if state.isDown { throw TransportFault(.refused, evidence: .notSent) }
            if request.url.hasSuffix("/transfers"), state.isTransferDown {
                return .json(#"{"error":{}}"#, status: 503)
            }
            if request.url.hasSuffix("/transfers"), state.isTransferRefused {
                return .json(#"{"error":{}}"#, status: 418)
            }
            return .json(
                request.method == .get
                    ? #"{"data":[]}"# : #"{"data":{"fromAccount":1,"toAccount":5,"amount":5,"confirmation":7}}"#)
        }
        let settings = DispatcherSettings(retry: RetryRule(attempts: 1))
        let bank = Bank(on: Dispatcher(transport: transport, responder: presenter, settings: settings))
        await bank.binding.session.begin(SessionTokens(access: "t"))
        return bank
    }

    @Test func aHostIsInAnIncidentUntilItResponds() async {
        let presenter = ErrorPresenter()
        let window = presenter.attach()
        let bank = await makeBank(presenter)
        let early = HostStatusModel(bank)
        #expect(early.isAvailable && early.incident == nil)
        service.withLock { $0.isDown = true }
        let waiting = Task { _ = await bank.result(of: Bank.ListAccounts()) }
        await becomes { !early.isAvailable }
        // One that comes later begins with the incident that there is.
        let late = HostStatusModel(bank)
        #expect(!late.isAvailable && late.incident?.name == "unreachable")
        #expect(!late.isAvailable(for: Bank.TransferFunds.self))
        service.withLock { $0.isDown = false }
        #expect(await bank.result(of: Bank.ListAccounts()).isSuccess)
        await becomes { early.isAvailable && late.incident == nil }
        await end(of: waiting)
        #expect(window.state.presentation == nil)
    }

    @Test func onlyTheAffectedEndpointIsDisabled() async {
        let presenter = ErrorPresenter()
        let window = presenter.attach()
        let bank = await makeBank(presenter)
        #expect(await bank.result(of: Bank.ListAccounts()).isSuccess)
        service.withLock { $0.isTransferDown = true }
        let model = HostStatusModel(bank)
        let transfer = Task { _ = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5)) }
        await becomes { model.incident != nil }
        #expect(model.isAvailable && model.isAvailable(for: Bank.ListAccounts.self))
        #expect(!model.isAvailable(for: Bank.TransferFunds.self))
        // A person who closes it can try again: no command would find out that the host responds.
        await until { window.state.presentation != nil }
        if let id = window.state.presentation?.id { window.choose(.dismiss, of: id) }
        await becomes { model.isAvailable(for: Bank.TransferFunds.self) }
        await end(of: transfer)
    }

    /// With a refusal, the host does respond. Neither does an error of the app say anything about it.
    @Test func aRefusalIsNotAnIncidentOfTheHost() async {
        let presenter = ErrorPresenter()
        let window = presenter.attach()
        let bank = await makeBank(presenter)
        service.withLock { $0.isTransferRefused = true }
        let model = HostStatusModel(bank)
        let drawings = Drawings { "\(model.isAvailable(for: Bank.TransferFunds.self))" }
        let transfer = Task { _ = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5)) }
        await until { window.state.presentation?.name == "rejected" }
        #expect(window.state.presentation != nil && model.incident == nil)
        if let id = window.state.presentation?.id { window.choose(.dismiss, of: id) }
        await end(of: transfer)
        #expect(drawings.all == ["true"])
    }

    @Test func anotherHostIsAnotherMatter() async {
        let presenter = ErrorPresenter()
        let window = presenter.attach()
        let bank = await makeBank(presenter)
        let other = Bank(.local(), on: bank.binding.dispatcher)
        let models = [HostStatusModel(bank), HostStatusModel(other)]
        service.withLock { $0.isDown = true }
        let waiting = Task { _ = await bank.result(of: Bank.ListAccounts()) }
        await becomes { !models[0].isAvailable }
        #expect(models[1].isAvailable)
        let nowhere = HostStatusModel(Bank(Bank.Server(url: "nowhere"), on: bank.binding.dispatcher))
        #expect(nowhere.isAvailable && nowhere.incident == nil)
        await until { window.state.presentation != nil }
        waiting.cancel()
        await end(of: waiting)
        await becomes { models[0].isAvailable }
    }

    /// `server` of the contract sends uploads to another origin.
    @Test func eachOriginOfAServerIsAHost() async {
        let presenter = ErrorPresenter()
        let window = presenter.attach()
        let transport = ScriptedTransport { [service] (request, _) async throws(TransportFault) in
            if request.url.hasPrefix("https://upload.example"), service.withLock({ $0.isDown }) {
                throw TransportFault(.refused, evidence: .notSent)
            }
            return .json("")
        }
        let settings = DispatcherSettings(retry: RetryRule(attempts: 1))
        let gallery = Gallery(on: Dispatcher(transport: transport, responder: presenter, settings: settings))
        let model = HostStatusModel(gallery)
        #expect(model.incident == nil && model.isAvailable(for: Gallery.Upload.self))
        service.withLock { $0.isDown = true }
        let waiting = Task { _ = await gallery.result(of: Gallery.Upload()) }
        await becomes { !model.isAvailable(for: Gallery.Upload.self) }
        #expect(model.isAvailable && model.isAvailable(for: Gallery.List.self))
        #expect(model.incident?.name == "unreachable")
        await until { window.state.presentation != nil }
        waiting.cancel()
        await end(of: waiting)
        await becomes { model.incident == nil }
    }

    @Test func theHostsModelIsNotKeptByWhatItFollows() async {
        let presenter = ErrorPresenter()
        let bank = await makeBank(presenter)
        weak var released: HostStatusModel?
        do {
            let model = HostStatusModel(bank)
            released = model
            _ = model.incident
            await Task.yield()
        }
        await until { released == nil }
        #expect(released == nil)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// A service with another origin for uploads, by hand.
private struct Gallery: ServiceClient {
    var binding: ServiceBinding

    init(on dispatcher: Dispatcher) {
        binding = ServiceBinding(
            Self.service, server: "https://home.example", roles: ["upload": "https://upload.example"],
            on: dispatcher, session: Session())
    }

    static let service = ServiceDescription(name: "Gallery", version: "1")

    enum Failure: CommandFailure {
        case fault(CommandFault)

        init(_ fault: CommandFault) { self = .fault(fault) }
        init?(declared error: DeclaredName, _ match: ErrorMatch) { return nil }

        var context: FailureContext {
            switch self {
            case .fault(let fault): fault.context
            }
        }
    }

    struct List: ErrandRuntime.Command {
        typealias Service = Gallery
        typealias Failure = Gallery.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(service, "list", .get, effect: .read, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
    struct Upload: ErrandRuntime.Command {
        typealias Service = Gallery
        typealias Failure = Gallery.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            service, "upload", .get, effect: .read, server: ServerRole("upload"), response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
}
