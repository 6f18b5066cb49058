import BankClient
import ErrandTesting
import Testing

/// Promise 9: no secret in anything that is printed. (Where redirects go is tested over sockets.)
@Suite(.serialized) struct SecrecyPromiseTests {
    @Test func noSecretIsPrinted() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("9  no secret is printed") { simulation in
            let canary = "canary-\(simulation.seed)-password"
            let chronicle = CommandChronicle()
            let dispatcher = simulation.makeDispatcher(responder: Nobody(), observers: [chronicle])
            let session = Session { Bank.LogIn(user: "ada", password: canary) }
            let bank = Bank(on: dispatcher, session: session)
            let events = simulation.task { [incidents = dispatcher.incidents] in
                var all = ""
                for await event in incidents { all += Self.everything(event) }
                return all
            }
            simulation.server.faults = FaultPlan(rate: 0.6)
            // The server says what it was told.
            simulation.server.on(Bank.OrderStanding.self) { call in
                .json(
                    #"{"error": {"code": 1, "messages": ["\#(call.request.headers["Authorization"] ?? "") \#(call.json?["iban"]?.string ?? "")"]}}"#,
                    status: 422)
            }
            let iban = "DE00CANARY\(simulation.seed)"
            let texts = await simulation.concurrently(20) { number -> String in
                let login = Bank.LogIn(user: "ada", password: canary)
                let order = Bank.OrderStanding(
                    iban: iban, amount: 5, every: .month, firstOn: CalendarDate(year: 2026, month: 1, day: 1)!)
                let results: [Any] =
                    number % 2 == 0
                    ? [login, await bank.result(of: login)] : [order, await bank.result(of: order)]
                return results.map(Self.everything).joined()
            }
            events.cancel()
            let printed =
                [await events.value, Self.everything(bank), Self.everything(session), Self.everything(dispatcher)]
                + texts + simulation.log + chronicle.events.map(Self.everything)
            var finding = PromiseRun.Finding(cases: printed.count)
            for secret in [canary, iban, "simulated-access-"] {
                let leak = printed.first { $0.contains(secret) }
                finding.expect(leak == nil, "\(secret) in \(leak?.prefix(300) ?? "")")
            }
            return finding
        }
    }

    private struct Nobody: Responder {
        func respond(to incident: Incident) async -> IncidentAnswer { .pass }
    }

    /// All ways in which a value is printed.
    private static func everything(_ value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        return text
    }
}
