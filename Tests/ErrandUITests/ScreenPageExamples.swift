import BankClient
import ErrandTesting
import ErrandUI
import Foundation

/// What `docs/screens.md` shows and Linux compiles. `Examples/Screens` has the rest.
enum ScreenPageExamples {
    static func presenter(session: Session) {
        let presenter = ErrorPresenter()
        let bank = Bank(on: Dispatcher(responder: presenter), session: session)
        _ = bank
    }

    static func loginScreen(presenter: ErrorPresenter, bank: Bank, user: String, password: String) async throws {
        _ = try await presenter.loginClient(bank).logIn(user: user, password: password)
    }

    static func commandLine(presenter: ErrorPresenter, bank: Bank) async throws {
        let terminal = TerminalHost(presenter) { terminal in
            guard let user = await terminal.ask("User: ") else { return false }
            guard let password = await terminal.askPassword("Password: ") else { return false }
            return (try? await terminal.loginClient(bank).logIn(user: user, password: password)) != nil
        }
        let accounts = try await terminal.run { try await bank.listAccounts() }
        _ = accounts
    }

    static func progress(terminal: TerminalHost, bank: Bank, transfers: [Bank.TransferFunds]) async {
        let progress = terminal.progress("Booking", total: transfers.count)
        for transfer in transfers {
            _ = await bank.result(of: transfer)
            progress.advance()
        }
        progress.finish()
    }

    static func ownPlace(presenter: ErrorPresenter, panel: Panel) async {
        let host = presenter.attach()
        for await _ in host.states {
            let now = host.state.presentation
            if let old = panel.shown, old.id != now?.id {
                panel.close()
                host.didClose(old.id)
            }
            if let now { panel.show(now) { action in host.choose(action, of: now.id) } }
        }
    }

    final class Panel {
        var shown: ErrorPresentation?
        func close() { shown = nil }
        func show(_ presentation: ErrorPresentation, _ choose: @escaping (PresentationAction) -> Void) {
            shown = presentation
        }
    }

    static func texts(session: Session) {
        let texts = PresentationTexts(languages: ["de"]) { key in key == "errand.action.dismiss" ? "Verstanden" : nil }
        let presenter = ErrorPresenter(texts: texts)
        _ = presenter
    }
}
