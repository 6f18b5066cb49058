import ErrandRuntime

/// Decides what is shown, where and for how long. Without locks, clocks and frameworks: each step is a function of the state.
///
/// One entry is on the screen at a time. It leaves in one of four ways: a button is chosen, its cause ends, its place goes away,
/// or it waits for a login. The next one comes when the place says that the last one is gone.
struct PresentationQueue: Sendable {
    typealias Callback = @Sendable (IncidentAnswer) -> Void

    /// One error or incident that waits for its answer.
    private struct Question: Sendable {
        let entry: Int
        let answer: Callback
    }

    /// Questions that are shown as one presentation.
    private struct Entry: Sendable {
        enum Phase: Sendable, Equatable {
            case waiting
            case shown(host: Int)
            /// A person has chosen to log in, and the login screen is up.
            case loggingIn
        }

        let id: Int
        var content: PresentationContent
        /// The buttons are those that were offered when it came on the screen.
        var offered: [PresentationAction] = []
        var questions: [Int]
        /// The place that an error was raised at.
        let origin: Int?
        var phase = Phase.waiting
        /// The maximum number of errors that it has combined.
        var count = 1
    }

    /// A place where presentations can be shown: a window, as a rule.
    private struct Place: Sendable {
        let id: Int
        let showsLogin: Bool
        /// The place that was used last shows the next presentation.
        var lastUse: Int
    }

    /// How an offered login is carried out.
    let login: ErrorPresenter.Login
    private let makePresentation: @Sendable (Int, PresentationContent, [PresentationAction], Int) -> ErrorPresentation

    private var questions: [Int: Question] = [:]
    private var entries: [Int: Entry] = [:]
    private var places: [Place] = []
    /// The entry on the screen.
    private var shown: Int?
    /// The entry that a place has yet to take away.
    private var closing: (entry: Int, place: Int)?
    private var lastID = 0
    private var steps: [(Callback, IncidentAnswer)] = []

    /// How many raised errors wait one by one. Further errors are combined with similar ones.
    static let maximumWaiting = 8

    init(
        login: ErrorPresenter.Login,
        _ makePresentation:
            @escaping @Sendable (Int, PresentationContent, [PresentationAction], Int) -> ErrorPresentation
    ) {
        self.login = login
        self.makePresentation = makePresentation
    }

    /// The answers to give when the lock is released.
    mutating func takeAnswers() -> [(Callback, IncidentAnswer)] {
        defer { steps = [] }
        return steps
    }

    /// How many presentations wait for their turn.
    var waiting: Int { entries.values.count { $0.phase == .waiting } }

    /// Whether anything can be shown.
    var hasPlace: Bool { !places.isEmpty }

    /// The questions that a login answers, if a person has chosen to log in.
    var questionsForLogin: [Int] {
        entries.values.filter { $0.phase == .loggingIn }.sorted { $0.id < $1.id }.flatMap(\.questions)
    }

    /// Whether nothing is asked.
    var isEmpty: Bool { questions.isEmpty && entries.isEmpty }

    /// The state that a place shows.
    func state(of place: Int) -> PresentedState {
        var state = PresentedState()
        if let shown, let entry = entries[shown], entry.phase == .shown(host: place) {
            state.presentation = makePresentation(entry.id, entry.content, entry.offered, entry.count)
        }
        // Not while the presentation that has asked for it is still being taken away.
        state.isLoginWanted = closing == nil && loginPlace == place
        return state
    }

    /// The place that shows the login screen, if one is needed.
    private var loginPlace: Int? {
        guard entries.values.contains(where: { $0.phase == .loggingIn }) else { return nil }
        return places.filter(\.showsLogin).max { $0.lastUse < $1.lastUse }?.id
    }

    private mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    // MARK: Questions

    /// Adds a question; its answer is called once, unless it is withdrawn before.
    mutating func ask(
        _ content: PresentationContent, at origin: Int? = nil, _ answer: @escaping Callback
    ) -> Int {
        let id = makeID()
        let entry = entry(for: content, origin) ?? makeID()
        questions[id] = Question(entry: entry, answer: answer)
        if entries[entry] == nil {
            entries[entry] = Entry(id: entry, content: content, questions: [id], origin: origin)
        } else {
            entries[entry]?.questions.append(id)
            entries[entry]?.count += 1
        }
        // A person who is about to log in is not asked to log in.
        if entries[entry]?.phase == .waiting, content.category == .requiresLogout, loginPlace != nil {
            entries[entry]?.phase = .loggingIn
        }
        showNext()
        return id
    }

    /// The entry that a raised error joins: one that looks the same, or where many wait, one with the same buttons.
    private func entry(for content: PresentationContent, _ origin: Int?) -> Int? {
        guard content.isRaised else { return nil }
        let all = entries.values.filter { $0.content.isRaised }.sorted { $0.id < $1.id }
        let actions = content.actions(canLogIn: true)
        let alike = all.filter {
            $0.content.actions(canLogIn: true) == actions && $0.content.category == content.category
        }
        if let same = alike.first(where: { $0.content == content && $0.origin == origin }) { return same.id }
        guard all.count >= Self.maximumWaiting else { return nil }
        return alike.last { $0.phase == .waiting }?.id
    }

    /// The cause of a question has changed.
    mutating func update(_ question: Int, _ content: PresentationContent) {
        guard let id = questions[question]?.entry, var entry = entries[id], entry.content != content else { return }
        entry.content = content
        if case .shown = entry.phase { entry.offered = actions(of: content) }
        entries[id] = entry
    }

    /// A question does not matter any more: its cause has ended, or its task was cancelled.
    mutating func withdraw(_ question: Int) {
        guard let id = questions.removeValue(forKey: question)?.entry else { return }
        entries[id]?.questions.removeAll { $0 == question }
        if entries[id]?.questions.isEmpty ?? false { remove(id) }
        showNext()
    }

    // MARK: Answers

    /// A button was chosen. False if the presentation is no longer on the screen, or does not have that button: a second tap,
    /// or a cause that ended in that moment.
    mutating func choose(_ action: PresentationAction, of id: Int) -> Bool {
        guard shown == id, let entry = entries[id], entry.offered.contains(action) else { return false }
        switch action {
        case .retry: end(id, .retry)
        case .dismiss: end(id, .fail)
        case .logIn:
            if login == .session {
                end(id, .retry)
            } else {
                leaveScreen(id)
                // Other presentations that need a login wait as well.
                for (id, entry) in entries where entry.phase == .waiting && entry.content.category == .requiresLogout {
                    entries[id]?.phase = .loggingIn
                }
                entries[id]?.phase = .loggingIn
            }
        }
        showNext()
        return true
    }

    /// The login screen is gone.
    ///
    /// - Parameter isLoggedIn: whether a session has begun. What waits for it is tried again then, or ends with its error.
    mutating func endLogin(isLoggedIn: Bool) {
        for id in entries.keys.sorted() where entries[id]?.phase == .loggingIn { end(id, isLoggedIn ? .retry : .fail) }
        showNext()
    }

    /// A session has begun: all questions that asked for a login are answered.
    mutating func noteLogin() {
        for id in entries.keys.sorted() where entries[id]?.content.category == .requiresLogout { end(id, .retry) }
        showNext()
    }

    /// Answers all questions of an entry, and takes it away.
    private mutating func end(_ id: Int, _ answer: IncidentAnswer) {
        for question in entries[id]?.questions ?? [] {
            if let callback = questions.removeValue(forKey: question)?.answer { steps.append((callback, answer)) }
        }
        remove(id)
    }

    private mutating func remove(_ id: Int) {
        leaveScreen(id)
        entries[id] = nil
    }

    private mutating func leaveScreen(_ id: Int) {
        guard shown == id, case .shown(let place)? = entries[id]?.phase else { return }
        shown = nil
        closing = (id, place)
    }

    // MARK: Places

    mutating func attach(showsLogin: Bool) -> Int {
        let id = makeID()
        places.append(Place(id: id, showsLogin: showsLogin, lastUse: id))
        offerAgain()
        showNext()
        return id
    }

    /// A place is gone. Its presentation is shown elsewhere, or waits for another place.
    mutating func detach(_ place: Int) {
        guard places.contains(where: { $0.id == place }) else { return }
        places.removeAll { $0.id == place }
        if closing?.place == place { closing = nil }
        if let shown, entries[shown]?.phase == .shown(host: place) {
            entries[shown]?.phase = .waiting
            self.shown = nil
        }
        if !places.contains(where: \.showsLogin) {
            for (id, entry) in entries where entry.phase == .loggingIn { entries[id]?.phase = .waiting }
        }
        offerAgain()
        showNext()
    }

    /// A person uses a place: the next presentation is shown there.
    mutating func activate(_ place: Int) {
        let use = makeID()
        for index in places.indices where places[index].id == place { places[index].lastUse = use }
    }

    /// A place has taken a presentation away.
    mutating func didClose(_ id: Int, at place: Int) {
        guard let closing, closing.entry == id, closing.place == place else { return }
        self.closing = nil
        showNext()
    }

    /// Shows the most important entry that waits, the oldest of these, if nothing is on the screen.
    private mutating func showNext() {
        guard shown == nil, closing == nil, !places.isEmpty else { return }
        let next = entries.values.filter { $0.phase == .waiting }.min {
            ($1.content.importance, $0.id) < ($0.content.importance, $1.id)
        }
        guard let next else { return }
        let place = places.first { $0.id == next.origin } ?? places.max { $0.lastUse < $1.lastUse }
        guard let place else { return }
        entries[next.id]?.phase = .shown(host: place.id)
        let offered = actions(of: next.content)
        entries[next.id]?.offered = offered
        shown = next.id
    }

    /// A login has become available or unavailable.
    private mutating func offerAgain() {
        guard let shown, let content = entries[shown]?.content else { return }
        let offered = actions(of: content)
        entries[shown]?.offered = offered
    }

    private func actions(of content: PresentationContent) -> [PresentationAction] {
        content.actions(canLogIn: login == .session || places.contains(where: \.showsLogin))
    }
}
