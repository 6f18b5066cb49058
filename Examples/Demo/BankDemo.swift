import BankClient
import ErrandTesting
import ErrandUI
import Foundation
import TestServices

/// Runs the generated bank client against a bank on this machine. It first shows the daily work of a screen, then the failures
/// that concern all screens at once. The bank counts the requests that the demo reports. If a count differs from the promised
/// one, the exit status is 1. With the URL of another bank, it runs three commands against that one. With `serve`, it is only the bank.
@main
struct BankDemo {
    let narrator = Narrator()
    /// A network that goes and comes when the demo says so.
    let network = ScriptedPathMonitor()
    /// Says what is wrong for all commands, and asks what to do about it.
    let terminal = ScriptedTerminal()
    let presenter: ErrorPresenter
    let host: TerminalHost
    let service: BankService
    let bank: Bank

    static func main() async throws {
        // `BankDemo http://127.0.0.1:8080/v1` visits a server that runs already.
        if let url = CommandLine.arguments.dropFirst().first {
            if url == "serve" { return try await serve() }
            let narrator = Narrator()
            await AnotherServer(url, narrator).visit()
            return narrator.finish()
        }
        let service = try await BankService.start()
        let demo = BankDemo(service: service)
        try await demo.host.run { try await demo.tell() }
        await service.stop()
        demo.narrator.finish()
    }

    /// The bank alone, until the standard input ends. The first line has its URL.
    private static func serve() async throws {
        let service = try await BankService.start()
        try FileHandle.standardOutput.write(contentsOf: Data("\(service.url)\n".utf8))
        // The bank is on the tasks of this process, of which none may be blocked.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while readLine() != nil {}
                continuation.resume()
            }
        }
        await service.stop()
    }

    private init(service: BankService) {
        self.service = service
        presenter = ErrorPresenter(texts: PresentationTexts(languages: ["en"]), showsTechnicalLine: false)
        host = TerminalHost(presenter, on: terminal)
        let route = RouteToThisMachine(named: Bank.Server.production.url, local: service.url)
        bank = Bank(
            .production, on: Dispatcher(transport: route, network: network, responder: presenter),
            session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
    }

    private func tell() async throws {
        narrator.title("The client of contracts/bank.contract.yaml, with a bank at \(service.url)")
        await logIn()
        await listAccounts()
        await transfer(100, wanted: .booking)
        await transfer(900_000, wanted: .insufficientFunds)
        await transfer(10_000, wanted: .approval)
        await transferWhileTheServerIsDown()
        try await downloadAPicture()
        narrator.title("\nThe same client, when something goes wrong for all of its commands at once")
        await loseEverySession()
        try await loseTheServer()
        try await readWithoutTheNetwork()
        try await loseTheNetwork()
        let violations = await service.violations
        narrator.title("\nWhat the bank has to say of it")
        narrator.claim(
            violations.isEmpty,
            violations.isEmpty
                ? "every request was as the contract says"
                : "\(violations.count) requests were not as the contract says")
        try await loseTheConnection()
        try await outliveTheProcess()
    }

    /// Waits until something holds; false if it does not within ten seconds.
    func comesTrue(_ condition: () async -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if await condition() { return true }
            // A pause that is cut short only asks sooner.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return await condition()
    }
}
