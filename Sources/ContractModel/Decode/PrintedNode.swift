import Diagnostics
import YAMLTree

/// A part of a contract as a codec writes it. A printer decides the layout.
package indirect enum PrintedNode: Sendable {
    /// A text, in quotation marks only if YAML requires them.
    case text(String)
    /// A scalar without quotation marks, which would change its meaning: a number, a flag, or the word of an example.
    case plain(String)
    /// A text in quotation marks, without which it would be a number or another word.
    case quoted(String)
    /// A type. The brackets of lists and maps need no quotation marks.
    case type(String)
    case list([PrintedNode])
    case mapping([(key: String, value: PrintedNode)])

    /// - Parameter isExact: whether a text that looks like a number differs from the number.
    init(_ value: ReportValue, isExact: Bool = false) {
        switch value {
        case .text(let text): self = isExact ? .exact(text) : .text(text)
        case .number(let number): self = .plain("\(number)")
        case .numeral(let text): self = .plain(text)
        case .flag(let flag): self = .plain(flag ? "true" : "false")
        case .list(let values): self = .list(values.map { PrintedNode($0, isExact: isExact) })
        case .object(let pairs):
            self = .mapping(pairs.map { ($0.key, PrintedNode($0.value, isExact: isExact)) })
        }
    }

    /// A text that stays a text, also if it looks like a number.
    static func exact(_ text: String) -> PrintedNode {
        YAMLText.value(text) == YAMLText.plain(text) ? .text(text) : .quoted(text)
    }
}
