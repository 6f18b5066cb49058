import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What happens between opening a connection and its end.

extension PersistentConnection {
    // MARK: Opening

    func open(_ number: Int, isRepetition: Bool) {
        if isRepetition, !surroundings.budget.withdraw(for: origin) {
            return handle(.openingFailed(number, .overBudget, retryAfter: nil))
        }
        let task = environment.startDetached { await self.runOpening(number) }
        core.withLock { core in
            if case .opening(number, _) = core.machine.phase { core.opener = (number, task) }
        }
    }

    private func runOpening(_ number: Int) async {
        let start = environment.time.now
        guard let (opening, access, sent) = makeHandshake() else {
            return fail(number, TransportFault(.lost, evidence: .notSent))
        }
        do throws(OpeningFault) {
            let link = ConnectionLink(number, try await surroundings.transport.openPinned(opening))
            let isWanted = core.withLock { core in
                guard case .opening(number, _) = core.machine.phase else { return false }
                (core.link, core.opener, core.lastFault, core.refusal) = (link, nil, nil, nil)
                if access == .complete { (core.renewals, core.presented) = (0, sent?.generation) }
                return true
            }
            // It came too late.
            guard isWanted else { return await link.connection.close(.normal) }
            report(.opened(after: environment.time.now - start))
            handle(.opened(number, access))
            link.keep(environment.startDetached { await self.write(link) }, for: .writing)
            listen(to: link)
            // The session may have got its tokens meanwhile.
            presentToFollowers()
        } catch {
            switch error {
            case .failed(let fault): fail(number, fault)
            case .refused(let response): fail(number, response, sent?.tokens?.access)
            }
        }
    }

    private func fail(_ number: Int, _ fault: TransportFault) {
        let isCurrent = core.withLock { core in
            guard case .opening(number, _) = core.machine.phase else { return false }
            (core.opener, core.lastFault, core.refusal) = (nil, fault, nil)
            return true
        }
        // It was given up before.
        guard isCurrent else { return }
        report(.openingFailed(fault.kind, status: nil))
        handle(.openingFailed(number, .fault(fault.kind), retryAfter: nil))
    }

    /// Notes that the server has refused the handshake.
    ///
    /// - Parameter sent: the token that the handshake had. The session may have another one by now.
    private func fail(_ number: Int, _ response: TransportResponse, _ sent: String?) {
        // The success of another request says nothing about the commands.
        if (200..<300).contains(response.status) {
            return fail(number, TransportFault(.unreadable, evidence: .notSent))
        }
        let refused = response.status == 401 ? sent : nil
        core.withLock { core in
            guard case .opening(number, _) = core.machine.phase else { return }
            if let refused { core.refusedToken = refused }
            (core.opener, core.refusal) = (nil, response)
            core.lastFault = TransportFault(.refused, evidence: .notSent)
        }
        if refused != nil { askForToken() }
        report(.openingFailed(.refused, status: response.status))
        let pause = RequestedPause.duration(
            status: response.status, response.headers, service.rateLimit, now: environment.wallTime)
        handle(.openingFailed(number, .refused, retryAfter: pause))
    }

    /// The handshake, with the contract's common headers and parameters, and with the session's token where that is its place, and the
    /// grant of that token; nil if no client is left, or if a value cannot be sent.
    private func makeHandshake() -> (ConnectionOpening, ConnectionAccess, sent: SessionSnapshot?)? {
        guard let route = core.withLock({ $0.route }) else { return nil }
        var encoder = RequestEncoder(
            method: .get, base: url, isSigned: false, wallTime: environment.wallTime(), chance: environment.chance)
        if let common = route.common { common(&encoder) }
        let grant = grant
        let token = grant?.tokens?.access
        // A login needs a connection, too.
        let isRefused = token != nil && core.withLock { $0.refusedToken } == token
        var access = ConnectionAccess.complete
        var sent: SessionSnapshot?
        if let placement = service.session {
            if let token, !isRefused {
                encoder.add(token, at: placement)
                sent = grant
            } else {
                access = .anonymous
            }
        } else if service.attach != nil {
            access = token == nil ? .anonymous : .pending
        }
        guard let (target, headers) = encoder.finishHandshake() else { return nil }
        var opening = ConnectionOpening(
            url: target, headers: headers, subprotocol: rules.subprotocol,
            timeout: core.withLock { $0.machine.rules.openingTime },
            maximumMessageSize: surroundings.maximumMessageSize)
        if let pins, pins.apply(at: environment.wallTime()) { opening.pins = pins }
        return (opening, access, sent)
    }

    /// The session as it is, while it is of the login that the connection belongs to.
    var grant: SessionSnapshot? { core.withLock({ $0.session }).flatMap(grant(of:)) }

    private func grant(of session: Session) -> SessionSnapshot? {
        guard let epoch else { return nil }
        let grant = session.currentGrant
        return grant.epoch == epoch ? grant : nil
    }

    /// The access token of the login that the connection belongs to, under the lock; nil without one.
    private func token(_ core: borrowing Core) -> String? { core.session.flatMap(grant(of:))?.tokens?.access }

    // MARK: Writing and reading

    /// How many messages are taken in one step, and about how many bytes of them. A step holds up all commands of the connection.
    private static let maximumArrivals = 256
    private static let maximumArrivingSize = 64 << 10
    /// How many actions may wait before nothing more is read.
    private static let maximumBacklog = 1_024
    /// The same for the bytes of what has arrived.
    private static let maximumBacklogSize = 1 << 20

    private func write(_ link: ConnectionLink) async {
        while let outgoing = await link.takeOutgoing() {
            do throws(TransportFault) {
                try await link.connection.send(outgoing.message)
            } catch {
                return end(link, .fault(error.kind), unsent: error.evidence == .notSent ? outgoing : nil)
            }
            if let correlation = outgoing.correlation { handle(.written(correlation, link.number)) }
        }
    }

    /// Takes what has arrived, and has the transport say when more arrives. Its own thread then handles that: a task that waits for
    /// messages would cost a change of threads for each of them. Only a transport that says nothing, and the end of a connection, need
    /// a task.
    private func listen(to link: ConnectionLink) {
        let goOn: @Sendable () -> Void = { [weak self, weak link] in
            if let self, let link { listen(to: link) }
        }
        while !link.isClosed, link.mayRead(orLater: goOn) {
            if let first = link.connection.receiveAtOnce() {
                if let code = receive(startingWith: first, on: link) { return end(link, .closed(code)) }
                if isBehind(orLater: goOn) { return }
                continue
            }
            switch link.connection.notify(goOn) {
            case .set: return
            case .arrived: break
            case .unavailable: return link.keep(environment.startDetached { await self.read(link) }, for: .reading)
            }
        }
    }

    private func read(_ link: ConnectionLink) async {
        while true {
            await link.waitToRead()
            if Task.isCancelled { return }
            do throws(TransportFault) {
                let first = try await link.connection.receive()
                if let code = receive(startingWith: first, on: link) { return end(link, .closed(code)) }
            } catch {
                return end(link, .fault(error.kind))
            }
            let caughtUp = Suspension<Void>()
            if isBehind(orLater: { caughtUp.end(()) }) { await caughtUp.value(ifCancelled: ()) }
        }
    }

    /// Whether more was read than is being done, so that the server has to wait.
    private func isBehind(orLater goOn: @escaping @Sendable () -> Void) -> Bool {
        core.withLock { core in
            let isFull =
                max(core.actions.count, core.backlog.count) >= Self.maximumBacklog
                || core.backlog.size >= Self.maximumBacklogSize
            guard core.isPumping, isFull else { return false }
            core.reader = goOn
            return true
        }
    }

    /// Takes what has arrived together, in one step. Many small messages may come at once, and each step has a price.
    ///
    /// - Returns: the code with which the server has closed the connection; nil if it is open.
    private func receive(startingWith first: ReceivedMessage, on link: ConnectionLink) -> CloseCode? {
        var arrivals: [Arrival] = []
        var (next, size) = (Optional(first), 0)
        var code: CloseCode?
        while let message = next {
            switch message {
            case .text(let text):
                arrivals.append(arrival(of: text))
                size += text.count
            case .binary: arrivals.append(.stray)
            case .pong: arrivals.append(.pong)
            case .closed(let closed): code = closed
            }
            let isFull = arrivals.count >= Self.maximumArrivals || size >= Self.maximumArrivingSize
            next = isFull || code != nil ? nil : link.connection.receiveAtOnce()
        }
        guard !arrivals.isEmpty else { return code }
        let bytes = link.connection.receivedByteCount
        step { core, now in
            for arrival in arrivals where core.link === link { core.receive(arrival, link.number, at: now, self) }
            if core.link === link { core.handle(.received(link.number, bytes: bytes), nil, at: now, self) }
        }
        return code
    }

    /// Finds out what a text is.
    private func arrival(of message: [UInt8]) -> Arrival {
        do throws(FrameError) {
            let frame = try format.read(message, limit: surroundings.maximumMessageSize)
            return .frame(
                ArrivedFrame(
                    frame: frame, payload: frame.payload.map { message[$0] } ?? [], size: message.count))
        } catch {
            return .stray
        }
    }

    // MARK: The end

    /// The connection has ended by itself.
    ///
    /// - Parameter unsent: a message that the transport has refused without sending any of it.
    func end(_ link: ConnectionLink, _ failure: ConnectionFailure, unsent: ConnectionLink.Outgoing? = nil) {
        guard let rest = link.close() else { return }
        let now = environment.time.now
        let work = core.withLock { core in
            guard core.link === link else { return Work() }
            for outgoing in [unsent].compactMap({ $0 }) + rest + core.takeBack(from: link) {
                guard let correlation = outgoing.correlation else { continue }
                core.requests[correlation]?.message = outgoing.message
                core.handle(.unwritten(correlation, link.number), nil, at: now, self)
            }
            core.noteGone()
            core.handle(.closed(link.number, failure), nil, at: now, self)
            return core.takeWork()
        }
        switch failure {
        case .closed(let code): report(.closed(code))
        case .fault(let kind): report(.lost(kind))
        default: break
        }
        _ = environment.startDetached { await link.connection.close(.goingAway) }
        carryOut(work)
    }

    func close(_ link: ConnectionLink, _ code: CloseCode) {
        guard link.close() != nil else { return }
        report(.ended(code))
        _ = environment.startDetached { await link.connection.close(code) }
    }

    /// Closes it for good. Its requests end.
    func shutDown() { handle(.finish) }

    // MARK: The session's token

    func present(on link: ConnectionLink) {
        link.keep(environment.startDetached { await self.runPresentation(on: link) }, for: .presentation)
    }

    func refusePresentation(_ link: ConnectionLink, _ fault: TransportFault?) {
        core.withLock { $0.unpresented = fault }
        handle(.presentationRefused(link.number))
        // The session may have got another token meanwhile.
        presentToFollowers()
    }

    /// Presents the session's token for followers, who send nothing that would ask for that, unless the server has refused it.
    func presentToFollowers() {
        // What follows the session hears of the end of a renewal.
        guard let session = core.withLock({ $0.session }), !session.isBeingRenewed else { return }
        step { core, now in
            // The lock is held from the question to the event: a refusal that came in between would have the same token presented again.
            guard core.followers > 0, core.route != nil, let token = token(core), core.refusedToken != token else {
                return
            }
            core.handle(.renewed, nil, at: now, self)
        }
    }

    /// Whether the server has refused the session's token. A follower who comes later has it presented once more, or asks for another.
    func hasRefusedToken(_ core: borrowing Core) -> Bool {
        guard let refused = core.refusedToken else { return false }
        return token(core) == refused
    }

    /// Presents the session's tokens for followers: a new one after the server has refused the one before, or the first.
    func watchSession() {
        guard epoch != nil, let session = core.withLock({ $0.watcher == nil ? $0.session : nil }) else { return }
        let generations = session.generations
        let watcher = environment.startDetached { [weak self] in
            for await _ in generations {
                guard let self else { return }
                presentToFollowers()
            }
        }
        let replaced = core.withLock { core -> Task<Void, Never>? in
            if core.followers == 0 || core.watcher != nil { return watcher }
            core.watcher = watcher
            return nil
        }
        replaced?.cancel()
    }

    /// A login over this connection has ended. If its token is the session's now, the server knows it already.
    ///
    /// - Parameters:
    ///   - number: on which connection the server has replied.
    ///   - access: the login's token.
    func finishLogin(on number: Int, _ access: String?) {
        let grant = grant
        let isPresented = access != nil && grant?.tokens?.access == access
        let link = core.withLock { core -> ConnectionLink? in
            guard core.login == number else { return nil }
            core.login = nil
            if isPresented { core.noteAccepted(grant) }
            defer { core.isPresentationDue = false }
            return core.isPresentationDue ? core.link : nil
        }
        if isPresented {
            handle(.loggedIn(number))
        } else if let link {
            present(on: link)
        }
    }
}
