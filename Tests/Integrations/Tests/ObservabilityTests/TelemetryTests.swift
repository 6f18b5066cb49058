import BankClient
import ErrandObservability
import ErrandRuntime
import ErrandTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

/// Commands against a simulated bank, and what log, metrics and traces say of them.
@Suite struct TelemetryTests {
    private struct Story: Sendable {
        var log: [InMemoryLogHandler.Entry]
        var metrics: TestMetrics
        var spans: [FinishedInMemorySpan]
        /// The headers of each request as the transport got it.
        var requests: [HTTPHeaders]
    }

    private static let password = "c4nary-password"

    @available(macOS 15.0, *)
    private func tell(
        seed: UInt64 = 1, _ body: @escaping @Sendable (Simulation, Bank, W3CTracer) async throws -> Void
    ) throws -> Story {
        try Simulation.run(seed: seed) { simulation in
            let handler = InMemoryLogHandler()
            var logger = Logger(label: "test", factory: { _ in handler })
            logger.logLevel = .trace
            let metrics = TestMetrics()
            let tracer = W3CTracer()
            let telemetry = Telemetry(logger: logger, metrics: metrics, tracer: tracer)
            let transport = Gateway()
            let bank = Bank(
                on: simulation.makeDispatcher(observers: [telemetry, transport]),
                session: Session { Bank.LogIn(user: "ada", password: Self.password) })
            try await body(simulation, bank, tracer)
            await simulation.sleep(for: .seconds(1))
            #expect(tracer.spans.activeSpans.isEmpty, "a span was never ended")
            return Story(
                log: handler.entries, metrics: metrics, spans: tracer.spans.finishedSpans,
                requests: await transport.requests)
        }
    }

    @Test func aCommandIsASpanWithItsAttemptsInIt() throws {
        guard #available(macOS 15.0, *) else { return }
        let story = try tell { _, bank, tracer in
            let screen = tracer.startSpan("screen", context: .topLevel)
            _ = try await ServiceContext.withValue(screen.context) { try await bank.getAccount(accountID: 7) }
            screen.end()
        }
        let screen = try #require(story.spans.first { $0.operationName == "screen" })
        let command = try #require(story.spans.first { $0.operationName == "Bank.getAccount" })
        #expect(command.kind == .internal)
        #expect(command.parentSpanID == screen.spanID)
        let inside = story.spans.filter { $0.parentSpanID == command.spanID }
        #expect(inside.map(\.operationName) == ["wait: session", "GET"])
        let attempt = try #require(inside.last)
        #expect(attempt.kind == .client)
        #expect(attempt.traceID == command.traceID)
        #expect(attempt.attributes["http.request.method"]?.toSpanAttribute() == .string("GET"))
        #expect(attempt.attributes["server.address"]?.toSpanAttribute() == .string("api.bank.example"))
        #expect(attempt.attributes["server.port"]?.toSpanAttribute() == .int64(443))
        #expect(attempt.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
        #expect(attempt.attributes["url.full"]?.toSpanAttribute() == .string("https://api.bank.example/v1/accounts/7"))
        #expect(attempt.attributes["http.request.resend_count"] == nil)
        // The login is sent for the command's sake.
        let login = try #require(story.spans.first { $0.operationName == "Bank.logIn" })
        #expect(login.traceID == command.traceID)
    }

    /// The request's context names the attempt that the server responds to (W3C Trace Context, section 3.2).
    @Test func eachRequestNamesItsAttempt() throws {
        guard #available(macOS 15.0, *) else { return }
        let story = try tell { simulation, bank, _ in
            simulation.server.faults = FaultPlan(rate: 0.5)
            for number in 1...20 { _ = await bank.result(of: Bank.GetAccount(accountID: number)) }
        }
        let attempts = Set(story.spans.filter { $0.kind == .client }.map { "00-\($0.traceID)-\($0.spanID)-01" })
        let parents = story.requests.map { $0["traceparent"] ?? "none" }
        #expect(parents.count > 20)
        #expect(Set(parents).count == parents.count)
        for parent in parents { #expect(attempts.contains(parent), "\(parent)") }
        let repeated = story.spans.compactMap { $0.attributes["http.request.resend_count"]?.toSpanAttribute() }
        #expect(repeated.contains(.int64(1)))
        for span in story.spans where span.kind == .client && span.attributes["error.type"] != nil {
            #expect(span.status?.code == .error)
        }
    }

    @Test func everyCommandAndRequestIsMeasured() throws {
        guard #available(macOS 15.0, *) else { return }
        let story = try tell { simulation, bank, _ in
            simulation.server.faults = FaultPlan(rate: 0.3)
            for number in 1...30 { _ = await bank.result(of: Bank.GetAccount(accountID: number)) }
        }
        let commands = story.metrics.recorders(label: "errand.command.duration")
            .filter { $0.dimensions.contains { $0 == ("errand.endpoint", "getAccount") } }
        #expect(commands.map(\.values.count).reduce(0, +) == 30)
        let requests = story.metrics.recorders(label: "http.client.request.duration")
        #expect(requests.map(\.values.count).reduce(0, +) == story.spans.count { $0.kind == .client })
        // A dimension with as many values as there are requests makes a metric useless.
        for recorder in requests { #expect(!recorder.dimensions.contains { $0.0 == "url.full" }) }
        #expect(requests.contains { $0.dimensions.contains { $0 == ("http.response.status_code", "200") } })
        for label in ["http.client.active_requests", "errand.command.active"] {
            for meter in story.metrics.meters(label: label) { #expect(meter.values.last ?? 1 == 0, "\(label)") }
        }
        let waits = story.metrics.recorders(label: "errand.wait.duration")
        #expect(waits.contains { $0.dimensions.contains { $0 == ("errand.wait.place", "pause") } })
    }

    @Test func whatWentWrongIsLoggedAsBadAsItIs() throws {
        guard #available(macOS 15.0, *) else { return }
        let story = try tell { simulation, bank, _ in
            simulation.server.on(Bank.GetAccount.self) { _ in .json("{", status: 200) }
            _ = await bank.result(of: Bank.GetAccount(accountID: 1))
            simulation.server.on(Bank.GetAccount.self) { _ in .json(#"{"error":{"code":900005}}"#, status: 422) }
            _ = await bank.result(of: Bank.GetAccount(accountID: 1))
            _ = try await bank.listAccounts()
        }
        let settled = story.log.filter {
            $0.metadata["errand.result"] != nil && $0.metadata["errand.endpoint"] != "logIn"
        }
        #expect(settled.map(\.level) == [.error, .info, .debug])
        #expect(settled.first?.metadata["error.type"] == "malformed")
        #expect(settled.first?.metadata["errand.error.category"] == "nonRetryable")
        let answers = story.log.filter { $0.metadata["http.response.status_code"] != nil }
        #expect(answers.count == story.requests.count)
        #expect(story.log.contains { $0.metadata["errand.wait.place"] == "session" })
    }

    /// For any events, none of the three contains a password or a token.
    @Test(arguments: [UInt64.random(in: 1...999_999)]) func noSecretIsTold(seed: UInt64) throws {
        guard #available(macOS 15.0, *) else { return }
        let story = try tell(seed: seed) { simulation, bank, _ in
            simulation.server.faults = FaultPlan(rate: 0.5)
            simulation.server.expireSessions(after: .milliseconds(50))
            for number in 1...40 {
                _ = await bank.result(of: Bank.TransferFunds(fromAccount: number, toAccount: 0, amount: 1))
                _ = await bank.result(of: Bank.LogIn(user: "ada", password: Self.password))
            }
        }
        var told = ""
        dump(story.log, to: &told)
        for span in story.spans {
            told += span.operationName
            // swift-format-ignore: ReplaceForEachWithForLoop, since the attributes are no sequence.
            span.attributes.forEach { told += "\($0) \($1)\n" }
            dump(span.errors, to: &told)
            dump(span.events, to: &told)
        }
        for recorder in story.metrics.recorders { told += "\(recorder.dimensions)\n" }
        #expect(told.contains("logIn"))
        for secret in [Self.password, "simulated-access-"] {
            #expect(!told.contains(secret), "\(secret), seed \(seed)")
        }
    }

    /// The span of a command that was cancelled while it waits is ended, too.
    @Test func nothingIsLeftOpen() throws {
        guard #available(macOS 15.0, *) else { return }
        let story = try tell { simulation, bank, _ in
            simulation.network.goAway()
            let call = simulation.task { await bank.result(of: Bank.ListAccounts()) }
            await simulation.sleep(for: .seconds(5))
            call.cancel()
            _ = await call.value
            simulation.network.comeBack()
            await simulation.sleep(for: .seconds(60))
        }
        let command = try #require(story.spans.first { $0.operationName == "Bank.listAccounts" })
        #expect(command.status?.code == .error)
        #expect(command.attributes["error.type"]?.toSpanAttribute() == .string("cancelled"))
    }

    @Test func nothingIsNeeded() throws {
        guard #available(macOS 15.0, *) else { return }
        try Simulation.run(seed: 1) { simulation in
            let bank = Bank(
                on: simulation.makeDispatcher(observers: [Telemetry(logger: nil, metrics: nil, tracer: nil)]),
                session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.listAccounts()
        }
    }
}

/// Stands before the transport, and keeps what comes by.
private actor Gateway: CommandObserver {
    private(set) var requests: [HTTPHeaders] = []

    nonisolated func observe(_ event: CommandEvent) {}

    nonisolated func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        await keep(request.headers)
        return try await next(request)
    }

    private func keep(_ headers: HTTPHeaders) { requests.append(headers) }
}
