import BankClient
import ErrandRuntime
import ErrandTestServer
import ErrandTesting
import EverythingClient
import Foundation
import PresenceClient
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The example of docs/testing.md, as it is there (`scripts/check pages`).
@Test func theAppTransfersOverASocket() async throws {
    let server = SimulatedServer()
    let host = try SimulatedHost(
        server,
        serving: [
            Bank.LogIn(user: "", password: ""), Bank.ListAccounts(), Bank.GetAccount(accountID: 0),
            Bank.TransferFunds(fromAccount: 0, toAccount: 0, amount: 0),
        ])
    let bank = Bank(Bank.Server(url: host.url), session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
    try server.next(Bank.TransferFunds.self, .carriedOutThenCut)
    _ = try await bank.transferFunds(fromAccount: 1, toAccount: 2, amount: 5)
    #expect(server.carriedOut(Bank.TransferFunds.self).count == 1)
    #expect(server.received(Bank.TransferFunds.self).count == 2)
    await host.stop()
}

/// A simulated server on a socket, with clients that know nothing of it.
@Suite struct SimulatedHostTests {
    private func withHost(
        _ commands: [any Command], _ body: (SimulatedServer, SimulatedHost) async throws -> Void
    ) async throws {
        let server = SimulatedServer()
        let host = try SimulatedHost(server, serving: commands)
        do {
            try await body(server, host)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    private func send(
        _ method: String, _ url: String, _ headers: [String: String] = [:]
    ) async throws -> (status: Int, headers: [AnyHashable: Any], body: String) {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession(configuration: .ephemeral).data(for: request)
        let head = try #require(response as? HTTPURLResponse)
        return (head.statusCode, head.allHeaderFields, String(decoding: data, as: UTF8.self))
    }

    @Test func pathsLeadToCommands() async throws {
        let commands: [any Command] = [
            Bank.LogIn(user: "", password: ""), Bank.GetAccount(accountID: 0), Bank.CloseAccount(accountID: 0),
            Bank.ListAccounts(),
        ]
        try await withHost(commands) { (server: SimulatedServer, host: SimulatedHost) async throws in
            for command in [Bank.GetAccount.endpoint, Bank.ListAccounts.endpoint] {
                #expect(command.session == .required)
            }
            // Without a session, and with the contract's own error for it.
            #expect(try await send("GET", host.url + "/accounts?page=1").status == 401)
            #expect(try await send("GET", host.url + "/accounts/7").status == 401)
            #expect(try await send("DELETE", host.url + "/accounts/7").status == 401)
            #expect(server.received.map(\.endpoint) == ["Bank.listAccounts", "Bank.getAccount", "Bank.closeAccount"])

            let other = try await send("PUT", host.url + "/accounts/7")
            #expect(other.status == 405 && other.headers["Allow"] as? String == "GET, HEAD, DELETE", "\(other)")
            for path in ["/", "/accounts/", "/accounts/7/", "/accounts/7/8", "/account/7"] {
                let nothing = try await send("GET", host.url + path)
                #expect(
                    nothing.status == 404 && nothing.body.contains("no command with the path \(path)"), "\(nothing)")
            }
            #expect(server.received.count == 3)
        }
    }

    @Test func faultsOfAPlanArrive() async throws {
        try await withHost([Bank.LogIn(user: "", password: "")]) {
            (server: SimulatedServer, host: SimulatedHost) async throws in
            let url = host.url + "/sessions"
            server.faults = FaultPlan([.unavailable: 1])
            #expect(try await send("POST", url).status == 503)
            server.faults = FaultPlan([.garbage: 1])
            #expect(try await send("POST", url).body.contains("<"))
            let count = server.carriedOut(Bank.LogIn.self).count
            server.faults = FaultPlan([.cutAfter: 1])
            await #expect(throws: URLError.self) { try await send("POST", url) }
            #expect(server.carriedOut(Bank.LogIn.self).count == count + 1)
            server.faults = .none
            #expect(try await send("POST", url).status == 200)
            server.isDown = true
            await #expect(throws: URLError.self) { try await send("POST", url) }
        }
    }

    @Test func aStreamArrivesInParts() async throws {
        try await withHost([Everything.WatchRows()]) { (server: SimulatedServer, host: SimulatedHost) async throws in
            server.accept(token: "5e55104")
            try server.next(Everything.WatchRows.self, .streams(.asUsual, .pause(.milliseconds(20)), .asUsual))
            let rows = try await send("GET", host.url + "/rows", ["Authorization": "Bearer 5e55104"])
            #expect(rows.status == 200 && rows.headers["Content-Type"] as? String == "text/event-stream", "\(rows)")
            #expect(rows.body.hasPrefix("id: 1\ndata: ") && rows.body.contains("id: 2\n"), "\(rows)")
            #expect(rows.body.hasSuffix("data: [DONE]\n\n"), "\(rows)")
        }
    }

    #if os(Linux) || os(macOS)
    @Test func anotherProgramCalls() async throws {
        try await withHost([Bank.LogIn(user: "", password: "")]) {
            (server: SimulatedServer, host: SimulatedHost) async throws in
            let curl = Process()
            curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            curl.arguments = [
                "curl", "-sS", "--noproxy", "*", "--data", #"{"user":"ada","password":"x"}"#, host.url + "/sessions",
            ]
            let pipe = Pipe()
            curl.standardOutput = pipe
            let status = await withCheckedContinuation { waiter in
                curl.terminationHandler = { waiter.resume(returning: $0.terminationStatus) }
                do { try curl.run() } catch { waiter.resume(returning: -1) }
            }
            #expect(status == 0)
            let output = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            #expect(output.contains("simulated-access-"), "\(output)")
            #expect(server.carriedOut(Bank.LogIn.self).count == 1)
        }
    }
    #endif

    @Test func aStoppedHostIsGone() async throws {
        let host = try SimulatedHost(SimulatedServer(), serving: [Bank.ListAccounts()])
        #expect(try await send("GET", host.url + "/accounts").status == 401)
        await host.stop()
        await #expect(throws: URLError.self) { try await send("GET", host.url + "/accounts") }
    }

    @Test func aConnectionBeginsWithAHandshake() async throws {
        try await withHost([Presence.SendMessage(room: 1, text: "")]) {
            (server: SimulatedServer, host: SimulatedHost) async throws in
            let plain = try await send("GET", host.url + "/")
            #expect(plain.status == 426 && plain.headers["Upgrade"] as? String == "websocket", "\(plain)")
            #expect(try await send("GET", host.url + "/rooms").status == 404)
            #expect(server.openedConnectionCount == 0)
        }
        try await withHost([Bank.ListAccounts()]) { (_: SimulatedServer, host: SimulatedHost) async throws in
            #expect(try await send("GET", host.url + "/").status == 404, "no contract has a connection")
        }
    }
}
