import Diagnostics

/// A value as YAML in block style, with what is short on one line.
package struct YAMLWriter {
    /// Who reads it.
    package enum Style: Sendable {
        /// Any reader of YAML: texts that one could take for something else are in double quotes, as JSON writes them.
        case portable
        /// The contract language, which takes every scalar for its text.
        case contract
    }

    private let style: Style
    private(set) var text = ""
    private static let width = 118

    package init(_ style: Style) { self.style = style }

    package static func text(of value: ReportValue, _ style: Style = .portable, depth: Int = 0) -> String {
        var yaml = YAMLWriter(style)
        yaml.write(value, indent: String(repeating: "  ", count: depth))
        return yaml.text
    }

    /// A value of a contract on one line.
    package static func flow(of value: ReportValue) -> String { YAMLWriter(.contract).flow(value) }

    private mutating func write(_ value: ReportValue, indent: String) {
        switch value {
        case .object(let pairs) where !pairs.isEmpty:
            for pair in pairs { entry("\(indent)\(scalar(pair.key)):", pair.value, indent: indent) }
        case .list(let values) where !values.isEmpty:
            for value in values { item(value, indent: indent) }
        default: text += "\(indent)\(flow(value))\n"
        }
    }

    private mutating func entry(_ head: String, _ value: ReportValue, indent: String) {
        if style == .contract, case .text(let content) = value, let lines = Self.block(content) {
            text += "\(head) |\(content.hasSuffix("\n") ? "" : "-")\n"
            for line in lines { text += line.isEmpty ? "\n" : "\(indent)  \(line)\n" }
        } else if isShort(value, beside: head.utf8.count) {
            text += "\(head) \(scalarOrFlow(value))\n"
        } else {
            text += "\(head)\n"
            write(value, indent: indent + "  ")
        }
    }

    private mutating func item(_ value: ReportValue, indent: String) {
        guard case .object(let pairs) = value, !isShort(value, beside: indent.utf8.count + 2) else {
            if isShort(value, beside: indent.utf8.count + 2) {
                text += "\(indent)- \(scalarOrFlow(value))\n"
            } else {
                text += "\(indent)-\n"
                write(value, indent: indent + "  ")
            }
            return
        }
        for (position, pair) in pairs.enumerated() {
            let lead = position == 0 ? "\(indent)- " : "\(indent)  "
            entry("\(lead)\(scalar(pair.key)):", pair.value, indent: indent + "  ")
        }
    }

    /// The lines of a text that YAML can print as they are; `nil` for one line, and for what needs escapes.
    private static func block(_ text: String) -> [Substring]? {
        guard text.utf8.dropLast().contains(UInt8(ascii: "\n")), !text.hasPrefix(" "), !text.hasPrefix("\n"),
            !text.hasSuffix("\n\n"),
            text.unicodeScalars.allSatisfy({
                ($0.value >= 0x20 || $0 == "\n") && !(0x7F...0x9F).contains($0.value) && $0.value != 0x2028
                    && $0.value != 0x2029 && $0.value != 0xFEFF && !(0xFFFE...0xFFFF).contains($0.value)
            })
        else { return nil }
        let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.contains { $0.hasSuffix(" ") } ? nil : lines
    }

    // MARK: Values on one line

    /// Whether a value has a place beside its key: a scalar, or a few scalars.
    private func isShort(_ value: ReportValue, beside lead: Int) -> Bool {
        switch (value, style) {
        case (.text, _), (.number, _), (.numeral, _), (.flag, _): true
        case (.list(let values), .portable): values.allSatisfy(Self.isScalar) && flow(value).count <= 100
        case (.object(let pairs), .portable):
            pairs.isEmpty || (pairs.count == 1 && Self.isScalar(pairs[0].value) && flow(value).count <= 100)
        case (_, .contract):
            Self.height(value) <= 3 && !Self.hasLines(value) && lead + 1 + flow(value).count <= Self.width
        }
    }

    /// How deep a value is nested.
    private static func height(_ value: ReportValue) -> Int {
        switch value {
        case .list(let values): 1 + (values.map(height).max() ?? 0)
        case .object(let pairs): 1 + (pairs.map { height($0.value) }.max() ?? 0)
        case .text, .number, .numeral, .flag: 0
        }
    }

    private static func hasLines(_ value: ReportValue) -> Bool {
        switch value {
        case .list(let values): values.contains(where: hasLines)
        case .object(let pairs): pairs.contains { hasLines($0.value) }
        case .text(let text): text.utf8.contains(UInt8(ascii: "\n"))
        case .number, .numeral, .flag: false
        }
    }

    private static func isScalar(_ value: ReportValue) -> Bool {
        switch value {
        case .list, .object: false
        case .text, .number, .numeral, .flag: true
        }
    }

    private func scalarOrFlow(_ value: ReportValue) -> String {
        if case .text(let text) = value { return scalar(text) }
        return flow(value)
    }

    private func flow(_ value: ReportValue) -> String {
        switch value {
        case .text(let text): scalar(text, inFlow: true)
        case .number(let number): "\(number)"
        case .numeral(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .list(let values): "[" + values.map(flow).joined(separator: ", ") + "]"
        case .object(let pairs):
            "{" + pairs.map { "\(scalar($0.key, inFlow: true)): \(flow($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    private func scalar(_ text: String, inFlow: Bool = false) -> String {
        switch style {
        case .portable: YAMLText.portable(text)
        case .contract: YAMLText.value(text, inFlow: inFlow)
        }
    }
}
