#if canImport(UIKit) && !os(watchOS)
import ErrandRuntime
public import UIKit

/// Shows presentations in a window scene, each as the system's alert. One for each scene:
///
///     func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
///         errorAlert = ErrorAlert(presenter, in: scene as? UIWindowScene)
///     }
///
/// The alert has a window of its own above all others. It therefore neither collides with a presentation of the app that is
/// being dismissed, nor disappears with one.
@MainActor public final class ErrorAlert {
    private weak var scene: UIWindowScene?
    private let host: PresentationHost
    private let showLogin: (@MainActor (_ isWanted: Bool) -> Void)?
    private var following: Task<Void, Never>?
    private var window: UIWindow?
    private var alert: UIAlertController?
    private var shown: ErrorPresentation?
    private var isLoginWanted = false

    /// - Parameters:
    ///   - presenter: decides what is shown.
    ///   - scene: the scene of the alerts.
    ///   - showLogin: shows or removes the login screen above the content. The screen logs in through
    ///     ``ErrorPresenter/loginClient(_:)``, so that the commands that wait go on. Call `presenter.endLogin(isLoggedIn:)` where
    ///     the person closes it. Nil for an app without one.
    public init(
        _ presenter: ErrorPresenter, in scene: UIWindowScene?,
        showLogin: (@MainActor (_ isWanted: Bool) -> Void)? = nil
    ) {
        self.scene = scene
        self.showLogin = showLogin
        host = presenter.attach(showsLogin: showLogin != nil)
        following = Task { [weak self, states = host.states] in
            for await _ in states { self?.update() }
        }
    }

    deinit {
        following?.cancel()
        host.detach()
    }

    /// The scene has come to the front: call this in `sceneDidBecomeActive(_:)`.
    public func activate() { host.activate() }

    private func update() {
        let state = host.state
        if state.isLoginWanted != isLoginWanted {
            isLoginWanted = state.isLoginWanted
            showLogin?(isLoginWanted)
        }
        guard state.presentation != shown else { return }
        if let old = shown, old.id != state.presentation?.id {
            close(old)
        } else if let presentation = state.presentation {
            if shown == nil { open(presentation) } else { alert?.message = presentation.text }
            shown = presentation
        }
    }

    private func open(_ presentation: ErrorPresentation) {
        guard let scene else { return host.detach() }
        let alert = UIAlertController(
            title: presentation.title, message: presentation.text, preferredStyle: .alert)
        for button in presentation.buttons {
            let action = UIAlertAction(title: button.title, style: button.isCancel ? .cancel : .default) {
                [weak self] _ in
                // The system has taken the alert away by itself.
                self?.alert = nil
                self?.host.choose(button.action, of: presentation.id)
            }
            alert.addAction(action)
            if !button.isCancel, alert.preferredAction == nil { alert.preferredAction = action }
        }
        let window = UIWindow(windowScene: scene)
        window.windowLevel = .alert
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        window.rootViewController?.present(alert, animated: true)
        self.window = window
        self.alert = alert
    }

    private func close(_ presentation: ErrorPresentation) {
        guard let alert else { return finish(presentation) }
        alert.dismiss(animated: true) { [weak self] in self?.finish(presentation) }
    }

    private func finish(_ presentation: ErrorPresentation) {
        window?.isHidden = true
        (window, alert, shown) = (nil, nil, nil)
        host.didClose(presentation.id)
    }
}
#endif
