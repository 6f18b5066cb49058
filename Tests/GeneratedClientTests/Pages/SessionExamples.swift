import BankClient
import ConversationsClient
import ErrandRuntime
import Foundation

// The examples of `docs/sessions.md`, word for word. `PageTests` compares the two.

/// Keeps the session where the rest of the app's secrets are.
struct VaultStore: SessionStore {
    let vault: Vault
    func load() async -> SessionTokens? { await vault.tokens }
    func save(_ tokens: SessionTokens?) async { await vault.keep(tokens) }
}

actor Vault {
    private(set) var tokens: SessionTokens?
    func keep(_ tokens: SessionTokens?) { self.tokens = tokens }
}

struct PasswordForm: Sendable {
    func askForPassword() async -> Bank.LogIn? { Bank.LogIn(user: "ada", password: "lovelace") }
}

func sharedSession(_ folder: String, _ app: PasswordForm, _ dispatcher: Dispatcher, _ device: UUID) -> (
    Bank, Conversations
) {
    let store = FileSessionStore(path: folder + "/session.json")
    let session = Session(store: store) { await app.askForPassword() }
    let bank = Bank(on: dispatcher, session: session)
    let messages = Conversations(on: dispatcher, session: session, common: .init(deviceID: device))
    return (bank, messages)
}

@MainActor final class Screens {
    enum Screen { case login, accounts }
    private(set) var screen = Screen.login

    func follow(_ session: Session) async {
        for await phase in session.states {
            switch phase {
            case .loggedOut, .expired: screen = .login
            case .loggedIn, .renewing: screen = .accounts
            }
        }
    }
}

struct KnownUser: Sendable {
    let id: String
}

func begin(_ session: Session, _ token: String, _ user: KnownUser) async {
    await session.begin(SessionTokens(access: token, identity: user.id))
}

/// Shows the login form, and logs in for the commands that wait.
struct LoginForm: Responder {
    let bank: Bank
    let askForPassword: @Sendable () async -> Bank.LogIn?

    func respond(to incident: Incident) async -> IncidentAnswer {
        guard case .session = incident.scope, let login = await askForPassword() else { return .pass }
        let isLoggedIn = (try? await incident.client(bank).send(login)) != nil
        return isLoggedIn ? .retry : .fail
    }
}
