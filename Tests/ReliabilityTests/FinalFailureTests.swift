import BankClient
import ErrandRuntime
import ErrandTesting
import TestSeeds
import Testing

/// What cannot pass by itself is not tried again, and is called what it is.
@Suite(.serialized) struct FinalFailureTests {
    private static let answers: [TransportResponse] = [
        .json("{}", status: 400), .json("{}", status: 403), .json("{}", status: 404), .json("{}", status: 422),
        .json("{}", status: 200), .json(#"{"data": {"id": 1,"#, status: 200), .json("<!DOCTYPE html>", status: 200),
    ]
    private static let faults: [TransportFault.Kind] = [.tls, .unreadable, .oversized]

    @Test func whatIsFinalIsSentOnce() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("4  what is final is sent once") { simulation in
            var finding = PromiseRun.Finding(cases: Self.answers.count + Self.faults.count)
            let bank = try await simulation.makeLoggedInBank()
            for (index, answer) in Self.answers.enumerated() {
                simulation.server.on(Bank.GetAccount.self) { _ in answer }
                let before = simulation.server.received(Bank.GetAccount.self).count
                let result = await bank.result(of: Bank.GetAccount(accountID: index))
                let sends = simulation.server.received(Bank.GetAccount.self).count - before
                finding.expect((try? result.get()) == nil, "answer \(index) is a success")
                finding.expect(sends == 1, "answer \(index) to \(sends) sends")
            }
            for kind in Self.faults {
                let attempts = Tally()
                let fault = TransportFault(kind, evidence: .sent)
                let broken = Interception { (_, _) async throws(TransportFault) in
                    await attempts.add()
                    throw fault
                }
                let dispatcher = simulation.makeDispatcher(interceptors: [broken])
                _ = await Bank(on: dispatcher).result(of: Bank.LogIn(user: "ada", password: "lovelace"))
                let sends = await attempts.count
                finding.expect(sends == 1, "\(kind) after \(sends) sends")
            }
            return finding
        }
    }

    @Test func whatIsCancelledSaysSo() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("7  what is cancelled is not called a failure of the network") { simulation in
            let settings = DispatcherSettings(retry: .never)
            // Many transports call it a lost connection when they are cancelled.
            let vague = Interception { (request, next) async throws(TransportFault) in
                do throws(TransportFault) {
                    return try await next(request)
                } catch {
                    throw TransportFault(.lost, evidence: error.evidence)
                }
            }
            let dispatcher = simulation.makeDispatcher(interceptors: [vague], settings: settings)
            let bank = try await simulation.makeLoggedInBank(on: dispatcher)
            simulation.server.latency = .milliseconds(1)...(.seconds(1))
            let names = await simulation.concurrently(40) { number -> String? in
                let call = simulation.task { await bank.result(of: Bank.GetAccount(accountID: number)) }
                await simulation.sleep(for: .milliseconds(number * 23))
                call.cancel()
                guard case .failure(let failure) = await call.value else { return nil }
                return failure.context.name
            }
            var finding = PromiseRun.Finding(cases: 40)
            finding.expect(names.contains("cancelled"), "none was cancelled in time")
            finding.expect(names.allSatisfy { $0 ?? "cancelled" == "cancelled" }, "\(Set(names.compactMap(\.self)))")
            return finding
        }
    }
}
