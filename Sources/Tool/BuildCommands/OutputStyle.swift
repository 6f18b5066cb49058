import ArgumentParser

/// When to use color.
package enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// On a terminal, unless the `NO_COLOR` convention or a dumb terminal forbids it.
    package func isOn(for descriptor: Int32) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = Console.environment("NO_COLOR"), !value.isEmpty { return false }
            return Console.isTerminal(descriptor) && Console.environment("TERM") != "dumb"
        }
    }
}

/// The few marks that text on a terminal gets.
package struct TextStyle {
    private let isColored: Bool

    package init(isColored: Bool) { self.isColored = isColored }

    package func strong(_ text: String) -> String { marked(text, "1") }
    package func faint(_ text: String) -> String { marked(text, "2") }
    package func good(_ text: String) -> String { marked(text, "32") }
    package func warning(_ text: String) -> String { marked(text, "33") }
    package func bad(_ text: String) -> String { marked(text, "31") }

    private func marked(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// `1 file`, `2 files`.
package func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

extension Duration {
    /// `14 ms`, `1.52 s`.
    package var shortText: String {
        let milliseconds = Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
        if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
        if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 10).rounded() / 100) s"
    }
}
