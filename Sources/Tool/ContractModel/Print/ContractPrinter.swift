import Diagnostics
import YAMLTree

/// Prints a contract as YAML, laid out as people write one: definitions in lines, a short value beside its key, and no quotes that YAML
/// doesn't need.
package struct ContractPrinter {
    private(set) var text = ""
    private static let width = 118

    private init() {}

    /// The text of a contract, with its notes as comments.
    package static func text(of contract: Contract, notes: ContractNotes = ContractNotes()) -> String {
        var printer = ContractPrinter()
        let tree = NoteTree(notes)
        let layout = ContractLayout.contract
        var isHead = true
        for (key, value) in layout.ordered(contract.printed) {
            if case .mapping = value {
                if isHead { printer.comments(tree.notes, depth: 0) }
                isHead = false
                printer.text += "\n"
            }
            printer.entry(key, value, depth: 0, layout.layout(of: key), tree.part(key, hasFieldsBelow: false))
        }
        if isHead { printer.comments(tree.notes, depth: 0) }
        return printer.text
    }

    /// A key with its value in lines, as a part of a contract.
    package static func lines(_ key: String, _ value: PrintedNode) -> String {
        var printer = ContractPrinter()
        printer.entry(key, value, depth: 0, .fitting, nil)
        return printer.text
    }

    // MARK: Lines

    private mutating func line(_ depth: Int, _ content: String) {
        for _ in 0..<depth { text += "  " }
        text += content
        text += "\n"
    }

    private mutating func comments(_ notes: [ContractNotes.Note], depth: Int) {
        for note in notes {
            for part in note.lines { line(depth, part.isEmpty ? "#" : "# \(part)") }
            if note.isHeading { text += "\n" }
        }
    }

    private mutating func entry(
        _ key: String, _ value: PrintedNode, depth: Int, _ layout: ContractLayout, _ notes: NoteTree?
    ) {
        if case .condition = layout.form { return entry(key, Self.condition(value), depth: depth, .fitting, notes) }
        let head = YAMLText.value(key) + ":"
        if let flow = Self.flow(value, beside: 2 * depth + head.utf8.count + 1, layout) {
            // A comment applies to the next line.
            if let notes { comments(notes.all(of: value, layout), depth: depth) }
            return line(depth, "\(head) \(flow)")
        }
        if let notes { comments(notes.notes, depth: depth) }
        switch value {
        case .text(let content):
            line(depth, "\(head) |\(content.hasSuffix("\n") ? "" : "-")")
            for part in Self.block(content) ?? [] {
                if part.isEmpty { text += "\n" } else { line(depth + 1, String(part)) }
            }
        case .mapping(let pairs):
            line(depth, head)
            self.pairs(pairs, depth: depth + 1, layout, notes)
        case .list(let values):
            line(depth, head)
            for value in values { item(value, depth: depth + 1) }
        case .plain, .quoted, .type: break  // always on one line
        }
    }

    private mutating func pairs(
        _ pairs: [(key: String, value: PrintedNode)], depth: Int, _ layout: ContractLayout, _ notes: NoteTree?
    ) {
        let hasFieldsBelow = layout.hasFieldsBelow(pairs.map(\.key))
        for (position, pair) in layout.ordered(pairs).enumerated() {
            if layout.isSpaced, position > 0 { text += "\n" }
            entry(
                pair.key, pair.value, depth: depth,
                layout.layout(of: pair.key, hasFieldsBelow: hasFieldsBelow),
                notes?.part(pair.key, hasFieldsBelow: hasFieldsBelow))
        }
    }

    private mutating func item(_ value: PrintedNode, depth: Int) {
        if let flow = Self.flow(value, beside: 2 * depth + 2, .fitting) { return line(depth, "- " + flow) }
        // The dash replaces the end of the first line's indentation.
        var inner = ContractPrinter()
        switch value {
        case .mapping(let pairs): inner.pairs(pairs, depth: depth + 1, .fitting, nil)
        case .list(let values): for value in values { inner.item(value, depth: depth + 1) }
        case .text, .plain, .quoted, .type: return line(depth, "- " + Self.flow(value))
        }
        for _ in 0..<depth { text += "  " }
        text += "- "
        text += inner.text.dropFirst(2 * depth + 2)
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

    /// The value on one line; `nil` if it needs several lines in this layout.
    private static func flow(_ value: PrintedNode, beside lead: Int, _ layout: ContractLayout) -> String? {
        switch value {
        case .text(let text): return block(text) == nil ? scalar(text, inFlow: false) : nil
        case .plain, .quoted, .type: return flow(value)
        case .list(let values) where values.isEmpty: return "[]"
        case .mapping(let pairs) where pairs.isEmpty: return "{}"
        case .list, .mapping: break
        }
        var ordered = value
        if case .mapping(let pairs) = value {
            switch layout.form {
            case .lines: return nil
            case .payload(let key) where pairs.contains { $0.key == "fields" } || !pairs.contains { $0.key == key }:
                return nil
            case .fitting, .line, .payload, .condition: ordered = .mapping(layout.ordered(pairs))
            }
        }
        if case .line = layout.form { return flow(ordered) }
        guard height(value) <= 3, !hasLines(value) else { return nil }
        let text = flow(ordered)
        // A text has at most as many characters as bytes.
        return lead + text.utf8.count <= width || lead + text.count <= width ? text : nil
    }

    /// A condition with a value in place of a list of one value.
    private static func condition(_ value: PrintedNode) -> PrintedNode {
        switch value {
        case .list(let values): values.count == 1 ? condition(values[0]) : .list(values.map(condition))
        case .mapping(let pairs): .mapping(pairs.map { ($0.key, condition($0.value)) })
        case .text, .plain, .quoted, .type: value
        }
    }

    /// How deep a value is nested.
    private static func height(_ value: PrintedNode) -> Int {
        switch value {
        case .list(let values): 1 + (values.lazy.map(height).max() ?? 0)
        case .mapping(let pairs): 1 + (pairs.lazy.map { height($0.value) }.max() ?? 0)
        case .text, .plain, .quoted, .type: 0
        }
    }

    private static func hasLines(_ value: PrintedNode) -> Bool {
        switch value {
        case .list(let values): values.contains(where: hasLines)
        case .mapping(let pairs): pairs.contains { hasLines($0.value) }
        case .text(let text): text.utf8.contains(UInt8(ascii: "\n"))
        case .plain, .quoted, .type: false
        }
    }

    /// A value on one line, inside of brackets or as an element.
    package static func flow(_ value: PrintedNode) -> String {
        switch value {
        case .text(let text): scalar(text, inFlow: true)
        case .plain(let text): text
        case .quoted(let text): YAMLText.quoted(text)
        // YAML reads the brackets as a list, and the decoder reads that as the type.
        case .type(let text): text.hasPrefix("[") && text.contains("?") ? YAMLText.quoted(text) : text
        case .list(let values): "[" + values.map(flow).joined(separator: ", ") + "]"
        case .mapping(let pairs):
            "{" + pairs.map { "\(YAMLText.value($0.key, inFlow: true)): \(flow($0.value))" }.joined(separator: ", ")
                + "}"
        }
    }

    /// A text without quotes, unless YAML or the language would read it as something else.
    private static func scalar(_ text: String, inFlow: Bool) -> String {
        switch text {
        case "null", "true", "false": YAMLText.quoted(text)
        default: YAMLText.plain(text, inFlow: inFlow)
        }
    }
}

extension ExampleValue {
    /// The value on one line, a text without quotation marks.
    package var spelling: String {
        guard case .scalar(let text, _, _) = self else { return ContractPrinter.flow(printed) }
        return text.isEmpty ? "\"\"" : text
    }
}
