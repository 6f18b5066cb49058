/// A text for people in which `{name}` stands for a member of the error's data. `{{name}}` is the text `{name}`.
///
/// The name is a letter or `_`, and then letters, digits, `_` and `-`. Braces around anything else are text.
package struct MessageTemplate: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case text(String)
        case placeholder(String)
    }

    package let parts: [Part]

    package init(_ text: String) {
        var parts: [Part] = []
        var literal = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            guard scalar == "{" else {
                literal.unicodeScalars.append(scalar)
                rest.removeFirst()
                continue
            }
            if let name = Self.name(after: "{{", before: "}}", &rest) {
                literal += "{\(name)}"
            } else if let name = Self.name(after: "{", before: "}", &rest) {
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(.placeholder(name))
            } else {
                literal.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.parts = parts
    }

    /// The names in the order of the text, each once.
    package var names: [String] {
        var seen = Set<String>()
        return parts.compactMap {
            guard case .placeholder(let name) = $0, seen.insert(name).inserted else { return nil }
            return name
        }
    }

    /// The text with the values in place of the placeholders. A placeholder without a value is left out, with the blank before it.
    package func text(_ value: (_ name: String) -> String?) -> String {
        var result = ""
        var isAfterGap = false
        for part in parts {
            switch part {
            case .text(let text):
                // Only one of the two blanks around a gap stays, and none at the start of the text.
                result += isAfterGap && result.isEmpty ? String(text.drop { $0 == " " }) : text
                isAfterGap = false
            case .placeholder(let name):
                if let value = value(name), !value.isEmpty {
                    result += value
                    isAfterGap = false
                } else {
                    while result.last == " " { result.removeLast() }
                    isAfterGap = true
                }
            }
        }
        return result
    }

    /// A name between the two marks at the start of a text, which then starts after the second.
    private static func name(
        after start: String, before end: String, _ text: inout String.UnicodeScalarView.SubSequence
    ) -> String? {
        guard text.starts(with: start.unicodeScalars) else { return nil }
        let inner = text.dropFirst(start.unicodeScalars.count)
        guard let first = inner.first, isLetter(first) else { return nil }
        let name = inner.prefix { isLetter($0) || ("0"..."9").contains($0) || $0 == "-" }
        let rest = inner[name.endIndex...]
        guard rest.starts(with: end.unicodeScalars) else { return nil }
        text = rest.dropFirst(end.unicodeScalars.count)
        return String(name)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar.value > 0x7F
    }
}
