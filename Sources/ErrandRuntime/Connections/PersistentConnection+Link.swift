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
        guard let (opening, access) = makeHandshake() else {
            return fail(number, TransportFault(.lost, evidence: .notSent))
        }
        do throws(OpeningFault) {
            let link = ConnectionLink(number, try await surroundings.transport.open(opening))
            let isWanted = core.withLock { core in
                guard case .opening(number, _) = core.machine.phase else { return false }
                (core.link, core.opener, core.lastFault, core.refusal) = (link, nil, nil, nil)
                return true
            }
            // It came too late.
            guard isWanted else { return await link.connection.close(.normal) }
            report(.opened(after: environment.time.now - start))
            handle(.opened(number, access))
            link.keep(environment.startDetached { await self.read(link) })
            link.keep(environment.startDetached { await self.write(link) })
        } catch {
            switch error {
            case .failed(let fault): fail(number, fault)
            case .refused(let response): fail(number, response)
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
    private func fail(_ number: Int, _ response: TransportResponse) {
        let token = service.session != nil && response.status == 401 ? token : nil
        core.withLock { core in
            guard case .opening(number, _) = core.machine.phase else { return }
            if let token { core.refusedToken = token }
            (core.opener, core.refusal) = (nil, response)
            core.lastFault = TransportFault(.refused, evidence: .notSent)
        }
        report(.openingFailed(.refused, status: response.status))
        let pause = RequestedPause.duration(
            status: response.status, response.headers, service.rateLimit, now: environment.wallTime)
        handle(.openingFailed(number, .refused, retryAfter: pause))
    }

    /// The handshake, with the contract's common headers and parameters, and with the session's token where that is its place; nil if
    /// no client is left, or if a value cannot be sent.
    private func makeHandshake() -> (ConnectionOpening, ConnectionAccess)? {
        guard let route = core.withLock({ $0.route }) else { return nil }
        var encoder = RequestEncoder(
            method: .get, base: url, isSigned: false, wallTime: environment.wallTime(), chance: environment.chance)
        if let common = route.common { common(&encoder) }
        let token = token
        // A login needs a connection, too.
        let isRefused = token != nil && core.withLock { $0.refusedToken } == token
        var access = ConnectionAccess.complete
        if let placement = service.session {
            if let token, !isRefused { encoder.add(token, at: placement) } else { access = .anonymous }
        } else if service.attach != nil {
            access = token == nil ? .anonymous : .pending
        }
        guard let (target, headers) = encoder.finishHandshake() else { return nil }
        return (
            ConnectionOpening(
                url: target, headers: headers, subprotocol: rules.subprotocol,
                timeout: core.withLock { $0.machine.rules.openingTime },
                maximumMessageSize: surroundings.maximumMessageSize), access
        )
    }

    /// The access token of the login that the connection belongs to; nil without one.
    var token: String? {
        guard let epoch, let grant = core.withLock({ $0.session })?.currentGrant, grant.epoch == epoch else {
            return nil
        }
        return grant.tokens?.access
    }

    // MARK: Writing and reading

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

    private func read(_ link: ConnectionLink) async {
        while true {
            await link.waitToRead()
            if Task.isCancelled { return }
            do throws(TransportFault) {
                switch try await link.connection.receive() {
                case .text(let message): receive(message, on: link)
                case .binary: handle(.stray(link.number))
                case .pong: handle(.pong(link.number))
                case .closed(let code): return end(link, .closed(code))
                }
            } catch {
                return end(link, .fault(error.kind))
            }
        }
    }

    /// Finds out where a message belongs.
    private func receive(_ message: [UInt8], on link: ConnectionLink) {
        let frame: Frame
        do throws(FrameError) {
            frame = try format.read(message, limit: surroundings.maximumMessageSize)
        } catch {
            return handle(.stray(link.number))
        }
        let payload = frame.payload.map { message[$0] } ?? []
        let arrival = Arrival(frame: frame, payload: payload, size: message.count)
        guard let correlation = frame.correlation else { return handle(.notice(link.number), arrival) }
        step { core, now in
            guard core.link === link else { return }
            let isLast: Bool
            if let pending = core.requests[correlation]?.pending, pending.replies == .many {
                isLast = pending.meaning(of: frame.kind, failure: rules.failure) != .reply
            } else {
                isLast = true
            }
            core.handle(
                .reply(correlation, isLast: isLast, size: message.count, link.number), arrival, at: now, self)
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
            for outgoing in [unsent].compactMap({ $0 }) + rest {
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
        link.keep(environment.startDetached { await self.runPresentation(on: link) })
    }

    func refusePresentation(_ link: ConnectionLink, _ fault: TransportFault?) {
        core.withLock { $0.unpresented = fault }
        handle(.presentationRefused(link.number))
    }

    /// A login over this connection has ended. If its token is the session's now, the server knows it already.
    ///
    /// - Parameters:
    ///   - number: on which connection the server has replied.
    ///   - access: the login's token.
    func finishLogin(on number: Int, _ access: String?) {
        let isPresented = access != nil && token == access
        let link = core.withLock { core -> ConnectionLink? in
            guard core.login == number else { return nil }
            core.login = nil
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

/// How the presentation of a token has ended.
enum PresentationEnd: Sendable {
    case accepted
    /// The server does not take the token: the fault of what waits for it.
    case refused(TransportFault)
    /// No reply said anything about the token.
    case failed(TransportFault.Kind)
}
