public import ErrandRuntime

/// A place that shows presentations: a window, or a terminal. `presenter.attach()` makes one.
///
/// Only one place shows something at a time, the one that was used last. Errors that are raised with this host as a responder are
/// shown here:
///
///     await bank.responding(with: host).raise(error)
public final class PresentationHost: Responder {
    /// Decides what is shown.
    public let presenter: ErrorPresenter
    private let place: Int
    private let followers: EventFollowers<PresentedState>

    init(_ presenter: ErrorPresenter, _ place: Int, _ followers: EventFollowers<PresentedState>) {
        self.presenter = presenter
        self.place = place
        self.followers = followers
    }

    deinit { presenter.detach(place) }

    public var maximumQuestions: Int { .max }

    /// Shows an incident here, and waits for what the person chooses.
    public func respond(to incident: Incident) async -> IncidentAnswer { await presenter.present(incident, at: place) }

    /// The current state to show here.
    public var state: PresentedState { presenter.currentState(of: place) }

    /// The states to show here: the current one, and each later one. A slow reader misses intermediate states, but never the
    /// latest.
    ///
    /// The stream ends with the host, and does not keep it.
    public var states: AsyncStream<PresentedState> {
        presenter.states(of: place, followers)
    }

    /// A button was chosen.
    ///
    /// - Returns: false if the presentation is gone already, or does not have that button: a second tap, or a cause that ended in
    ///   that moment. Nothing happens then.
    @discardableResult
    public func choose(_ action: PresentationAction, of presentation: ErrorPresentation.ID) -> Bool {
        presenter.changeQueue { $0.choose(action, of: presentation) }
    }

    /// A presentation is off the screen, its animation over. The next one comes then, never before.
    public func didClose(_ presentation: ErrorPresentation.ID) {
        presenter.changeQueue { [place] in $0.didClose(presentation, at: place) }
    }

    /// A person uses this window: the next presentation comes here.
    public func activate() { presenter.changeQueue { [place] in $0.activate(place) } }

    /// Tells the presenter that the window is gone. Another window then shows its presentation.
    public func detach() { presenter.detach(place) }
}
