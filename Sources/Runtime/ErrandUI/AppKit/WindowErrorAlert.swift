#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import ErrandRuntime

/// Shows presentations in a window, each as a sheet with the system's alert. One for each window.
@MainActor public final class WindowErrorAlert {
    private weak var window: NSWindow?
    private let host: PresentationHost
    private let showLogin: (@MainActor (_ isWanted: Bool) -> Void)?
    private var following: Task<Void, Never>?
    private var alert: NSAlert?
    private var shown: ErrorPresentation?
    private var isLoginWanted = false

    /// - Parameters:
    ///   - presenter: decides what is shown.
    ///   - window: the window of the alerts.
    ///   - showLogin: shows or removes the login screen above the content. The screen logs in through
    ///     ``ErrorPresenter/loginClient(_:)``, so that the commands that wait go on. Call `presenter.endLogin(isLoggedIn:)` where
    ///     the person closes it. Nil for an app without one.
    public init(
        _ presenter: ErrorPresenter, in window: NSWindow, showLogin: (@MainActor (_ isWanted: Bool) -> Void)? = nil
    ) {
        self.window = window
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

    /// The window has come to the front: call this in `windowDidBecomeKey(_:)`.
    public func activate() { host.activate() }

    private func update() {
        let state = host.state
        if state.isLoginWanted != isLoginWanted {
            isLoginWanted = state.isLoginWanted
            showLogin?(isLoginWanted)
        }
        guard state.presentation != shown else { return }
        if let old = shown, old.id != state.presentation?.id {
            // Its completion handler goes on.
            if let alert { window?.endSheet(alert.window) } else { finish(old) }
        } else if let presentation = state.presentation {
            if shown == nil { open(presentation) } else { alert?.informativeText = presentation.text }
            shown = presentation
        }
    }

    private func open(_ presentation: ErrorPresentation) {
        guard let window else { return host.detach() }
        let alert = NSAlert()
        alert.messageText = presentation.title
        alert.informativeText = presentation.text
        for button in presentation.buttons {
            let made = alert.addButton(withTitle: button.title)
            // Escape.
            if button.isCancel { made.keyEquivalent = "\u{1B}" }
        }
        self.alert = alert
        alert.beginSheetModal(for: window) { [weak self] response in
            let index = response.rawValue - NSApplication.ModalResponse.alertFirstButtonReturn.rawValue
            if presentation.buttons.indices.contains(index) {
                self?.host.choose(presentation.buttons[index].action, of: presentation.id)
            }
            self?.finish(presentation)
        }
    }

    /// The sheet has closed, for any reason.
    private func finish(_ presentation: ErrorPresentation) {
        guard shown?.id == presentation.id else { return }
        (alert, shown) = (nil, nil)
        // If the window itself has ended the sheet, for instance because it was closed, the sheet gives no answer.
        host.choose(.dismiss, of: presentation.id)
        host.didClose(presentation.id)
        update()
    }
}
#endif
