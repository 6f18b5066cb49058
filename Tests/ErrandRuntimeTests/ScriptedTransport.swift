import ErrandRuntime
import Foundation

/// Answers requests from a script, and keeps what was sent.
actor ScriptedTransport: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws(TransportFault) -> TransportResponse

    private(set) var requests: [TransportRequest] = []
    private let answer: Answer
    /// What is between the client and the script; nil for nothing.
    private let carrier: SocketCarrier?

    init(_ answer: @escaping Answer) {
        self.answer = answer
        carrier = SocketCarrier.isWanted ? try? SocketCarrier() : nil
    }

    nonisolated func send(
        _ request: TransportRequest
    ) async throws(TransportFault) -> TransportResponse {
        let number = await note(request)
        guard let carrier else { return try await answer(request, number) }
        return try await carrier.send(request, number: number) { [answer] request throws(TransportFault) in
            try await answer(request, number)
        }
    }

    private func note(_ request: TransportRequest) -> Int {
        requests.append(request)
        return requests.count
    }

    func paths() -> [String] {
        requests.map { "\($0.method.rawValue) \(URL(string: $0.url)?.path ?? "")" }
    }
}

extension TransportResponse {
    static func json(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> Self {
        TransportResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}

/// A clock on which nothing takes time but sleeping, and sleeping takes none.
final class InstantClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private actor Log {
        var sleeps: [Duration] = []
        func add(_ duration: Duration) { sleeps.append(duration) }
    }

    private let log = Log()
    /// Sleeps at least this long are those of time limits, and last for ever.
    private let forever: Duration

    init(forever: Duration = .seconds(15)) { self.forever = forever }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    var sleeps: [Duration] { get async { await log.sleeps } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if deadline.offset >= forever {
            try await Task.sleep(for: .seconds(1_000))
        } else {
            await log.add(deadline.offset)
            try Task.checkCancellation()
        }
    }
}

extension Bank {
    /// A bank whose server is a script.
    static func scripted(
        _ transport: ScriptedTransport, clock: InstantClock = InstantClock(),
        settings: DispatcherSettings = DispatcherSettings(), session: Session = Session()
    ) -> Bank {
        let environment = DispatcherEnvironment(
            clock: clock, wallTime: { Date(timeIntervalSince1970: 1_000_000) },
            generator: SeededGenerator(seed: 7))
        return Bank(
            on: Dispatcher(transport: transport, settings: settings, environment: environment),
            session: session)
    }
}

let transferred = #"{"error":null,"data":{"fromAccount":1,"toAccount":5,"amount":500.00,"confirmation":232348844}}"#
let oneAccount =
    #"{"data":[{"id":1,"owner":"Ada Owner","balance":10.5,"status":"frozen","openedAt":"2024-02-03T04:05:06Z"}]}"#
let noAccounts = #"{"data":[]}"#
