import Foundation
import TestServices
import Testing

@Suite struct ScriptedFaultTests {
    private let login: WireJSON = ["user": "ada", "password": "lovelace"]

    @Test func faultsAreUsedUpInOrder() async throws {
        let bank = try await BankService.start()
        let client = RawClient(base: bank.url)
        await bank.script(.status(503), times: 2, on: "POST /sessions")
        await bank.script(.throttled(retryAfter: "7"), on: "* /sessions")
        await bank.script(.garbage, on: "GET *")
        #expect(try await client.json("POST", "/sessions", login).status == 503)
        #expect(try await client.json("POST", "/sessions", login).status == 503)
        let throttled = try await client.json("POST", "/sessions", login)
        #expect(throttled.status == 429 && throttled.headers["retry-after"] == "7")
        #expect(try await client.json("POST", "/sessions", login).status == 200)
        #expect(await bank.logins == 1)
        #expect(await bank.requests(on: "POST /sessions").count == 4)
        await bank.stop()
    }

    @Test func connectionsAreCut() async throws {
        let bank = try await BankService.start()
        let client = RawClient(base: bank.url)
        await bank.script(.cut)
        await #expect(throws: URLError.self) { try await client.json("POST", "/sessions", login) }
        #expect(await bank.logins == 0)
        await bank.script(.loseAnswer)
        await #expect(throws: URLError.self) { try await client.json("POST", "/sessions", login) }
        #expect(await bank.logins == 1)
        await bank.script(.cutBody(after: 5))
        await #expect(throws: URLError.self) { try await client.json("POST", "/sessions", login) }
        #expect(await bank.logins == 2)
        await bank.stop()
    }

    @Test func answersCanBeSlow() async throws {
        let bank = try await BankService.start()
        let client = RawClient(base: bank.url)
        let start = ContinuousClock.now
        await bank.script(.delay(.milliseconds(100), then: .slowBody(pieces: 4, pause: .milliseconds(20))))
        #expect(try await client.json("POST", "/sessions", login).json?["data"]?["token"] != nil)
        #expect(ContinuousClock.now - start > .milliseconds(180))
        await bank.stop()
    }

    @Test func requestsAreWrittenDown() async throws {
        let bank = try await BankService.start()
        _ = try await RawClient(base: bank.url).json("POST", "/sessions?x=a%20b&y=%2B", ["X-Test": "yes"], login)
        let request = try #require(await bank.requests().first)
        #expect(request.line == "POST /sessions" && request.header("x-test") == "yes")
        #expect(request.query.map(\.value) == ["a b", "+"] && request.json == login)
        await bank.stop()
    }

    @Test func redirectsLeadElsewhere() async throws {
        let bank = try await BankService.start()
        let other = try await FaultServer(otherwise: .status(200, body: "\"elsewhere\""))
        await bank.script(.redirect(to: other.url + "/there"))
        #expect(try await RawClient(base: bank.url).send("GET", "/accounts").json == "elsewhere")
        #expect(await other.requests.first?.path == "/there")
        await bank.stop()
        await other.stop()
    }
}
