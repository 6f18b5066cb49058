import ErrandRuntime

/// Shows presentations in a terminal, and asks there. A command line program needs no other responder.
///
///     let terminal = TerminalHost(presenter)
///     try await terminal.run { try await bank.listAccounts() }
///
/// A prompt has a letter for each button; an empty line chooses the first button. Without a terminal, as in a script, each
/// presentation is a line on standard error and is dismissed. A presentation about the network is not dismissed: it ends by
/// itself, or with the patience of the commands.
public final class TerminalHost: Sendable {
    /// Carries a login out that a person has chosen: asks for a name and a password, and sends the login through
    /// ``loginClient(_:)``. True where a session has begun.
    public typealias LogIn = @Sendable (TerminalHost) async -> Bool

    private let host: PresentationHost
    private let output: TerminalOutput
    private let input: TerminalInput
    private let logIn: LogIn?
    private let texts: PresentationTexts

    /// - Parameters:
    ///   - presenter: what decides what is shown.
    ///   - streams: the input and output of the presentation.
    ///   - logIn: carries a login out. Nil if a person cannot log in here.
    public init(_ presenter: ErrorPresenter, on streams: TerminalStreams = .standard, logIn: LogIn? = nil) {
        let canLogIn = logIn != nil && streams.isInteractive
        host = presenter.attach(showsLogin: canLogIn)
        output = TerminalOutput(streams)
        input = TerminalInput(output)
        self.logIn = canLogIn ? logIn : nil
        texts = presenter.texts
    }

    /// Runs a body while presentations are shown.
    ///
    /// - Throws: what the body throws.
    public func run<Value: Sendable>(_ body: @Sendable @escaping () async throws -> Value) async rethrows -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await self.follow()
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    /// Shows presentations until the task is cancelled.
    public func follow() async {
        var shown: ErrorPresentation?
        var prompt: Task<Void, Never>?
        var login: Task<Void, Never>?
        for await _ in host.states {
            var state = host.state
            if let old = shown, old.id != state.presentation?.id {
                prompt?.cancel()
                await prompt?.value
                (prompt, shown) = (nil, nil)
                host.didClose(old.id)
                state = host.state
            }
            if state.isLoginWanted, login == nil {
                login = Task { await self.showLogin() }
            } else if !state.isLoginWanted {
                login?.cancel()
                login = nil
            }
            guard let presentation = state.presentation, presentation != shown else { continue }
            let isNew = shown == nil
            shown = presentation
            show(presentation)
            if isNew { prompt = Task { await self.ask(presentation.id) } }
        }
        prompt?.cancel()
        login?.cancel()
        await prompt?.value
        await login?.value
        if let shown { host.didClose(shown.id) }
    }

    /// Asks for a line, such as a name. Nil if the input has ended or the task was cancelled.
    ///
    /// The typed text is visible. For a password, call ``askPassword(_:)``.
    public func ask(_ question: String) async -> String? {
        guard output.streams.isInteractive else { return nil }
        return await input.ask(DisplayText.line(question))
    }

    /// Asks for a password, without showing what is typed. Nil if the input has ended, the task was cancelled, or the terminal can't
    /// hide its input.
    ///
    /// The terminal shows typed text again when the method returns, and also when a signal ends the process meanwhile.
    public func askPassword(_ question: String) async -> String? {
        guard output.streams.isInteractive else { return nil }
        return await input.ask(DisplayText.line(question), isHidden: true)
    }

    /// Writes the commands of a history with their events to standard error, the last command at the end.
    public func show(_ history: CommandHistory) {
        for record in history.records.reversed() {
            for line in record.report.split(separator: "\n") { writeLine(String(line)) }
        }
    }

    /// Writes a line to standard error, above a prompt or a progress bar. Line breaks and controls of the text are left out.
    public func writeLine(_ text: String) { output.line(DisplayText.line(text)) }

    /// The client for a login that this terminal asks for: ``ErrorPresenter/loginClient(_:)``.
    public func loginClient<Client: ServiceClient>(_ client: Client) -> Client { host.presenter.loginClient(client) }

    /// A bar for work that takes long. See ``TerminalProgress``.
    ///
    /// - Parameter total: the number of steps, or of bytes; nil if it is unknown.
    public func progress(_ title: String, total: Int?) -> TerminalProgress {
        TerminalProgress(DisplayText.line(title, limit: 60), total: total, on: output)
    }

    // MARK: One presentation

    private func show(_ presentation: ErrorPresentation) {
        for line in presentation.announcement.split(separator: "\n") { output.line("! " + line) }
        if let technical = presentation.technicalLine { output.line("  [\(technical)]") }
    }

    private func ask(_ id: ErrorPresentation.ID) async {
        guard output.streams.isInteractive else {
            // A presentation that the network ends by itself needs no answer.
            if let shown = host.state.presentation, shown.id == id, !shown.waitsForNetwork {
                host.choose(.dismiss, of: id)
            }
            return
        }
        while let buttons = host.state.presentation.flatMap({ $0.id == id ? $0.buttons : nil }) {
            let keys = Self.keys(of: buttons)
            let list = zip(keys, buttons).map { "[\($0)] \($1.title)" }.joined(separator: "  ")
            guard let typed = await input.ask(texts.text("errand.terminal.choose").replacing("%@", with: list)) else {
                // The cause has ended, or the input has.
                if Task.isCancelled { return output.line(texts.text("errand.terminal.resolved")) }
                host.choose(.dismiss, of: id)
                return
            }
            let word = typed.filter { !$0.isWhitespace }.lowercased()
            let index = word.isEmpty ? 0 : keys.firstIndex(of: word)
            // The buttons may be others by now. Then it is asked again.
            if let index, host.choose(buttons[index].action, of: id) { return }
        }
    }

    /// A letter for each button: the first of its title that is free.
    static func keys(of buttons: [PresentationButton]) -> [String] {
        var keys: [String] = []
        for (index, button) in buttons.enumerated() {
            let letter = button.title.lowercased().first { $0.isLetter && !keys.contains(String($0)) }
            keys.append(letter.map(String.init) ?? String(index + 1))
        }
        return keys
    }

    private func showLogin() async {
        guard let logIn else { return }
        let isLoggedIn = await logIn(self)
        if !Task.isCancelled { host.presenter.endLogin(isLoggedIn: isLoggedIn) }
    }
}

extension ErrorPresentation {
    /// Whether it ends when the network is back, with the commands waiting for that.
    fileprivate var waitsForNetwork: Bool { name == CommandFault.Kind.offline.rawValue && style == .banner }
}
