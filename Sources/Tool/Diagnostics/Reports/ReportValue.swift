import JSONTree

/// A JSON value (RFC 8259) that a report prints. Keys stay in the order given, so that the same findings give the same
/// bytes.
package indirect enum ReportValue: Sendable {
    case text(String)
    case number(Int)
    /// A number by its text, which has been checked to be one: more digits than any Swift type keeps.
    case numeral(String)
    case flag(Bool)
    case list([ReportValue])
    case object([(key: String, value: ReportValue)])

    /// The value as JSON, indented by two blanks.
    package var json: String {
        var text = ""
        write(to: &text, indent: "")
        return text + "\n"
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .text(let value): Self.writeString(value, to: &text)
        case .number(let value): text += "\(value)"
        case .numeral(let value): text += value
        case .flag(let value): text += value ? "true" : "false"
        case .list(let values):
            Self.writeLines(values, between: ("[", "]"), to: &text, indent: indent) { $0.write(to: &$1, indent: $2) }
        case .object(let pairs):
            Self.writeLines(pairs, between: ("{", "}"), to: &text, indent: indent) { pair, text, inner in
                Self.writeString(pair.key, to: &text)
                text += ": "
                pair.value.write(to: &text, indent: inner)
            }
        }
    }

    private static func writeLines<Element>(
        _ elements: [Element], between brackets: (open: String, close: String), to text: inout String, indent: String,
        _ write: (Element, inout String, String) -> Void
    ) {
        guard !elements.isEmpty else {
            text += brackets.open + brackets.close
            return
        }
        let inner = indent + "  "
        text += brackets.open
        for (position, element) in elements.enumerated() {
            text += (position == 0 ? "\n" : ",\n") + inner
            write(element, &text, inner)
        }
        text += "\n" + indent + brackets.close
    }

    private static func writeString(_ value: String, to text: inout String) {
        // Those above ASCII end lines for readers of YAML, turn the direction of a text, or are invisible.
        JSONQuoting.write(value, escaping: .invisible, to: &text)
    }
}
