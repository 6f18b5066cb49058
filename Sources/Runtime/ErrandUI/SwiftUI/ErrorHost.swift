#if canImport(SwiftUI)
public import ErrandRuntime
public import SwiftUI

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension View {
    /// Shows what goes wrong in this window, and gives the views inside it somewhere to send their errors. At the root of each window, and
    /// at that of each sheet: what is below a sheet cannot show an alert above it.
    ///
    ///     WindowGroup { FeedScreen(video: video).errandHost(video) }
    ///
    /// - Parameters:
    ///   - client: a client whose dispatcher has an ``ErrorPresenter`` as its responder.
    ///   - categories: what the app says about errors that are not its own.
    public func errandHost(
        _ client: some ServiceClient, categories: ErrorCategories = ErrorCategories()
    ) -> some View {
        modifier(ErrorHostModifier(client, categories) { AnyView($0) })
    }

    /// The same for an app with a login screen: it is there instead of this view while no user is logged in, and above it where a user
    /// has to log in again. What this view shows and what was entered in it stays then.
    ///
    ///     HomeScreen(services: services)
    ///         .errandHost(services.video) { video in LoginScreen(video: video) }
    ///
    /// - Parameter login: the login screen. It sends a login command through the given client, and does nothing else: the session's
    ///   states do the rest. While commands wait for the login, it is a client whose login continues their session
    ///   (``ErrorPresenter/loginClient(_:)``).
    public func errandHost<Client: ServiceClient, LoginScreen: View>(
        _ client: Client, categories: ErrorCategories = ErrorCategories(),
        @ViewBuilder login: @escaping @MainActor (_ client: Client) -> LoginScreen
    ) -> some View {
        modifier(
            ErrorHostModifier(client, categories, login: { model in AnyView(login(model.loginClient(client))) }) {
                content in
                AnyView(SessionSwitch(content: content) { login(client) })
            })
    }
}

/// Login or content, as the session says.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private struct SessionSwitch<Content: View, LoginScreen: View>: View {
    let content: Content
    let login: @MainActor () -> LoginScreen
    @Environment(\.sessionScreen) private var screen
    @Environment(\.loginReplacements) private var replacements

    var body: some View {
        switch screen {
        case .undecided: ProgressView()
        case .login: login()
        // Another user sees nothing of the one before.
        case .content(let identity): content.id(ContentOwner(identity: identity, replacements: replacements))
        }
    }
}

/// The user whose content is shown, as far as the session tells users apart.
private struct ContentOwner: Hashable {
    let identity: String?
    let replacements: Int
}

/// Makes the login screen of a window, for a host that shows it above its content.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
typealias LoginBuilder = @MainActor (_ host: ErrorHostModel) -> AnyView

/// Runs the model of one window or sheet, and draws what it says.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct ErrorHostModifier: ViewModifier {
    @State private var model: ErrorHostModel
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.errorLooks) private var looks
    @Environment(\.errorLogin) private var outerLogin
    private let client: any ServiceClient
    private let categories: ErrorCategories
    private let ownLogin: LoginBuilder?
    private let wrap: @MainActor (Content) -> AnyView

    init(
        _ client: any ServiceClient, _ categories: ErrorCategories, login: LoginBuilder? = nil,
        wrap: @escaping @MainActor (Content) -> AnyView
    ) {
        _model = State(wrappedValue: ErrorHostModel(client, categories: categories))
        self.client = client
        self.categories = categories
        ownLogin = login
        self.wrap = wrap
    }

    /// A sheet of the app uses the login screen of its window.
    private var login: LoginBuilder? { ownLogin ?? outerLogin }

    func body(content: Content) -> some View {
        wrap(content)
            .environment(\.errorReporter, model.reporter)
            .environment(\.sessionScreen, model.screen)
            .environment(\.loginCount, model.logins)
            .environment(\.loginReplacements, model.replacements)
            .environment(\.errorLogin, login)
            .sheet(isPresented: isLoginShown) { loginSheet }
            .modifier(PresentationLooks(model: model, custom: looks))
            .task { await model.run(showsLogin: login != nil) }
            .onChange(of: scenePhase) { _, phase in if phase == .active { model.activate() } }
    }

    /// A view below a sheet cannot show an alert. So the sheet is a host of its own, with no other login above it.
    @ViewBuilder private var loginSheet: some View {
        if let login {
            // Erased: the type of this modifier would have itself in it.
            AnyView(
                login(model).modifier(ErrorHostModifier(client, categories) { AnyView($0) })
                    .environment(\.errorLogin, nil))
        }
    }

    /// The sheet is shown while a login is wanted. A person who swipes it away does not want to log in.
    private var isLoginShown: Binding<Bool> {
        Binding(
            get: { @MainActor in model.isLoginWanted && login != nil },
            set: { @MainActor isShown in if !isShown { model.cancelLogin() } })
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension EnvironmentValues {
    /// Where a view sends its errors: through the handlers around it, and then to what shows them.
    ///
    ///     @Environment(\.errorReporter) private var errors
    ///     …
    ///     catch { await errors.report(error) }
    public var errorReporter: ErrorReporter {
        get { self[ErrorReporterKey.self] }
        set { self[ErrorReporterKey.self] = newValue }
    }

    /// Whether the window shows its login or its content.
    public var sessionScreen: SessionScreen {
        get { self[SessionScreenKey.self] }
        set { self[SessionScreenKey.self] = newValue }
    }

    var errorLogin: LoginBuilder? {
        get { self[ErrorLoginKey.self] }
        set { self[ErrorLoginKey.self] = newValue }
    }

    var loginCount: Int {
        get { self[LoginCountKey.self] }
        set { self[LoginCountKey.self] = newValue }
    }

    var loginReplacements: Int {
        get { self[LoginReplacementsKey.self] }
        set { self[LoginReplacementsKey.self] = newValue }
    }
}

private struct ErrorReporterKey: EnvironmentKey {
    static let defaultValue = ErrorReporter(nil)
}

private struct SessionScreenKey: EnvironmentKey {
    static let defaultValue = SessionScreen.undecided
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private struct ErrorLoginKey: EnvironmentKey {
    static var defaultValue: LoginBuilder? { nil }
}

private struct LoginReplacementsKey: EnvironmentKey {
    static let defaultValue = 0
}

private struct LoginCountKey: EnvironmentKey {
    static let defaultValue = 0
}
#endif
