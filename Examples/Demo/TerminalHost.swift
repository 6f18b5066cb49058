import ErrandUI

/// Shows presentations in a terminal, and asks there: the `PresentationHost` of a program without windows.
///
/// A prompt has a letter for each button; an empty line chooses the first button.
struct TerminalHost: Sendable {
    private let host: PresentationHost
    private let terminal: ScriptedTerminal

    init(_ presenter: ErrorPresenter, on terminal: ScriptedTerminal) {
        host = presenter.attach()
        self.terminal = terminal
    }

    /// Runs a body while presentations are shown.
    func run(_ body: @Sendable @escaping () async throws -> Void) async throws {
        let following = Task { await follow() }
        defer { following.cancel() }
        try await body()
    }

    private func follow() async {
        var shown: ErrorPresentation?
        var prompt: Task<Void, Never>?
        for await _ in host.states {
            if let old = shown, old.id != host.state.presentation?.id {
                prompt?.cancel()
                await prompt?.value
                shown = nil
                // The next presentation comes after this.
                host.didClose(old.id)
            }
            guard let presentation = host.state.presentation, presentation != shown else { continue }
            terminal.writeLine("! " + presentation.announcement)
            // The text of a presentation may change while the person is asked.
            if shown == nil { prompt = Task { await ask(presentation.id) } }
            shown = presentation
        }
        prompt?.cancel()
    }

    private func ask(_ id: ErrorPresentation.ID) async {
        while let presentation = host.state.presentation, presentation.id == id {
            let buttons = presentation.buttons
            let keys = Self.keys(of: buttons)
            let list = zip(keys, buttons).map { "[\($0)] \($1.title)" }.joined(separator: "  ")
            // The cause ends the prompt, too.
            guard let typed = await terminal.ask(list + ": ") else { return terminal.writeLine("This is over.") }
            let index = typed.isEmpty ? 0 : keys.firstIndex(of: typed.lowercased())
            // The buttons may be others by now. Then it is asked again.
            if let index, host.choose(buttons[index].action, of: id) { return }
        }
    }

    /// A letter for each button: the first of its title that is free.
    private static func keys(of buttons: [PresentationButton]) -> [String] {
        var keys: [String] = []
        for (index, button) in buttons.enumerated() {
            let letter = button.title.lowercased().first { $0.isLetter && !keys.contains(String($0)) }
            keys.append(letter.map(String.init) ?? String(index + 1))
        }
        return keys
    }
}
