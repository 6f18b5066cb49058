import BankClient
import ErrandUI
import Foundation
import UIKit

// The third document: an error travels up the chain of responders, from a view to the app delegate. Any of them handles it, passes it on
// or tries again.

final class TransferViewController: UIViewController, ErrorHandlingResponder {
    private let bank: Bank
    private let hint = UILabel()

    init(bank: Bank) {
        self.bank = bank
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func send() async {
        do {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500)
        } catch {
            raise(error, through: bank) { [weak self] in await self?.send() }
        }
    }

    /// What is this screen's own. Everything else goes on.
    func handle(_ incident: Incident) async -> IncidentAnswer {
        guard incident.name == "insufficientFunds" else { return .pass }
        hint.text = incident.message
        return .handled
    }
}

final class AppDelegate: UIResponder, UIApplicationDelegate, ErrorHandlingResponder {
    let presenter = ErrorPresenter()
    lazy var bank = Bank(on: Dispatcher(responder: presenter))

    /// The last one in the chain: what no other has handled is an alert, unless the app says otherwise.
    func handle(_ incident: Incident) async -> IncidentAnswer {
        incident.name == "accountFrozen" ? .recategorize(.requiresLogout) : .pass
    }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    private var alert: ErrorAlert?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let app = UIApplication.shared.delegate as? AppDelegate else { return }
        alert = ErrorAlert(app.presenter, in: scene as? UIWindowScene)
    }

    func sceneDidBecomeActive(_ scene: UIScene) { alert?.activate() }
}
