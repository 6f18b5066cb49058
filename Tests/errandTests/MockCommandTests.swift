import BankClient
import Foundation
import Testing

/// `errand mock`, as a process: the generated client calls it, and the log says what happened.
@Suite struct MockCommandTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let contract = root.appendingPathComponent("contracts/bank.contract.yaml").path

    private func bank(_ mock: RunningMock) -> Bank {
        Bank(.local(port: "\(mock.port)"), session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
    }

    @Test func theGeneratedClientWorksWithIt() async throws {
        let mock = try RunningMock([Self.contract])
        let bank = bank(mock)
        let accounts = try await bank.listAccounts()
        let first = try #require(accounts.first)
        #expect(first.owner == "Ada Lovelace")
        #expect(try await bank.getAccount(accountID: first.id).owner == first.owner)
        #expect(try await bank.renameAccount(accountID: first.id, nickname: "Holidays").nickname == "Holidays")
        try await bank.closeAccount(accountID: first.id)
        #expect(try await bank.listAccounts().count == accounts.count - 1)
        do throws(Bank.GetAccountFailure) {
            _ = try await bank.getAccount(accountID: first.id)
            Issue.record("the account is closed")
        } catch .noSuchAccount {
        } catch {
            Issue.record("\(error)")
        }
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 900_000)
            Issue.record("the example has a failure")
        } catch .insufficientFunds(let failure) {
            #expect(failure.data?.amount == 900_000)
        } catch {
            Issue.record("\(error)")
        }
        mock.stop()
        #expect(mock.lines.contains { $0.contains("GET /v1/accounts?page=1  listAccounts  200") }, "\(mock.lines)")
    }

    @Test func aCommandIsSentAgainWithItsKey() async throws {
        let folder = try ProjectFolder()
        try folder.write(
            """
            scenario: 1
            failures:
              - {endpoint: transferFunds, fail: cut-after, times: 1}
              - {endpoint: listAccounts, fail: expired, times: 1}
            """, to: "story.yaml")
        let mock = try RunningMock([Self.contract, "--scenario", "story.yaml"], in: folder.url)
        let bank = bank(mock)
        guard case .completed = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 20) else {
            Issue.record("the transfer is completed")
            return
        }
        #expect(try await bank.listAccounts().isEmpty == false)
        mock.stop()
        #expect(mock.lines.contains { $0.contains("transferFunds  no response  cut-after") }, "\(mock.lines)")
        #expect(
            mock.lines.contains { $0.contains("known by its key  (sent again with the same key after ") },
            "\(mock.lines)")
        #expect(mock.lines.count { $0.contains("  logIn  200") } == 2, "the session expired once: \(mock.lines)")
    }

    @Test func failuresOfTheCommandLineArePlayed() async throws {
        let mock = try RunningMock([
            Self.contract, "--fail", "getAccount=noSuchAccount", "--fail", "*=slow=50ms", "--latency", "1ms..20ms",
            "--seed", "7",
        ])
        #expect(mock.greeting.contains("(seed 7;"), "\(mock.greeting)")
        do throws(Bank.GetAccountFailure) {
            _ = try await bank(mock).getAccount(accountID: 1)
            Issue.record("it fails")
        } catch .noSuchAccount {
        } catch {
            Issue.record("\(error)")
        }
        mock.stop()
    }

    @Test func anEditedContractIsTakenOver() async throws {
        let folder = try ProjectFolder()
        let text = """
            errand: 1
            service: Shop
            servers: {local: http://127.0.0.1:8080}
            endpoints:
              greet: {get: /greeting, response: {text: string}, session: none}
            """
        try folder.write(text, to: "shop.contract.yaml")
        let mock = try RunningMock(["shop.contract.yaml"], in: folder.url)
        try folder.write(text.replacing("string", with: "strng"), to: "shop.contract.yaml")
        #expect(
            mock.waitForComplaint("there is no type `strng`") || mock.waitForComplaint("unknown-type"),
            "\(mock.complaints)")
        #expect(mock.waitForComplaint("goes on with the contract as it was"))
        #expect(try await mock.status(of: "/greeting") == 200)
        try folder.write(text.replacing("/greeting", with: "/hello"), to: "shop.contract.yaml")
        #expect(mock.waitForLine("Shop was edited"))
        #expect(try await mock.status(of: "/hello") == 200)
        #expect(try await mock.status(of: "/greeting") == 404)
        mock.stop()
    }

    @Test func whatCannotRunIsSaid() throws {
        let folder = try ProjectFolder()
        let mock = try RunningMock([Self.contract])
        let run = { (arguments: [String]) in try CommandRun(["mock"] + arguments, in: folder.url) }
        let taken = try run([Self.contract, "--port", "\(mock.port)"])
        #expect(taken.status == 2 && taken.complaints.contains("port \(mock.port) is in use"), "\(taken.complaints)")
        mock.stop()
        try folder.write(
            "scenario: 2\nseed: x\nfailures: [{endpoint: a, fail: b, rate: 2}, {times: 1}, {endpont: listAccounts, fail: slow}]\n",
            to: "bad.yaml")
        let bad = try run([Self.contract, "--port", "0", "--scenario", "bad.yaml"])
        #expect(bad.status == 2)
        for words in [
            "the version of a scenario is 1", "`seed` cannot be `x`", "`rate` cannot be `2`", "needs `fail`",
            "no key `endpont`", "bad.yaml:3:",
        ] { #expect(bad.complaints.contains(words), "\(words): \(bad.complaints)") }
        try folder.write(
            "scenario: 1\nfailures: [{endpoint: listAccount, fail: slow}, {fail: insuficientFunds}]\n", to: "names.yaml"
        )
        let names = try run([Self.contract, "--port", "0", "--scenario", "names.yaml"])
        #expect(names.status == 2 && names.complaints.contains("did you mean `listAccounts`?"), "\(names.complaints)")
        #expect(names.complaints.contains("did you mean `insufficientFunds`?"), "\(names.complaints)")
        for arguments in [
            ["--rate", "2"], ["--rate", "0.5"], ["--latency", "fast"], ["--port", "70000"], ["--fail", "slow"],
            ["--session-lifetime", "0"], ["--event-interval", "often"],
        ] {
            #expect(try run([Self.contract] + arguments).status == 2, "\(arguments)")
        }
        #expect(
            try run([Self.contract, "--port", "0", "--host", "nowhere"]).complaints.contains("not an IPv4 address"))
    }

    @Test func aContractWithFramesIsPlayed() async throws {
        let contract = Self.root.appendingPathComponent("contracts/presence.contract.yaml").path
        let mock = try RunningMock([contract, "--fail", "handshake=slow=1ms", "--event-interval", "0s"])
        #expect(mock.greeting.hasPrefix("Presence on ws://127.0.0.1:\(mock.port)/v1  (seed 0"))
        // A client that knows only HTTP is told what the service is.
        #expect(try await mock.status(of: "/v1") == 426)
        #expect(mock.waitForLine("the service is a WebSocket connection"))
        mock.stop()
    }
}

/// The mock server as another process.
private final class RunningMock {
    struct NotStarted: Error, CustomStringConvertible { let description: String }

    let port: Int
    let greeting: String
    private let process = Process()
    private let output: URL
    private let errors: URL
    private let folder: ProjectFolder

    init(_ arguments: [String], in place: URL? = nil) throws {
        folder = try ProjectFolder()
        output = folder.url.appendingPathComponent("out")
        errors = folder.url.appendingPathComponent("err")
        for file in [output, errors] { try Data().write(to: file) }
        process.executableURL = try CommandRun.tool()
        process.arguments = ["mock"] + arguments + ["--port", "0"]
        process.currentDirectoryURL = place ?? folder.url
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let (process, output, errors) = (process, output, errors)
        let greeting = Self.wait(
            for: { Self.text(output).split(separator: "\n").first.map(String.init) }, while: { process.isRunning })
        guard let greeting, let place = greeting.firstRange(of: "127.0.0.1:"),
            let port = Int(greeting[place.upperBound...].prefix(while: \.isNumber))
        else { throw NotStarted(description: Self.text(errors)) }
        self.port = port
        self.greeting = greeting
    }

    deinit { stop() }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    var lines: [String] { Self.text(output).split(separator: "\n").map(String.init) }
    var complaints: String { Self.text(errors) }

    func waitForLine(_ words: String) -> Bool { wait(for: words, in: output) }
    func waitForComplaint(_ words: String) -> Bool { wait(for: words, in: errors) }

    private func wait(for words: String, in file: URL) -> Bool {
        let process = process
        return Self.wait(for: { Self.text(file).contains(words) ? true : nil }, while: { process.isRunning }) ?? false
    }

    /// Looks again and again until there is a result, for a minute at most.
    private static func wait<Result>(for result: () -> Result?, while holds: () -> Bool) -> Result? {
        let end = Date(timeIntervalSinceNow: 60)
        while Date() < end {
            if let found = result() { return found }
            guard holds() else { return result() }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return nil
    }

    private static func text(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// The status of a response, from curl's point of view: a process that knows nothing of Errand.
    func status(of path: String) async throws -> Int? {
        let curl = Process()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        curl.arguments = [
            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "*", "http://127.0.0.1:\(port)\(path)",
        ]
        let pipe = Pipe()
        curl.standardOutput = pipe
        try curl.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        curl.waitUntilExit()
        return Int(text)
    }
}
