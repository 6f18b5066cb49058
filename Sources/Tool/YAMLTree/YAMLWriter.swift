import Diagnostics

/// A value as YAML in block style, with what is short on one line. A text that a reader of YAML could take for something else is in
/// double quotes, as JSON writes it.
package struct YAMLWriter {
    private(set) var text = ""

    package static func text(of value: ReportValue) -> String {
        var yaml = YAMLWriter()
        yaml.write(value, indent: "")
        return yaml.text
    }

    private mutating func write(_ value: ReportValue, indent: String) {
        switch value {
        case .object(let pairs) where !pairs.isEmpty:
            for pair in pairs { entry("\(indent)\(YAMLText.portable(pair.key)):", pair.value, indent: indent) }
        case .list(let values) where !values.isEmpty:
            for value in values { item(value, indent: indent) }
        default: text += "\(indent)\(flow(value))\n"
        }
    }

    private mutating func entry(_ head: String, _ value: ReportValue, indent: String) {
        if isShort(value) {
            text += "\(head) \(flow(value))\n"
        } else {
            text += "\(head)\n"
            write(value, indent: indent + "  ")
        }
    }

    private mutating func item(_ value: ReportValue, indent: String) {
        if isShort(value) {
            text += "\(indent)- \(flow(value))\n"
        } else if case .object(let pairs) = value {
            for (position, pair) in pairs.enumerated() {
                let lead = position == 0 ? "\(indent)- " : "\(indent)  "
                entry("\(lead)\(YAMLText.portable(pair.key)):", pair.value, indent: indent + "  ")
            }
        } else {
            text += "\(indent)-\n"
            write(value, indent: indent + "  ")
        }
    }

    // MARK: Values on one line

    /// Whether a value has a place beside its key: a scalar, or a few scalars.
    private func isShort(_ value: ReportValue) -> Bool {
        switch value {
        case .text, .number, .numeral, .flag: true
        case .list(let values): values.allSatisfy(Self.isScalar) && flow(value).count <= 100
        case .object(let pairs):
            pairs.isEmpty || (pairs.count == 1 && Self.isScalar(pairs[0].value) && flow(value).count <= 100)
        }
    }

    private static func isScalar(_ value: ReportValue) -> Bool {
        switch value {
        case .list, .object: false
        case .text, .number, .numeral, .flag: true
        }
    }

    private func flow(_ value: ReportValue) -> String {
        switch value {
        case .text(let text): YAMLText.portable(text)
        case .number(let number): "\(number)"
        case .numeral(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .list(let values): "[" + values.map(flow).joined(separator: ", ") + "]"
        case .object(let pairs):
            "{" + pairs.map { "\(YAMLText.portable($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}
