import BankClient
import ErrandRuntime
import ErrandTesting
import Foundation
import Testing

@testable import ErrandUI

/// A login at the prompt, as `docs/screens.md` shows it (`scripts/check pages` compares the two).
@Suite struct LoginPromptTests {
    private let presenter = ErrorPresenter()

    /// The session asks again after a wrong password, and says so.
    @Test func aWrongPasswordIsAskedForAgain() async throws {
        let transport = ScriptedTransport { request, _ in
            guard request.url.hasSuffix("/sessions") else {
                let isKnown = request.headers["Authorization"] == "Bearer t"
                return TransportResponse(status: isKnown ? 200 : 401, body: Array(#"{"data":[]}"#.utf8))
            }
            guard String(decoding: request.body ?? [], as: UTF8.self).contains("lovelace") else {
                return TransportResponse(status: 401, body: Array(#"{"error":{"code":900001}}"#.utf8))
            }
            return TransportResponse(status: 200, body: Array(#"{"data":{"token":"t"}}"#.utf8))
        }
        let fake = FakeTerminal()
        let terminal = TerminalHost(presenter, on: fake.streams)
        let session = Session(asks: 3) { reason -> Bank.LogIn? in
            if let failure = reason.previousFailure { terminal.writeLine(failure.localizedDescription) }
            guard let user = await terminal.ask("User: ") else { return nil }
            guard let password = await terminal.askPassword("Password: ") else { return nil }
            return Bank.LogIn(user: user, password: password)
        }
        let bank = Bank(on: Dispatcher(transport: transport, responder: presenter), session: session)
        let accounts = try await terminal.run {
            async let accounts = bank.listAccounts()
            for (number, password) in ["byron", "lovelace"].enumerated() {
                await fake.reads("User: ", times: number + 1)
                fake.type("ada")
                await fake.reads("Password: ", times: number + 1)
                fake.type(password)
            }
            return try await accounts
        }
        #expect(accounts.isEmpty)
        #expect(fake.text.contains("The name or the password is wrong.\n"), "\(fake.text)")
        #expect(fake.isHidden == [true, false, true, false])
        #expect(!fake.text.contains("byron") && !fake.text.contains("lovelace"))
    }
}
