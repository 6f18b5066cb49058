import ErrandBackground
import ErrandRuntime
import ErrandTesting
import Foundation

/// The kiosk's server, which counts the requests that require a session and have no token, and what users and an app do.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class KioskWorld: Sendable {
    private struct State: Sendable {
        var chance: SeededGenerator
        var issued = 0
        var good: Set<String> = []
        /// How many requests at endpoints that require a session had a token, by the endpoint.
        var requests: [String: Int] = [:]
        /// The endpoints of those that had none.
        var nobodies: [String] = []
    }

    let simulation: Simulation
    let folder: URL
    private let state: LockedState<State>
    /// How many orders were sent again with their receipts.
    let reordered = LockedState { 0 }
    private let clients = LockedState<(kiosk: Kiosk, background: Kiosk, registry: TransferRegistry)?> { nil }

    init(_ simulation: Simulation) {
        self.simulation = simulation
        let seed = simulation.seed
        // In memory where there is such a folder: a journal forces each change to its disk.
        let memory = URL(fileURLWithPath: "/dev/shm")
        let files = FileManager.default
        folder = (files.isWritableFile(atPath: memory.path) ? memory : files.temporaryDirectory)
            .appendingPathComponent("kiosk-\(UUID().uuidString)")
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0x4B10)) }
    }

    func random(below bound: Int) -> Int { state.withLock { Int.random(in: 0..<bound, using: &$0.chance) } }
    var nobodies: [String] { state.withLock { $0.nobodies } }
    var requests: [String: Int] { state.withLock { $0.requests } }
    var kiosk: Kiosk? { clients.withLock { $0?.kiosk } }

    func pause(upTo milliseconds: Int) async { await simulation.sleep(for: .milliseconds(random(below: milliseconds))) }

    /// Makes the clients of a session: one over HTTP, and one whose commands the system carries out.
    func open(_ session: Session, settings: DispatcherSettings) -> Kiosk {
        let server = Interception { [self] (request, _) async throws(TransportFault) in try await answer(request) }
        // A response that an app does not like is asked for once more.
        let again = Interception { [self] (request, next) async throws(TransportFault) in
            let response = try await next(request)
            if response.status < 400 || random(below: 3) > 0 { return response }
            await pause(upTo: 2_000)
            return try await next(request)
        }
        let kiosk = Kiosk(
            on: simulation.makeDispatcher(
                responder: KioskScreen(world: self), interceptors: [again, server], settings: settings),
            session: session)
        let background = Kiosk(on: simulation.makeDispatcher(settings: settings), session: session)
        let carrier = KioskCarrier(self)
        let registry = TransferRegistry(folder: folder.path, carrier: carrier, acceptsOnce: true)
        carrier.registry.withLock { $0 = registry }
        clients.withLock { $0 = (kiosk, background, registry) }
        return kiosk
    }

    /// Breaks the circle of the world, its clients and their responder.
    func close() {
        clients.withLock { $0 = nil }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: The server

    /// A token that the server takes, as its login gives it. Some come without a refresh token.
    func issue() -> String {
        let mayBeRenewed = random(below: 2) == 0
        return state.withLock { state in
            state.issued += 1
            let token = "t\(state.issued)" + (mayBeRenewed ? "" : "-")
            state.good.insert(token)
            return token
        }
    }

    /// The server forgets all sessions.
    func expireAll() { state.withLock { $0.good = [] } }

    private func note(_ request: TransportRequest) -> (endpoint: EndpointDescription, isGood: Bool)? {
        guard let endpoint = request.command?.endpoint else { return nil }
        let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
        return state.withLock { state in
            if endpoint.session == .required {
                if token?.isEmpty ?? true { state.nobodies.append(endpoint.name) }
                state.requests[endpoint.name, default: 0] += 1
            }
            return (endpoint, endpoint.session != .required || token.map { state.good.contains($0) } ?? false)
        }
    }

    func answer(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard simulation.network.current.isSatisfied else { throw TransportFault(.offline, evidence: .notSent) }
        guard let (endpoint, isGood) = note(request) else { return TransportResponse(status: 404) }
        await pause(upTo: 300)
        if Task.isCancelled { throw TransportFault(.cancelled, evidence: .sent) }
        switch random(below: 16) {
        case 0, 1: throw TransportFault(.lost, evidence: .sent)
        case 2: throw TransportFault(.lost, evidence: .unprocessed)
        case 3: return TransportResponse(status: 503, headers: ["Retry-After": "\(random(below: 3))"])
        case 4: return TransportResponse(status: 401)
        default: break
        }
        if !isGood { return TransportResponse(status: 401) }
        switch endpoint.name {
        case "enter": return .json("\"\(issue())\"")
        case "renew":
            let refusals = [#"{"error":"invalid_grant"}"#, #"{"error":"invalid_client"}"#]
            let body = random(below: 3) > 0 ? nil : refusals[random(below: 2)]
            return body.map { TransportResponse(status: 400, body: Array($0.utf8)) } ?? .json("\"\(issue())\"")
        case "whoAmI": return .json(#""ada""#)
        case "walk": return .json("[1,2]")
        case "watch":
            return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], stream: events())
        case "cached", "peek": return TransportResponse(status: 200, headers: ["Cache-Control": "max-age=2"])
        case "fetch":
            return TransportResponse(
                status: 200, headers: ["Content-Length": "4", "ETag": "\"1\"", "Accept-Ranges": "bytes"],
                body: Array("data".utf8))
        default: return TransportResponse(status: 204)
        }
    }

    /// Events, until the connection is lost.
    private func events() -> StreamedBody {
        StreamedBody { [self] () async throws(TransportFault) -> [UInt8]? in
            await pause(upTo: 1_000)
            if Task.isCancelled || random(below: 3) == 0 { throw TransportFault(.lost, evidence: .sent) }
            return Array("id: 7\ndata: 1\n\n".utf8)
        }
    }

    // MARK: The app

    static let deeds = 17

    /// Does something, whether a user is logged in or not.
    func act(_ kind: Int, with client: Kiosk? = nil) async {
        guard let (kiosk, background, registry) = clients.withLock({ $0 }) else { return }
        let client = client ?? kiosk
        let id = "transfer \(random(below: 1_000_000))"
        let file = folder.appendingPathComponent("file-\(random(below: 1_000_000))")
        switch kind {
        case 0: _ = await client.result(of: Kiosk.Browse())
        case 1: _ = await client.result(of: Kiosk.Fill())
        case 2: _ = await client.result(of: Kiosk.Order())
        case 3: _ = await client.result(of: Kiosk.Buy())
        case 4: _ = await client.result(of: Kiosk.Shared())
        case 5: _ = await client.result(of: Kiosk.Cached())
        case 6: _ = await client.result(of: Kiosk.Peek())
        case 7: _ = await client.result(of: Kiosk.Pay())
        case 8: _ = await client.result(of: Kiosk.Tip())
        case 9: await walk(client)
        case 10: await watch(client)
        case 11: _ = try? await client.download(Kiosk.Fetch(), to: file).finish()
        case 12: _ = try? await background.binding.perform(Kiosk.Fill(), as: id, in: registry)
        case 13: _ = try? await background.binding.perform(Kiosk.Order(), as: id, in: registry)
        case 14: _ = await client.result(of: Kiosk.Leave())
        case 15: await orderAgain(client)
        default: _ = await client.result(of: Kiosk.Enter())
        }
    }

    /// An order whose end is unknown is sent again with its key, when another user may be there.
    private func orderAgain(_ client: Kiosk) async {
        guard case .failure(.unconfirmed(let receipt)) = await client.result(of: Kiosk.Order()) else { return }
        await pause(upTo: 10_000)
        reordered.withLock { $0 += 1 }
        _ = try? await client.send(again: receipt, as: Kiosk.Order.self)
    }

    private func walk(_ client: Kiosk) async {
        let pages = client.pages(of: Kiosk.Walk()).makeAsyncIterator()
        for _ in 1...3 {
            _ = try? await pages.next()
            await pause(upTo: 2_000)
        }
    }

    private func watch(_ client: Kiosk) async {
        var events = client.stream(Kiosk.Watch()).makeAsyncIterator()
        for _ in 1...5 {
            guard (try? await events.next()) != nil else { return }
        }
    }

    /// Users come and go, the server forgets them, and the network is away.
    func storm(_ session: Session) async {
        for _ in 0..<25 where !Task.isCancelled {
            await pause(upTo: 2_500)
            switch random(below: 8) {
            case 0: simulation.network.goAway()
            case 1, 2: simulation.network.comeBack()
            case 3: expireAll()
            case 4: await session.end()
            case 5:
                let lifetime = random(below: 2) == 0 ? 1 : nil
                await session.begin(SessionTokens(access: issue(), expiresIn: lifetime, identity: "ada"))
            case 6: await session.replaceTokens(SessionTokens(access: issue(), refresh: "refresh", identity: "ada"))
            default: await act(14)
            }
        }
        simulation.network.comeBack()
    }
}

/// The screen of the app: it sends commands of its own, and logs in, or does not.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private struct KioskScreen: Responder {
    let world: KioskWorld

    func respond(to incident: Incident) async -> IncidentAnswer {
        guard let kiosk = world.kiosk else { return .fail }
        await world.pause(upTo: 1_000)
        await world.act(world.random(below: 9))
        await world.act(world.random(below: 9), with: incident.client(kiosk))
        switch world.random(below: 4) {
        case 0: return (try? await incident.client(kiosk).send(Kiosk.Enter())) == nil ? .fail : .retry
        case 1: return .retry
        case 2: return .pass
        default: return .fail
        }
    }
}

/// Carries transfers out as the system does: the request goes to the server as it was handed over.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private final class KioskCarrier: TransferCarrier {
    let registry = LockedState<TransferRegistry?> { nil }
    private let world: KioskWorld
    private let orders = LockedState<Set<TransferName>> { [] }

    init(_ world: KioskWorld) { self.world = world }

    func start(_ order: TransferOrder) {
        orders.withLock { _ = $0.insert(order.name) }
        world.simulation.task { [self] in
            let end: TransferEnd
            do throws(TransportFault) {
                let response = try await world.answer(order.request)
                end = .response(status: response.status, response.headers)
            } catch {
                end = .fault(error.kind, error.evidence)
            }
            guard orders.withLock({ $0.remove(order.name) }) != nil else { return }
            registry.withLock { $0 }?.end(order.name, end)
        }
    }

    func cancel(_ name: TransferName) {
        guard orders.withLock({ $0.remove(name) }) != nil else { return }
        registry.withLock { $0 }?.end(name, .fault(.cancelled, .sent))
    }

    func underWay() async -> [TransferName] { orders.withLock { Array($0) } }
}
