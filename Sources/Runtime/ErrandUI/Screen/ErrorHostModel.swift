public import ErrandRuntime
public import Observation

/// What one window shows: the presentation, and login or content. The model of `errandHost`, and usable without SwiftUI.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class ErrorHostModel {
    /// The current presentation; nil without one.
    public private(set) var presentation: ErrorPresentation?
    /// Whether the login screen is to be shown above the content.
    public private(set) var isLoginWanted = false
    /// Whether the window shows its login or its content.
    public private(set) var screen = SessionScreen.undecided
    /// How often a session has begun after a time without one. A screen that could not load without a session then tries again.
    public private(set) var logins = 0
    /// How often one login has taken the place of another without a logout between them, also of one that has expired. Without an
    /// `identity` in the contract, only this tells two users apart, so that no user sees the content of the one before.
    public private(set) var replacements = 0
    /// Where the screens of the window send their errors.
    public private(set) var reporter: ErrorReporter

    @ObservationIgnored private let presenter: ErrorPresenter
    @ObservationIgnored private let client: any ServiceClient
    @ObservationIgnored private let categories: ErrorCategories
    @ObservationIgnored private var host: PresentationHost?
    @ObservationIgnored private var hasSession = false
    /// The number of the login whose content the window shows; nil without one.
    @ObservationIgnored private var shownLogin: Int?

    /// - Parameters:
    ///   - client: whose session decides between login and content. Its dispatcher's responder is the presenter; where it is not, the
    ///     model has a presenter of its own, which shows the errors that the window reports.
    ///   - categories: what the app says about errors that are not its own.
    public init(_ client: any ServiceClient, categories: ErrorCategories = ErrorCategories()) {
        self.client = client
        self.categories = categories
        presenter = client.binding.dispatcher.lastResponder as? ErrorPresenter ?? ErrorPresenter()
        reporter = ErrorReporter(client, categories: categories)
    }

    /// Shows the presentations of this window, until the window is gone and the task is cancelled.
    ///
    /// - Parameter showsLogin: whether the window has a login screen.
    public func run(showsLogin: Bool = false) async {
        let host = presenter.attach(showsLogin: showsLogin)
        self.host = host
        reporter = ErrorReporter(client, host: host, categories: categories)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [session = client.binding.session] in
                for await phase in session.states { await self.show(phase) }
            }
            group.addTask { [presenter, session = client.binding.session] in await presenter.follow(session) }
            // As it is now: what the stream has may be older than the last choice.
            for await _ in host.states where self.host === host { show(host.state) }
            group.cancelAll()
        }
        host.detach()
        // A view that is replaced by another one of the window ends after that one has begun.
        guard self.host === host else { return }
        self.host = nil
        show(PresentedState())
    }

    /// A button was chosen.
    public func choose(_ action: PresentationAction) {
        guard let presentation else { return }
        choose(action, of: presentation.id)
    }

    /// A button of one presentation was chosen. Nothing happens if that presentation is gone.
    public func choose(_ action: PresentationAction, of presentation: ErrorPresentation.ID) {
        guard let host else { return }
        host.choose(action, of: presentation)
        show(host.state)
    }

    /// A presentation is off the screen, its animation over.
    public func didClose(_ presentation: ErrorPresentation.ID) {
        guard let host else { return }
        host.didClose(presentation)
        show(host.state)
    }

    /// The looks are gone without a choice: a swipe, the Escape key.
    public func dismiss(_ presentation: ErrorPresentation.ID) { choose(.dismiss, of: presentation) }

    /// The client for the login screen of the window: ``ErrorPresenter/loginClient(_:)``.
    public func loginClient<Client: ServiceClient>(_ client: Client) -> Client { presenter.loginClient(client) }

    /// The login screen is gone without a login.
    public func cancelLogin() {
        guard isLoginWanted else { return }
        presenter.endLogin(isLoggedIn: false)
        if let host { show(host.state) }
    }

    /// The window has come to the front.
    public func activate() { host?.activate() }

    private func show(_ state: PresentedState) {
        if presentation != state.presentation { presentation = state.presentation }
        if isLoginWanted != state.isLoginWanted { isLoginWanted = state.isLoginWanted }
    }

    private func show(_ phase: SessionPhase) {
        let login = client.binding.session.loginNumber
        switch phase {
        case .loggedOut: (hasSession, shownLogin) = (false, nil)
        case .expired: (hasSession, shownLogin) = (false, shownLogin ?? login)
        case .renewing: shownLogin = shownLogin ?? login
        case .loggedIn:
            if !hasSession { logins += 1 }
            if let shownLogin, shownLogin != login { replacements += 1 }
            (hasSession, shownLogin) = (true, login)
        }
        let next = screen.following(phase)
        if screen != next { screen = next }
    }
}
