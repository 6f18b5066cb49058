import BankClient
import ErrandRuntime
import ErrandTesting
import TestSeeds
import Testing

/// Promises 4, 5 and 6: what happens when nothing goes.
@Suite(.serialized) struct OutagePromiseTests {
    @Test func anOutageIsNotMadeWorse() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  in an outage ten retries, and one for ten successes; 3 sends at most, none too late") {
            simulation in
            let bank = try await simulation.makeLoggedInBank()
            let server = simulation.server
            // A total outage, or one of 90 or 50 %. Its commands come within seconds, or over hours: time alone gives no retry.
            let share = [1, 1, 0.9, 0.5][Int(simulation.seed / 2 % 4)]
            let distance = Duration.milliseconds(simulation.seed / 8 % 2 == 0 ? 40 : 60_000)
            server.faults = FaultPlan([simulation.seed % 2 == 0 ? .unavailable : .throttled: share])
            let begun = await simulation.concurrently(300) { number -> (start: Duration, isDone: Bool) in
                await simulation.sleep(for: distance * number)
                let start = simulation.clock.now.offset
                let result = await bank.result(of: Bank.GetAccount(accountID: number))
                return (start, (try? result.get()) != nil)
            }
            let received = server.received(Bank.GetAccount.self)
            let sends = Dictionary(grouping: received, by: \.url)
            var finding = PromiseRun.Finding(cases: begun.count)
            let retries = received.count - 300
            let successes = begun.filter(\.isDone).count
            // The host's saved budget of ten retries is added.
            finding.expect(
                Double(retries) <= 10 + 0.1 * Double(successes), "\(retries) retries, \(successes) successes")
            finding.expect(share < 1 || successes == 0, "\(successes) successes in a total outage")
            for (index, (start, _)) in begun.enumerated() {
                let mine = sends.first { $0.key.hasSuffix("/accounts/\(index + 1)") }?.value ?? []
                finding.expect((1...3).contains(mine.count), "\(mine.count) sends of one command")
                finding.expect(mine.allSatisfy { $0.moment - start <= .seconds(60) }, "sent after its deadline")
            }
            return finding
        }
    }

    /// A kept connection that was dead costs no pause, and a token of the budget, because a gateway may have passed the request on.
    @Test func aStaleConnectionCostsAToken() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  reads over stale connections are sent again at once, within the budget") {
            simulation in
            let observer = Observations()
            let bank = try await simulation.makeLoggedInBank(
                on: simulation.makeDispatcher(
                    observers: [observer],
                    settings: DispatcherSettings(retry: simulation.seed % 4 == 0 ? .never : RetryRule())))
            simulation.server.faults = FaultPlan([.staleConnection: simulation.seed % 2 == 0 ? 1 : 0.4])
            let results = await simulation.concurrently(100) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            var finding = PromiseRun.Finding(cases: 100)
            let successes = results.filter { (try? $0.get()) != nil }.count
            // The login is one of the attempts.
            let retries = observer.attempts - 101
            if simulation.seed % 4 == 0 {
                finding.expect(retries == 0, "\(retries) retries, though there are to be none")
            } else {
                finding.expect(retries >= 10, "\(retries) of ten tokens were used")
                finding.expect(
                    Double(retries) <= 10 + 0.1 * Double(successes + 1), "\(retries) retries, \(successes) successes")
            }
            finding.expect(observer.pauses == 0, "\(observer.pauses) paused")
            finding.expect(observer.mostAttempts <= 2, "one was sent \(observer.mostAttempts) times")
            return finding
        }
    }

    /// What the server refuses without processing it is sent again once per attempt, also where it may be sent once only. The
    /// attempts themselves keep within the budget.
    @Test func refusedStreamsAreSentAgainOncePerAttempt() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  what the server did not process is sent again once per attempt") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            let server = simulation.server
            server.faults = FaultPlan([.refusedStream: 1])
            let before = server.received.count
            let results = await simulation.concurrently(300) { number in
                await simulation.sleep(for: .milliseconds(number * 40))
                return await bank.result(of: Bank.OrderCard(accountID: number))
            }
            var finding = PromiseRun.Finding(cases: 300)
            let count = server.received.count - before
            finding.expect(count <= 2 * (300 + 10), "\(count) sends for 300 commands")
            for sends in Dictionary(grouping: server.received.dropFirst(before), by: \.url).values {
                finding.expect((2...6).contains(sends.count), "\(sends.count) sends of one command")
            }
            for case .failure(let failure) in results {
                finding.expect(failure.context.applied == .never, "\(failure.context.name) may have been carried out")
            }
            finding.expect(server.carriedOut(Bank.OrderCard.self).isEmpty, "the server has carried out orders")
            // The next ones are refused once each.
            server.faults = .none
            try server.next(Bank.OrderCard.self, .refusedStream)
            let order = await bank.result(of: Bank.OrderCard(accountID: 1))
            finding.expect((try? order.get()) != nil, "\(order)")
            finding.expect(server.carriedOut(Bank.OrderCard.self).count == 1, "not carried out once")
            return finding
        }
    }

    @Test func retryAfterIsAFloor() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  no repetition before a limit ends, none where it is too late") { simulation in
            let bank = try await simulation.makeLoggedInBank()
            // Of any two seeds in a row, one has to wait within its deadline, and one past it.
            let seconds = Int(simulation.seed % 2 == 0 ? simulation.seed / 2 % 60 : 60 + simulation.seed / 2 % 30)
            simulation.server.on(Bank.GetAccount.self) { call in
                let fields: [HTTPHeaders] = [
                    ["Retry-After": "\(seconds)"], ["RateLimit": "\"default\";r=0;t=\(seconds)"],
                    ["X-RateLimit-Reset": "\(seconds)"], ["retry-after-ms": "\(seconds * 1_000)"],
                ]
                return TransportResponse(status: 429, headers: fields[Int(simulation.seed / 2 % 4)])
            }
            let start = simulation.clock.now
            _ = await bank.result(of: Bank.GetAccount(accountID: 1))
            let time = start.duration(to: simulation.clock.now)
            let moments = simulation.server.received(Bank.GetAccount.self).map(\.moment)
            var finding = PromiseRun.Finding(cases: 1)
            for (first, second) in zip(moments, moments.dropFirst()) {
                finding.expect(
                    second - first >= .seconds(seconds), "again after \(second - first) instead of \(seconds) s")
            }
            finding.expect(seconds < 60 || moments.count == 1, "waited for \(seconds) s, past the deadline")
            finding.expect(
                seconds < 60 || time < .seconds(1), "failed after \(time), though \(seconds) s were too long")
            finding.expect(seconds > 50 || moments.count > 1, "gave up, though there were \(seconds) s to wait only")
            return finding
        }
    }

    private struct Patient: Responder {
        let asked: Tally
        let answer: @Sendable () async -> IncidentAnswer
        func respond(to incident: Incident) async -> IncidentAnswer {
            await asked.add()
            return await answer()
        }
    }

    @Test(arguments: [true, false])
    func oneCauseIsOneIncident(isRetried: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "5  1,000 commands, one cause, one incident: \(isRetried ? "retry" : "fail")"
        try PromiseRun.check(title, weight: 20) { simulation in
            let asked = Tally()
            let server = simulation.server
            let responder = Patient(asked: asked) {
                // Longer than any pause, so that all commands are there.
                await simulation.sleep(for: .seconds(120))
                server.isDown = false
                return isRetried ? .retry : .fail
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(responder: responder))
            server.isDown = true
            let results = await simulation.concurrently(1_000) { await bank.result(of: Bank.OrderCard(accountID: $0)) }
            let succeeded = results.filter { (try? $0.get()) != nil }.count
            var finding = PromiseRun.Finding(cases: 1_000)
            let asks = await asked.count
            finding.expect(asks == 1, "asked \(asks) times")
            finding.expect(succeeded == (isRetried ? 1_000 : 0), "\(succeeded) succeeded")
            finding.expect(server.carriedOut(Bank.OrderCard.self).count == succeeded, "not each once")
            return finding
        }
    }

    @Test(arguments: [true, false])
    func nothingIsSentOffline(isSessionOver: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "6  offline nothing goes; then one probe\(isSessionOver ? ", then the login" : ""), then all"
        try PromiseRun.check(title) { simulation in
            let bank = try await simulation.makeLoggedInBank()
            simulation.network.goAway()
            // The gate hears of it.
            await simulation.sleep(for: .milliseconds(1))
            simulation.note("offline")
            async let results = simulation.concurrently(50) { await bank.result(of: Bank.GetAccount(accountID: $0)) }
            await simulation.sleep(for: .seconds(30))
            if isSessionOver { simulation.server.expireSessions() }
            simulation.note("online")
            simulation.network.comeBack()
            var finding = PromiseRun.Finding(cases: 50)
            let failed = await results.filter { (try? $0.get()) == nil }.count
            finding.expect(failed == 0, "\(failed) failed")

            let events = simulation.log.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
            let offline = events.drop { $0 != "offline" }
            finding.expect(!offline.prefix { $0 != "online" }.contains { $0.hasSuffix("→") }, "sent while offline")
            let online = offline.drop { $0 != "online" }.filter { $0.hasSuffix("→") || $0.contains("←") }
            let start = online.prefix(isSessionOver ? 4 : 2)
            let wanted =
                isSessionOver
                ? ["Bank.getAccount →", "Bank.getAccount ← 401", "Bank.logIn →", "Bank.logIn ← 200"]
                : ["Bank.getAccount →", "Bank.getAccount ← 200"]
            finding.expect(Array(start) == wanted, "on return: \(start.joined(separator: ", "))")
            let refused = online.filter { $0.hasSuffix("← 401") }.count
            finding.expect(refused <= 1, "\(refused) were sent with the old session")
            return finding
        }
    }

    /// Commands that waited for the network are sent in the order of their submission: beside a host that is busy with the first
    /// of them, a login that they wait for, and commands that come while they are let go.
    @Test(arguments: [true, false])
    func whatWaitedGoesInOrder(isSessionOver: Bool) throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "6  what waited for the network goes in order\(isSessionOver ? ", after the login" : "")"
        try PromiseRun.check(title, weight: 4) { simulation in
            let sent = LockedState<[Int]> { [] }
            let noting = Interception { request, next throws(TransportFault) in
                if request.endpoint == "Bank.getAccount", let part = request.url.split(separator: "/").last {
                    sent.withLock { $0.append(Int(part) ?? 0) }
                }
                return try await next(request)
            }
            let bank = try await simulation.makeLoggedInBank(on: simulation.makeDispatcher(interceptors: [noting]))
            simulation.server.latency = .milliseconds(20)...(.milliseconds(300))
            simulation.network.goAway()
            // The gate hears of it.
            await simulation.sleep(for: .milliseconds(1))
            async let results = simulation.concurrently(250) { number in
                // The last fifty come while the others are let go.
                await simulation.sleep(for: .milliseconds(number <= 200 ? number : 30_000 + number))
                return await bank.result(of: Bank.GetAccount(accountID: number))
            }
            await simulation.sleep(for: .seconds(30))
            if isSessionOver { simulation.server.expireSessions() }
            simulation.network.comeBack()
            var finding = PromiseRun.Finding(cases: 250)
            let failed = await results.filter { (try? $0.get()) == nil }.count
            finding.expect(failed == 0, "\(failed) failed")
            // The probe of an ended session is sent again with the new one.
            let numbers = sent.withLock { $0 }.dropFirst(isSessionOver ? 1 : 0)
            let moved = zip(numbers, 1...250).filter { $0 != $1 }
            let most = moved.map { abs($0 - $1) }.max() ?? 0
            finding.expect(moved.isEmpty && numbers.count == 250, "\(moved.count) out of order, one by \(most) places")
            return finding
        }
    }

    /// Commands that waited for a responder go in the order of their submission as well, when it has them tried again.
    @Test func whatAResponderRetriesGoesInOrder() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("6  what waited for a responder goes in order", weight: 20) { simulation in
            let server = simulation.server
            let sent = LockedState<[Int]> { [] }
            let noting = Interception { request, next throws(TransportFault) in
                if !server.isDown, let part = request.url.split(separator: "/").last, let number = Int(part) {
                    sent.withLock { $0.append(number) }
                }
                return try await next(request)
            }
            let responder = Patient(asked: Tally()) {
                // Longer than any pause, so that all commands are there.
                await simulation.sleep(for: .seconds(120))
                server.isDown = false
                return .retry
            }
            let bank = try await simulation.makeLoggedInBank(
                on: simulation.makeDispatcher(responder: responder, interceptors: [noting]))
            server.latency = .milliseconds(20)...(.milliseconds(300))
            server.isDown = true
            let results = await simulation.concurrently(1_000) { number in
                await simulation.sleep(for: .milliseconds(number))
                return await bank.result(of: Bank.GetAccount(accountID: number))
            }
            var finding = PromiseRun.Finding(cases: 1_000)
            let failed = results.filter { (try? $0.get()) == nil }.count
            finding.expect(failed == 0, "\(failed) failed")
            let numbers = sent.withLock { $0 }
            let moved = zip(numbers, 1...1_000).filter { $0 != $1 }
            let most = moved.map { abs($0 - $1) }.max() ?? 0
            finding.expect(
                moved.isEmpty && numbers.count == 1_000, "\(moved.count) out of order, one by \(most) places")
            return finding
        }
    }

    /// A login that waits for the network is the probe. Its success lets those go that wait for the login, and at the same time
    /// those that wait for the network.
    @Test func whatWaitedForTheNetworkIsBehindWhatWaitedForTheLogin() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let title = "6  what waited for the network is behind what waited for the login"
        try PromiseRun.check(title, weight: 4) { simulation in
            let sent = LockedState<[Int]> { [] }
            let noting = Interception { request, next throws(TransportFault) in
                if request.endpoint == "Bank.getAccount", let part = request.url.split(separator: "/").last {
                    sent.withLock { $0.append(Int(part) ?? 0) }
                }
                return try await next(request)
            }
            let bank = Bank(
                on: simulation.makeDispatcher(interceptors: [noting]),
                session: Session {
                    // A form that nobody fills in.
                    await simulation.sleep(for: .seconds(3_600))
                    return Bank.LogIn(user: "ada", password: "lovelace")
                })
            async let results = simulation.concurrently(200) { number in
                await simulation.sleep(for: .milliseconds(number <= 100 ? number : 2_000 + number))
                return await bank.result(of: Bank.GetAccount(accountID: number))
            }
            await simulation.sleep(for: .seconds(1))
            simulation.network.goAway()
            await simulation.sleep(for: .milliseconds(500))
            async let login = bank.result(of: Bank.LogIn(user: "eve", password: "harrington"))
            await simulation.sleep(for: .seconds(30))
            simulation.network.comeBack()
            var finding = PromiseRun.Finding(cases: 201)
            let failed = await results.filter { (try? $0.get()) == nil }.count
            let isLoggedIn = await (try? login.get()) != nil
            finding.expect(failed == 0 && isLoggedIn, "\(failed) failed, login \(isLoggedIn)")
            let numbers = sent.withLock { $0 }
            finding.expect(numbers == Array(1...200), "\(numbers)")
            return finding
        }
    }

    /// Found by promise 1: a command that had lost the network was ahead of the login that it needed. It went first when the
    /// network was back, and both waited for each other.
    @Test func theProbeDoesNotWaitForALoginThatWaitsForIt() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try Simulation.run(seed: 1) { simulation in
            let bank = Bank(
                on: simulation.dispatcher,
                session: Session { () -> Bank.LogIn in
                    simulation.network.goAway()
                    await simulation.sleep(for: .seconds(1))
                    return Bank.LogIn(user: "ada", password: "lovelace")
                })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            simulation.server.expireSessions()
            simulation.server.latency = .milliseconds(1)...(.milliseconds(1))
            async let first = bank.getAccount(accountID: 1)
            await simulation.sleep(for: .microseconds(2_500))
            // It is still connecting when the first one learns that the session is over, and the network goes.
            simulation.server.latency = .milliseconds(100)...(.milliseconds(100))
            async let second = bank.getAccount(accountID: 2)
            await simulation.sleep(for: .milliseconds(1_500))
            #expect(simulation.dispatcher.waiting.map(\.place) == [.session, .connectivity, .connectivity])
            simulation.network.comeBack()
            _ = try await (first, second)
            #expect(simulation.server.carriedOut(Bank.LogIn.self).count == 2)
        }
    }
}
