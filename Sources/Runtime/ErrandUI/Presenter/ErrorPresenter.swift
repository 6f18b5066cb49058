public import ErrandRuntime

/// Decides what a person is shown about errors: one presentation at a time, the most important first.
///
/// An app has one presenter, which is the responder of its dispatcher:
///
///     let presenter = ErrorPresenter()
///     let bank = Bank(on: Dispatcher(responder: presenter), session: session)
///
/// The presenter depends on no UI framework. A window or a terminal is a ``PresentationHost`` of it, and shows the presenter's
/// state.
///
/// ## When a presentation closes
/// - A button was chosen.
/// - Its cause has ended: the network is back, the host responds, another window has logged in, or no command is affected any
///   more.
/// - The window has closed: another one then shows the presentation.
///
/// A presenter that no window or terminal is attached to passes at once: commands then end with their own errors, and builds with
/// `DEBUG` say so once. As soon as one is attached, it shows what goes wrong from then on. If the last window closes while it
/// shows something, the next one shows that.
///
/// The presenter doesn't show a command that the person has cancelled, a command of a user who logged out, and a failure that a
/// responder has already answered.
public final class ErrorPresenter: Responder {
    /// The way in which a person who chooses to log in does so.
    public enum Login: Sendable, Hashable {
        /// The app shows its login screen while ``PresentedState/isLoginWanted`` holds.
        case screen
        /// The session's own login closure is asked once more.
        case session
    }

    struct State: Sendable {
        var queue: PresentationQueue
        /// The incident of each open question.
        var incidents: [Int: Incident] = [:]
        var feeds: [Feed] = []
    }

    /// The state of one place.
    struct Feed: Sendable {
        let place: Int
        let followers: EventFollowers<PresentedState>
        var last = PresentedState()
    }

    let texts: PresentationTexts
    let showsTechnicalLine: Bool
    private let state: LockedState<State>

    /// All at once, because this type decides which question is shown first. The queue of a responder is first in, first out.
    public var maximumQuestions: Int { .max }

    /// - Parameters:
    ///   - login: the way in which a person who chooses to log in does so.
    ///   - texts: the words of titles and buttons, and of Errand's own messages.
    ///   - showsTechnicalLine: whether presentations contain the line for developers. Nil for builds with `DEBUG`.
    ///   - style: chooses the style of a presentation, if it isn't the usual one. It is called with the lock held, so it must
    ///     only choose.
    public init(
        login: Login = .screen, texts: PresentationTexts = .preferred, showsTechnicalLine: Bool? = nil,
        style: (@Sendable (ErrorPresentation) -> PresentationStyle)? = nil
    ) {
        #if DEBUG
        self.showsTechnicalLine = showsTechnicalLine ?? true
        #else
        self.showsTechnicalLine = showsTechnicalLine ?? false
        #endif
        self.texts = texts
        let queue = PresentationQueue(login: login) { id, content, actions, count in
            let usual = ErrorPresentation(id, content, actions, count: count, in: texts, content.style)
            guard let style else { return usual }
            return ErrorPresentation(id, content, actions, count: count, in: texts, style(usual))
        }
        state = LockedState { State(queue: queue) }
    }

    /// How many presentations wait for their turn.
    public var waitingCount: Int { state.withLock { $0.queue.waiting } }

    public func respond(to incident: Incident) async -> IncidentAnswer { await present(incident, at: nil) }

    /// Shows an incident, and waits for what the person chooses.
    func present(_ incident: Incident, at place: Int?) async -> IncidentAnswer {
        if incident.scope == .raised, incident.context.isSilent { return .fail }
        let answer = Suspension<IncidentAnswer>()
        let question = change { [content = content(of: incident)] state -> Int? in
            // No person would see it, and the commands would wait for that as long as they have patience.
            guard state.queue.hasPlace else { return nil }
            let question = state.queue.ask(content, at: place) { answer.end($0) }
            state.incidents[question] = incident
            return question
        }
        guard let question else {
            noteMissingPlace(incident)
            return .pass
        }
        defer { state.withLock { $0.incidents[question] = nil } }
        return await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await latest in incident.updates {
                        self.changeQueue { [content = self.content(of: latest)] in $0.update(question, content) }
                    }
                }
                let end = await answer.value(ifCancelled: .pass)
                group.cancelAll()
                return end
            }
        } onCancel: {
            // At once, and not when the task gets to run: what has ended is not on the screen any longer.
            changeQueue { $0.withdraw(question) }
            answer.end(.pass)
        }
    }

    /// Tells the developer that no person hears of errors.
    private func noteMissingPlace(_ incident: Incident) {
        DeveloperNotice.say(
            "presenter",
            """
            an `ErrorPresenter` has no place to present, so it passed on `\(incident.name)`, and no person has seen it. Attach a \
            place before commands are sent: `.errandHost(client)` on the root view, `ErrorAlert(presenter, in: scene)`, \
            `WindowErrorAlert(presenter, in: window)`, or `presenter.attach()` for one of your own.
            """)
    }

    private func content(of incident: Incident) -> PresentationContent {
        PresentationContent(incident, texts, showsTechnicalLine: showsTechnicalLine)
    }

    // MARK: Logging in

    /// Tells that the login screen is gone, for an app that shows one by itself. (A session that is followed tells of its logins.)
    ///
    /// - Parameter isLoggedIn: whether a session has begun: what needed one is tried again. Otherwise it ends with its error.
    public func endLogin(isLoggedIn: Bool) { changeQueue { $0.endLogin(isLoggedIn: isLoggedIn) } }

    /// The client for a login screen. Log in through it where the presenter has asked for the login (``PresentedState/isLoginWanted``):
    ///
    ///     _ = try await presenter.loginClient(bank).logIn(user: user, password: password)
    ///
    /// The login then continues the session whose commands wait for it, and they are sent with its token. A login through any other
    /// client may be another user's: without an `identity` in the contract, it begins a session of its own, and the commands that
    /// wait end with `sessionEnded`. The failures of this client's commands are thrown, and not presented (`Incident.client(_:)`).
    ///
    /// If no presentation waits for a login of the client's session, the client is returned unchanged. Call this method when the
    /// login screen opens, or when its button is tapped.
    public func loginClient<Client: ServiceClient>(_ client: Client) -> Client {
        let waiting = state.withLock { state in state.queue.questionsForLogin.compactMap { state.incidents[$0] } }
        return waiting.first { $0.affectsSession(of: client) }?.client(client) ?? client
    }

    /// Closes what asks for a login whenever a session begins, until the task is cancelled.
    public func follow(_ session: Session) async {
        var isFirst = true
        for await phase in session.states {
            if case .loggedIn = phase, !isFirst { changeQueue { $0.noteLogin() } }
            isFirst = false
        }
    }

    // MARK: Places

    /// Makes a place where presentations are shown: a window, or a terminal. It is gone when nothing holds it any longer.
    ///
    /// - Parameter showsLogin: whether it shows a login screen while ``PresentedState/isLoginWanted`` holds.
    public func attach(showsLogin: Bool = false) -> PresentationHost {
        let (place, followers) = change { state in
            let place = state.queue.attach(showsLogin: showsLogin)
            let followers = EventFollowers<PresentedState>(limit: 1)
            state.feeds.append(Feed(place: place, followers: followers))
            return (place, followers)
        }
        return PresentationHost(self, place, followers)
    }

    func detach(_ place: Int) {
        let followers = change { state in
            state.queue.detach(place)
            let followers = state.feeds.first { $0.place == place }?.followers
            state.feeds.removeAll { $0.place == place }
            return followers
        }
        followers?.finish()
    }

    /// Under the lock, under which followers are told, so that no change is missed or comes twice.
    func states(of place: Int, _ followers: EventFollowers<PresentedState>) -> AsyncStream<PresentedState> {
        state.withLock { state in
            let now = state.queue.state(of: place)
            return followers.stream { now }
        }
    }

    func currentState(of place: Int) -> PresentedState { state.withLock { $0.queue.state(of: place) } }

    @discardableResult
    func changeQueue<Value: Sendable>(_ body: @Sendable (inout PresentationQueue) -> Value) -> Value {
        change { body(&$0.queue) }
    }

    /// Takes a step, informs the places whose state has changed, and gives the answers when the lock is released.
    private func change<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value {
        let (value, answers) = state.withLock { state in
            let value = body(&state)
            for index in state.feeds.indices {
                let now = state.queue.state(of: state.feeds[index].place)
                guard now != state.feeds[index].last else { continue }
                state.feeds[index].last = now
                state.feeds[index].followers.tell(now)
            }
            return (value, state.queue.takeAnswers())
        }
        for (callback, answer) in answers { callback(answer) }
        return value
    }
}

extension ErrorPresentation {
    init(
        _ id: Int, _ content: PresentationContent, _ actions: [PresentationAction], count: Int,
        in texts: PresentationTexts, _ style: PresentationStyle
    ) {
        self.id = id
        title = content.title
        message = count > 1 ? content.message + "\n" + texts.more(count - 1) : content.message
        technicalLine = content.technicalLine
        category = content.category
        name = content.name
        self.count = count
        buttons = actions.map { PresentationButton(action: $0, title: texts.title(of: $0)) }
        self.style = style
    }
}
