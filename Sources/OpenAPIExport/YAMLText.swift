import Diagnostics

/// A document as YAML in block style. Texts that YAML could take for something else are in double quotes, as JSON writes them.
package struct YAMLText {
    private(set) var text = ""

    package static func of(_ value: ReportValue) -> String {
        var yaml = YAMLText()
        yaml.write(value, indent: "")
        return yaml.text
    }

    private mutating func write(_ value: ReportValue, indent: String) {
        switch value {
        case .object(let pairs) where !pairs.isEmpty:
            for pair in pairs { entry("\(indent)\(Self.scalar(pair.key)):", pair.value, indent: indent) }
        case .list(let values) where !values.isEmpty:
            for value in values { item(value, indent: indent) }
        default: text += "\(indent)\(Self.flow(value))\n"
        }
    }

    private mutating func entry(_ head: String, _ value: ReportValue, indent: String) {
        if Self.isShort(value) {
            text += "\(head) \(Self.flow(value))\n"
        } else {
            text += "\(head)\n"
            write(value, indent: indent + "  ")
        }
    }

    private mutating func item(_ value: ReportValue, indent: String) {
        guard case .object(let pairs) = value, !Self.isShort(value) else {
            if Self.isShort(value) {
                text += "\(indent)- \(Self.flow(value))\n"
            } else {
                text += "\(indent)-\n"
                write(value, indent: indent + "  ")
            }
            return
        }
        for (position, pair) in pairs.enumerated() {
            let lead = position == 0 ? "\(indent)- " : "\(indent)  "
            entry("\(lead)\(Self.scalar(pair.key)):", pair.value, indent: indent + "  ")
        }
    }

    // MARK: Values on one line

    /// Whether a value has a place beside its key: a scalar, or a few scalars.
    private static func isShort(_ value: ReportValue) -> Bool {
        switch value {
        case .text, .number, .numeral, .flag: true
        case .list(let values): values.allSatisfy(isScalar) && flow(value).count <= 100
        case .object(let pairs):
            pairs.isEmpty || (pairs.count == 1 && isScalar(pairs[0].value) && flow(value).count <= 100)
        }
    }

    private static func isScalar(_ value: ReportValue) -> Bool {
        switch value {
        case .list, .object: false
        case .text, .number, .numeral, .flag: true
        }
    }

    private static func flow(_ value: ReportValue) -> String {
        switch value {
        case .text(let text): scalar(text)
        case .number(let number): "\(number)"
        case .numeral(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .list(let values): "[" + values.map(flow).joined(separator: ", ") + "]"
        case .object(let pairs):
            "{" + pairs.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    /// Words that YAML 1.1 or 1.2 does not read as text.
    private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"]

    /// A text as a plain scalar where every reader takes it for that text, otherwise in quotes.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } ?? false
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || [0x20, 0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
            } && !text.hasSuffix(" ") && !reserved.contains(text.lowercased())
        if isPlain { return text }
        return String(ReportValue.text(text).json.dropLast())
    }
}
