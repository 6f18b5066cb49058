import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A clock that goes on when the test says so. Pauses between attempts take no time, and time limits do not end.
final class HandClock: Clock, Sendable {
    private let offset = LockedState<Duration> { .zero }
    var now: InstantClock.Instant { InstantClock.Instant(offset: offset.withLock { $0 }) }
    var minimumResolution: Duration { .zero }

    func advance(_ seconds: Int) { offset.withLock { $0 += .seconds(seconds) } }

    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        if deadline.offset - now.offset >= .seconds(15) { try await Task.sleep(for: .seconds(1_000)) }
    }
}

/// A client whose server answers by a script, with a clock in the test's hand.
final class CacheDesk: Sendable {
    typealias Answer = Result<TransportResponse, TransportFault>

    let clock = HandClock()
    let network: TestPathMonitor
    let log = CacheLog()
    let bank: Bank
    private let transport: ScriptedTransport
    private let answers: LockedState<[@Sendable (TransportRequest) async -> Answer]>

    init(
        settings: DispatcherSettings = DispatcherSettings(), interceptors: [any Interceptor] = [],
        isWatched: Bool = true
    ) async {
        let answers = LockedState<[@Sendable (TransportRequest) async -> Answer]> { [] }
        self.answers = answers
        // By its number, because URLSession may send a request whose connection is lost a second time.
        transport = ScriptedTransport.scripted { request, number throws(TransportFault) in
            let next = answers.withLock { $0.count < number ? nil : $0[number - 1] }
            guard let next else { return .json(599, "", ["X": "the script is at its end"]) }
            return try await next(request).get()
        }
        network = TestPathMonitor(ConnectivityTests.wiFi)
        let environment = DispatcherEnvironment(
            clock: clock, wallTime: { Date(timeIntervalSince1970: 1_767_225_600) }, generator: SeededGenerator(seed: 7))
        let path: any PathMonitor = isWatched ? network : AlwaysSatisfiedPath()
        bank = Bank(
            on: Dispatcher(
                transport: transport, network: path, interceptors: interceptors, observers: [log], settings: settings,
                environment: environment),
            session: Session())
        await login("ada")
    }

    func login(_ name: String) async {
        await bank.binding.session.begin(SessionTokens(access: "token of \(name)", identity: name))
    }

    /// Takes the network away, and waits until the dispatcher knows it.
    func loseNetwork() async {
        network.become(.unsatisfied)
        await until { !bank.binding.dispatcher.connectivity.path.isSatisfied }
    }

    var cache: HTTPCache { bank.binding.dispatcher.cache }
    var requests: [TransportRequest] { transport.requests }

    func answer(_ status: Int = 200, _ text: String = "", _ headers: HTTPHeaders = [:]) {
        answers.withLock { $0.append { _ in .success(.json(status, text, headers)) } }
    }

    func fail(_ kind: TransportFault.Kind, _ evidence: Evidence = .notSent, isStale: Bool = false) {
        answers.withLock {
            $0.append { _ in .failure(TransportFault(kind, evidence: evidence, isStaleConnection: isStale)) }
        }
    }

    func answer(_ body: @escaping @Sendable (TransportRequest) async -> Answer) {
        answers.withLock { $0.append(body) }
    }

    /// Reads, and tells the value with its age and the reason why the cache has given it: `1, fresh 10`.
    func read(_ options: (inout CommandOptions) -> Void = { _ in }) async -> String {
        await Self.told(bank.with(options), Look())
    }

    /// Expects what a read tells.
    func expect(
        _ wanted: String, at place: SourceLocation = #_sourceLocation,
        _ options: (inout CommandOptions) -> Void = { _ in }
    ) async {
        let told = await read(options)
        #expect(told == wanted, sourceLocation: place)
    }

    static func told<C: Command>(_ bank: Bank, _ command: C) async -> String
    where C.Service == Bank, C.Response == Int {
        do {
            let reply = try await bank.reply(to: command)
            return "\(reply.value)"
                + (reply.cached.map { ", \($0.basis.rawValue) \($0.age.components.seconds)" } ?? "")
        } catch {
            return "\(error.context.name)"
        }
    }
}

/// What observers hear of attempts and ends.
final class CacheLog: CommandObserver {
    private let kept = LockedState<[String]> { [] }
    var lines: [String] { kept.withLock { $0 } }

    func observe(_ event: CommandEvent) {
        let line: String? =
            switch event.kind {
            case .attemptEnded(_, let result): "\(result.status.map(String.init) ?? result.fault?.rawValue ?? "?")"
            case .settled(let end):
                switch end.result {
                case .success, .outcome: "success" + (end.cached.map { " \($0.basis.rawValue)" } ?? "")
                case .failure(let context): "failure \(context.name)"
                }
            default: nil
            }
        if let line { kept.withLock { $0.append(line) } }
    }
}

/// A read with a cache.
struct Look: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(
        Bank.service, "look", .get, effect: .read, session: .required, cache: CacheRule(offline: .seconds(60)))
    func encode(into request: inout RequestEncoder) { request.path("/looks/1") }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

/// A read with a cache that shares its requests.
struct SharedLook: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Int
    static let endpoint = EndpointDescription(
        Bank.service, "sharedLook", .get, effect: .read, session: .required, share: true, cache: CacheRule())
    func encode(into request: inout RequestEncoder) { request.path("/looks/2") }
    static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

/// A write to what `Look` reads.
struct Paint: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "paint", .put, effect: .idempotent, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) { request.path("/looks/1") }
}

/// A write to another place, which changes what `Look` reads.
struct Repaint: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "repaint", .post, effect: .once, session: .required, response: .none, clears: ["look"])
    func encode(into request: inout RequestEncoder) { request.path("/paints") }
}
