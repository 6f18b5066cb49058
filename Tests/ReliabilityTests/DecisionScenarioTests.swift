import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// The decision about a failed command, as the client reports it and the server counts it.
@Suite(.serialized) struct DecisionScenarioTests {
    /// Every status that a gateway may put in the place of the service's own response.
    static let gatewayStatuses = [400, 403, 404, 408, 413, 421, 423, 425, 431, 451]

    /// The first attempt is carried out and its response is lost, the others get a refusal, and the read that confirms fails.
    @Test(arguments: gatewayStatuses)
    func aGatewaysRefusalSettlesNoEarlierAttempt(status: Int) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("12 \(status) after an open attempt is not told as never", seeds: 5) { simulation in
            let attempts = LockedState { 0 }
            let gateway = Interception { (request, next) async throws(TransportFault) in
                guard request.endpoint == "Bank.transferFunds" || request.endpoint == "Bank.findTransfer" else {
                    return try await next(request)
                }
                if request.endpoint == "Bank.findTransfer" { throw TransportFault(.lost, evidence: .sent) }
                guard
                    attempts.withLock({
                        $0 += 1
                        return $0
                    }) == 1
                else { return .json("{}", status: status) }
                _ = try await next(request)
                throw TransportFault(.lost, evidence: .sent)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [gateway]))
            var finding = PromiseRun.Finding(cases: 1)
            let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            guard case .failure(.unconfirmed(let receipt)) = result else {
                finding.expect(false, "it ended as \(result)")
                return finding
            }
            finding.expect(receipt.context.applied == .maybe, "applied \(receipt.context.applied)")
            finding.expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 1, "not carried out once")
            return finding
        }
    }

    /// The read finds a command that was carried out, regardless of a gateway's response to the attempt.
    @Test func theReadFindsWhatWasCarriedOut() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("12 the read that confirms is asked after a gateway's refusal") { simulation in
            let attempts = LockedState { 0 }
            let gateway = Interception { (request, next) async throws(TransportFault) in
                guard request.endpoint == "Bank.transferFunds" else { return try await next(request) }
                guard
                    attempts.withLock({
                        $0 += 1
                        return $0
                    }) == 1
                else { return .json("{}", status: 403) }
                _ = try await next(request)
                throw TransportFault(.lost, evidence: .sent)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [gateway]))
            var finding = PromiseRun.Finding(cases: 1)
            let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            finding.expect((try? result.get()) != nil, "\(result)")
            return finding
        }
    }

    /// A proxy may respond with 408 after it has passed the request on. A read is repeated, a `once` command is not.
    @Test func aRequestTimeoutIsRepeatedForReadsOnly() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("3  a 408 is repeated for reads only") { simulation in
            let attempts = LockedState<[String: Int]> { [:] }
            let gateway = Interception { (request, next) async throws(TransportFault) in
                let isFirst = attempts.withLock {
                    $0[request.endpoint, default: 0] += 1
                    return $0[request.endpoint] == 1
                }
                guard isFirst, request.endpoint != "Bank.logIn" else { return try await next(request) }
                if request.endpoint == "Bank.orderCard" { _ = try await next(request) }
                return .json("", status: 408)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [gateway]))
            var finding = PromiseRun.Finding(cases: 2)
            finding.expect((try? await bank.getAccount(accountID: 1)) != nil, "the read failed")
            let order = await bank.result(of: Bank.OrderCard(accountID: 1))
            guard case .failure(.unconfirmed(let receipt)) = order else {
                finding.expect(false, "the order ended as \(order)")
                return finding
            }
            finding.expect(receipt.cause.name == "requestTimeout", receipt.cause.name)
            finding.expect(attempts.withLock { $0["Bank.orderCard"] } == 1, "the order was sent again")
            return finding
        }
    }

    /// A responder's answer is an input of the decision, and bypasses no rule.
    @Test func noAnswerOfAResponderSendsAnOnceCommandTwice() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("3  no answer sends a once command twice", seeds: 10) { simulation in
            var finding = PromiseRun.Finding()
            let answers: [IncidentAnswer] = [.retry, .fail] + ErrorCategory.allCases.map { .recategorize($0) }
            for answer in answers {
                let dispatcher = simulation.makeDispatcher(responder: SteadyResponder(answer))
                let bank = try await simulation.makeLoggedInBank(on: dispatcher)
                simulation.server.on(Bank.OrderCard.self) { _ in .json("", status: 500) }
                let before = simulation.server.received(Bank.OrderCard.self).count
                let result = await bank.result(of: Bank.OrderCard(accountID: 1))
                let sends = simulation.server.received(Bank.OrderCard.self).count - before
                finding.cases += 1
                finding.expect(sends == 1, "\(answer): \(sends) sends")
                guard case .failure(.unconfirmed) = result else {
                    finding.expect(false, "\(answer): \(result)")
                    continue
                }
            }
            return finding
        }
    }

    /// A responder that always says the same leads to a bounded number of requests and logins.
    @Test func everyLoopEnds() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13 a responder that always says the same ends nothing late", seeds: 10) { simulation in
            var finding = PromiseRun.Finding()
            let answers: [IncidentAnswer] = [.retry] + ErrorCategory.allCases.map { .recategorize($0) }
            for answer in answers {
                let dispatcher = simulation.makeDispatcher(responder: SteadyResponder(answer))
                let bank = try await simulation.makeLoggedInBank(on: dispatcher)
                simulation.server.on(Bank.GetAccount.self) { _ in .json("", status: 500) }
                let (sent, logins) = (
                    simulation.server.received(Bank.GetAccount.self).count,
                    simulation.server.received(Bank.LogIn.self).count
                )
                let result = await bank.result(of: Bank.GetAccount(accountID: 1))
                finding.cases += 1
                finding.expect((try? result.get()) == nil, "it succeeded")
                let sends = simulation.server.received(Bank.GetAccount.self).count - sent
                let renewals = simulation.server.received(Bank.LogIn.self).count - logins
                finding.expect(sends <= 42, "\(answer): \(sends) sends")
                finding.expect(renewals <= 12, "\(answer): \(renewals) logins")
            }
            return finding
        }
    }

    /// The read that confirms belongs to its command: the same deadline, and no more than the same attempts.
    @Test func aReadThatConfirmsKeepsDeadlineAndAttempts() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13 a read that confirms keeps the deadline") { simulation in
            let sends = LockedState<[String]> { [] }
            let hanging = Interception { (request, next) async throws(TransportFault) in
                if request.endpoint == "Bank.logIn" { return try await next(request) }
                sends.withLock { $0.append(request.endpoint) }
                await simulation.sleep(for: .seconds(3_600))
                throw TransportFault(.cancelled, evidence: .sent)
            }
            // One attempt of the transfer leaves the read half the time of an attempt. A read with a deadline of its own would
            // take the whole.
            let deadline = Bank.TransferFunds.endpoint.timeout * 3 / 2
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [hanging]))
                .with {
                    $0.attempts = 1
                    $0.deadline = deadline
                }
            let start = simulation.clock.now
            let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            var finding = PromiseRun.Finding(cases: 1)
            guard case .failure(.unconfirmed) = result else {
                finding.expect(false, "\(result)")
                return finding
            }
            let time = start.duration(to: simulation.clock.now)
            finding.expect(time <= deadline, "ended after \(time)")
            let sent = sends.withLock { $0 }
            finding.expect(sent == ["Bank.transferFunds", "Bank.findTransfer"], "\(sent)")
            return finding
        }
    }

    /// Otherwise a read without the header that names the tenant would find nothing, and the caller would be told a lie.
    @Test func aReadThatConfirmsHasTheCallersHeaders() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("–  a read that confirms has the caller's headers", seeds: 5) { simulation in
            let tenants = LockedState<[String: String?]> { [:] }
            let watch = Interception { (request, next) async throws(TransportFault) in
                tenants.withLock { $0[request.endpoint] = request.headers["X-Tenant"] }
                let response = try await next(request)
                guard request.endpoint == "Bank.transferFunds" else { return response }
                throw TransportFault(.lost, evidence: .sent)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [watch]))
            let tenant = bank.with { $0.headers["X-Tenant"] = "north" }
            let result = await tenant.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            var finding = PromiseRun.Finding(cases: 1)
            finding.expect((try? result.get()) != nil, "\(result)")
            let seen = tenants.withLock { $0 }
            finding.expect(seen["Bank.transferFunds"] == "north", "\(seen)")
            finding.expect(seen["Bank.findTransfer"] == "north", "\(seen)")
            return finding
        }
    }

    /// A grant is checked when the request is made: what waited for its host is not sent with a token that is known to be dead.
    @Test func whatWaitedForItsHostGoesWithTheNewToken() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("2  nothing goes out with a token that is known to be dead", seeds: 10) { simulation in
            let settings = DispatcherSettings(maximumRequestsPerHost: 4)
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(settings: settings))
            simulation.server.expireSessions()
            let results = await simulation.concurrently(300) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            var finding = PromiseRun.Finding(cases: 300)
            finding.expect(results.allSatisfy { (try? $0.get()) != nil }, "some failed")
            let refused = simulation.log.filter { $0.hasSuffix("← 401") }.count
            finding.expect(refused <= 4, "\(refused) were sent with the old session")
            return finding
        }
    }

    // MARK: Waiting

    @Test func nothingWaitsLongerThanItMay() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("13 offline, or without a login, each ends in its time") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            simulation.network.goAway()
            await simulation.sleep(for: .milliseconds(1))
            let deadline = Bank.GetAccount.endpoint.deadline
            let patience: [(WaitLimit, Duration)] = [
                (.standard, deadline), (.upTo(.zero), .zero), (.upTo(.seconds(7)), .seconds(7)),
                (.upTo(deadline * 3), deadline * 3),
            ]
            var finding = PromiseRun.Finding(cases: patience.count + 2)
            for (patience, limit) in patience {
                let start = simulation.clock.now
                let result = await bank.with { $0.patience = patience }.result(of: Bank.GetAccount(accountID: 1))
                let time = start.duration(to: simulation.clock.now)
                guard case .failure(.shared(.fault(let fault))) = result, fault.kind == .offline else {
                    finding.expect(false, "\(patience): \(result)")
                    continue
                }
                finding.expect(time == limit, "\(patience): ended after \(time)")
            }
            async let forever = bank.with { $0.patience = .forever }.result(of: Bank.GetAccount(accountID: 1))
            await simulation.sleep(for: .seconds(7_200))
            simulation.network.comeBack()
            finding.expect((try? await forever.get()) != nil, "patience without end has ended")
            // The waiters follow the probe a little apart.
            await simulation.sleep(for: .seconds(1))
            // A login closure that never returns.
            let stuck = Bank(
                on: simulation.dispatcher,
                session: Session { () -> Bank.LogIn? in
                    await simulation.sleep(for: .seconds(1_000_000))
                    return nil
                })
            let start = simulation.clock.now
            let result = await stuck.result(of: Bank.GetAccount(accountID: 1))
            let time = start.duration(to: simulation.clock.now)
            finding.expect((try? result.get()) == nil && time == .seconds(600), "a login that never ends: \(time)")
            return finding
        }
    }

    // MARK: The same intent again

    @Test func aReceiptSendsTheSameIntentAgain() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("3  a receipt sends the same intent again") { simulation in
            let isCut = LockedState { true }
            let cut = Interception { (request, next) async throws(TransportFault) in
                let response = try await next(request)
                if request.endpoint == "Bank.logIn" || !isCut.withLock({ $0 }) { return response }
                throw TransportFault(.lost, evidence: .sent)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [cut]))
            var finding = PromiseRun.Finding(cases: 3)
            let first = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 1))
            let order = await bank.result(of: Bank.OrderCard(accountID: 1))
            isCut.withLock { $0 = false }
            guard case .failure(.unconfirmed(let receipt)) = first, case .failure(.unconfirmed(let other)) = order
            else {
                finding.expect(false, "\(first), \(order)")
                return finding
            }
            do throws(Bank.TransferFundsFailure) {
                _ = try await bank.send(again: receipt, as: Bank.TransferFunds.self)
            } catch {
                finding.expect(false, "the same intent failed: \(error)")
            }
            let server = simulation.server
            finding.expect(server.carriedOut(Bank.TransferFunds.self).count == 1, "it was carried out twice")
            do throws(Bank.OrderCardFailure) {
                _ = try await bank.send(again: other, as: Bank.OrderCard.self)
                finding.expect(false, "an order was sent twice")
            } catch {
                finding.expect(error.context.name == "invalidRequest", error.context.name)
            }
            finding.expect(server.carriedOut(Bank.OrderCard.self).count == 1, "an order was carried out twice")
            return finding
        }
    }

    // MARK: Options

    @Test func aCallersOptionsCount() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("–  a caller's options take the place of the contract's", seeds: 5) { simulation in
            let requests = LockedState<[TransportRequest]> { [] }
            let watch = Interception { (request, next) async throws(TransportFault) in
                if request.endpoint == "Bank.logIn" { return try await next(request) }
                requests.withLock { $0.append(request) }
                throw TransportFault(.lost, evidence: .sent)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [watch]))
            let hasty = bank.with { options in
                options.timeout = .seconds(3)
                options.attempts = 1
                options.priority = .high
                options.headers["X-Screen"] = "accounts"
            }
            var finding = PromiseRun.Finding(cases: 2)
            do throws(Bank.GetAccountFailure) {
                _ = try await hasty.getAccount(accountID: 1)
            } catch {
                finding.expect(error.context.name == "connectionLost", error.context.name)
            }
            let sent = requests.withLock { $0 }
            finding.expect(sent.count == 1, "\(sent.count) attempts")
            finding.expect(sent.first?.timeout == .seconds(3), "another timeout")
            finding.expect(sent.first?.priority == .high, "another priority")
            finding.expect(sent.first?.headers["X-Screen"] == "accounts", "no header")
            for name in ["Authorization", "idempotency-key", "Content-Length", "a b", ""] {
                let forging = bank.with { $0.headers[name] = "x" }
                let result = await forging.result(of: Bank.GetAccount(accountID: 1))
                guard case .failure(.shared(.fault(let fault))) = result else {
                    finding.expect(false, "\(name) was sent")
                    continue
                }
                finding.expect(fault.kind == .invalidRequest, "\(name): \(fault.kind)")
            }
            return finding
        }
    }
}

/// Always says the same.
private struct SteadyResponder: Responder {
    let answer: IncidentAnswer
    init(_ answer: IncidentAnswer) { self.answer = answer }
    func respond(to incident: Incident) async -> IncidentAnswer { answer }
}
