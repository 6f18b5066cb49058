import ErrandRuntime

/// One transport under one check: its requests, and its violations.
final class TransportTrial: Sendable {
    /// Ends a check whose remaining steps no longer apply.
    struct Abandoned: Error {}

    /// The result of a request.
    enum Outcome: Sendable, CustomStringConvertible {
        case answer(TransportResponse)
        case fault(TransportFault)
        /// The transport did not return.
        case nothing(within: Duration)

        var description: String {
            switch self {
            case .answer(let response): "a response (\(response))"
            case .fault(let fault): "a fault (\(fault))"
            case .nothing(let limit): "nothing within \(limit)"
            }
        }
    }

    let transport: any Transport
    private let notes = LockedState<[String]> { [] }
    private let servers = LockedState<[RawServer]> { [] }

    init(_ transport: any Transport) { self.transport = transport }

    var seen: [String] { notes.withLock { $0 } }

    func note(_ text: String) { notes.withLock { $0.append(text) } }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds { note(text()) }
    }

    /// A server that listens until the check is over, even if the check no longer uses it.
    ///
    /// A transport may open connections that it does not need in the end. Connections without data are neither counted nor
    /// handled.
    func serve(keepsRequests: Bool = true, _ handle: @escaping @Sendable (RawConnection, Int) -> Void) throws
        -> RawServer
    {
        let used = LockedState<Int> { 0 }
        let server = try RawServer(keepsRequests: keepsRequests) { connection, _ in
            guard connection.hearsBytes(within: 30_000) else { return }
            let number = used.withLock { used in
                used += 1
                return used
            }
            handle(connection, number)
        }
        servers.withLock { $0.append(server) }
        return server
    }

    /// A server that reads one request on each connection, writes the text, and closes.
    func serve(once text: String) throws -> RawServer {
        try serve { connection, _ in
            if connection.readRequest() != nil { connection.write(text) }
        }
    }

    /// A server that writes the text after each request.
    func serve(each text: String) throws -> RawServer {
        try serve { connection, _ in
            while connection.readRequest() != nil { connection.write(text) }
        }
    }

    // MARK: Asking

    /// Sends a request, and waits no longer than a transport may take.
    func outcome(of request: TransportRequest, within limit: Duration = .seconds(30)) async -> Outcome {
        await start(request).outcome(within: limit)
    }

    /// Sends a request, and continues without waiting.
    func start(_ request: TransportRequest) -> RunningRequest { RunningRequest(request, over: transport) }

    // MARK: Expecting

    /// The response; the check fails if the transport throws instead.
    @discardableResult
    func expectAnswer(_ outcome: Outcome, status: Int = 200, body: String? = nil) throws -> TransportResponse {
        guard case .answer(let response) = outcome else {
            note("the result was \(outcome) in place of a response")
            throw Abandoned()
        }
        expect(response.status == status, "the status was \(response.status) in place of \(status)")
        if let body {
            expect(
                response.body.elementsEqual(body.utf8),
                "the body was \(response.body.count) bytes that are not the \(body.utf8.count) of the response")
        }
        return response
    }

    /// The response to a request.
    @discardableResult
    func expectAnswer(
        to request: TransportRequest, status: Int = 200, body: String? = nil
    ) async throws -> TransportResponse {
        try expectAnswer(await outcome(of: request), status: status, body: body)
    }

    /// The fault, which must be one of these kinds, and say what is true of how far the request got.
    @discardableResult
    func expectFault(
        _ outcome: Outcome, _ kinds: Set<TransportFault.Kind>, _ evidence: Set<Evidence>
    ) throws -> TransportFault {
        guard case .fault(let fault) = outcome else {
            note("the result was \(outcome) in place of a fault")
            throw Abandoned()
        }
        expect(kinds.contains(fault.kind), "the fault was \(fault), and its kind is not one of \(Self.list(kinds))")
        expect(
            evidence.contains(fault.evidence),
            "the fault was \(fault), and its evidence is not one of \(Self.list(evidence))")
        return fault
    }

    /// The fault of a request.
    @discardableResult
    func expectFault(
        of request: TransportRequest, within limit: Duration = .seconds(30), _ kinds: Set<TransportFault.Kind>,
        _ evidence: Set<Evidence>
    ) async throws -> TransportFault {
        try expectFault(await outcome(of: request, within: limit), kinds, evidence)
    }

    private static func list<Item: RawRepresentable<String>>(_ items: Set<Item>) -> String {
        items.map(\.rawValue).sorted().joined(separator: ", ")
    }
}

extension RawServer {
    /// The address for a request over TLS.
    var secureURL: String { "https://127.0.0.1:\(port)/" }

    func get(_ path: String = "", timeout: Duration = .seconds(30)) -> TransportRequest {
        TransportRequest(method: .get, url: url + path, timeout: timeout)
    }

    /// A request that must not be repeated.
    func post(_ body: [UInt8]? = nil, at other: String? = nil, timeout: Duration = .seconds(10)) -> TransportRequest {
        TransportRequest(method: .post, url: other ?? url, body: body, timeout: timeout, isRepeatable: false)
    }
}

extension Set<Evidence> {
    /// The evidence that is true for a request that the server has read.
    static let arrived: Set<Evidence> = [.sent, .responded]
}

/// A request under way, which can be cancelled.
final class RunningRequest: Sendable {
    private struct State {
        var outcome: TransportTrial.Outcome?
        var waiting: CheckedContinuation<TransportTrial.Outcome, Never>?
    }

    private let state = LockedState<State> { State() }
    private let task: Task<Void, Never>

    init(_ request: TransportRequest, over transport: any Transport) {
        let state = state
        task = Task {
            let outcome: TransportTrial.Outcome
            do throws(TransportFault) {
                outcome = .answer(try await transport.send(request))
            } catch {
                outcome = .fault(error)
            }
            Self.settle(state, outcome)
        }
    }

    func cancel() { task.cancel() }

    /// Lets go of the outcome.
    func forget() { state.withLock { $0.outcome = .nothing(within: .zero) } }

    /// The request's result, which is asked for once. If that takes too long, the request is cancelled and abandoned.
    func outcome(within limit: Duration) async -> TransportTrial.Outcome {
        let (state, task) = (state, task)
        let watch = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            task.cancel()
            Self.settle(state, .nothing(within: limit))
        }
        defer { watch.cancel() }
        return await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiting = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    private static func settle(_ state: LockedState<State>, _ outcome: TransportTrial.Outcome) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            guard state.outcome == nil else { return state.waiting }
            state.outcome = outcome
            return state.waiting
        }
        waiting?.resume(returning: outcome)
    }
}

/// Something that happens on a server's thread and is waited for in a test.
final class Signal<Value: Sendable>: Sendable {
    private let kept = LockedState<Value?> { nil }

    var value: Value? { kept.withLock { $0 } }

    func give(_ value: Value) { kept.withLock { $0 = value } }

    /// The value, as soon as it is there; nil if it is not in time.
    func wait(within limit: Duration = .seconds(20)) async -> Value? {
        let end = ContinuousClock.now + limit
        while value == nil, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)) }
        return value
    }

    /// The same on a server's thread, which continues without the value if it doesn't arrive in time.
    func block(within limit: Duration = .seconds(20)) {
        let end = ContinuousClock.now + limit
        while value == nil, ContinuousClock.now < end { TransportConformance.pause(2) }
    }
}
