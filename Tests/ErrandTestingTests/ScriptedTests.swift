import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

@Suite struct ScriptedTests {
    @Test func aScriptAnswersAndKeepsWhatWasSent() async throws {
        let transport = ScriptedTransport { (request, number) throws(TransportFault) in
            if number == 1 { throw TransportFault(.refused, evidence: .notSent) }
            return .json(#"{"data": {"token": "a"}}"#)
        }
        let bank = Bank(on: Dispatcher(transport: transport))
        let response = try await bank.logIn(user: "ada", password: "lovelace")
        #expect(response.token == "a")
        #expect(transport.requests.map(\.endpoint) == ["Bank.logIn", "Bank.logIn"])
        #expect(transport.requests(of: "Bank.logOut").isEmpty)
    }

    @Test func theNetworkGoesAndComesForAllWhoFollow() async {
        let monitor = ScriptedPathMonitor()
        var first = monitor.paths().makeAsyncIterator()
        monitor.goAway()
        var second = monitor.paths().makeAsyncIterator()
        monitor.comeBack()
        monitor.close()
        var seen: [Bool] = []
        while let path = await first.next() { seen.append(path.isSatisfied) }
        #expect(seen == [true, false, true])
        seen = []
        while let path = await second.next() { seen.append(path.isSatisfied) }
        #expect(seen == [false, true])
        #expect(monitor.current.isSatisfied)
    }
}
