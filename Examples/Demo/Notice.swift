import BankClient

/// What an app shows when something is wrong for all of its screens: one line, and a button to try again.
actor Notice: Responder {
    /// What was shown, in that order.
    private(set) var shown: [String] = []
    /// What is on the screen now.
    private(set) var visible: String?
    private var button: AsyncStream<Void>.Continuation?

    func respond(to incident: Incident) async -> IncidentAnswer {
        let (presses, button) = AsyncStream.makeStream(of: Void.self)
        self.button = button
        shown.append(incident.name)
        visible = incident.name
        defer { visible = nil }
        for await _ in presses { return .retry }
        // The incident has ended by itself, and no responder waits any more.
        return .pass
    }

    /// The user presses the button.
    func tryAgain() { button?.yield() }

    func forget() { shown = [] }
}
