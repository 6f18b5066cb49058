import Diagnostics
import YAMLTree

// Where YAML reads something else than the author meant. Each finding says what to write.
extension ContractDecoder {
    /// A key that came about by a missing blank (`{n:int}`) or a comma inside quotes (`{a: string = "x, y"}`).
    mutating func reportKeyTrap(_ key: String, _ pair: YAMLPair) -> Bool {
        guard pair.value.isAbsent, pair.key.scalar?.isPlain == true else { return false }
        if key.contains("\"") || key.contains("'") {
            let line = "quote the whole text: `name: 'string = \"x, y\"'`"
            report(
                .yamlCommaInFlowText,
                "\(quoted(key)) was read as a separate key, because a comma ends a value inside braces",
                at: pair.key.range, help: line)
            return true
        }
        if let colon = key.firstIndex(of: ":"), !key.contains("/") {
            let fixed = key[..<colon] + ": " + key[key.index(after: colon)...]
            report(
                .yamlMissingSpace,
                "\(quoted(key)) was read as a key without a value, because no space follows the colon",
                at: pair.key.range, help: "write `\(fixed)`")
            return true
        }
        return false
    }

    /// Nothing is after the colon.
    mutating func reportAbsence(of pair: YAMLPair) {
        // An anchor without a value is a finding of the tree.
        guard pair.value.anchor == nil else { return }
        let key = pair.key.text ?? ""
        if let comment = document.trailingComment(after: pair.key),
            comment.range.start.line == pair.key.range.end.line,
            document.text(of: comment.range).dropFirst().first.map({ !$0.isWhitespace }) == true
        {
            report(
                .yamlCommentAsValue,
                "`\(document.text(of: comment.range))` is a comment in YAML, so \(quoted(key)) has no value",
                at: comment.range, help: "quote it: `\(key): \"\(document.text(of: comment.range))\"`")
        } else {
            report(
                .missingValue, "\(quoted(key)) has no value", at: pair.key.range, help: "write one, or remove the key"
            )
        }
    }

    /// A mapping or list is where text is meant.
    mutating func reportNoText(_ node: YAMLNode, _ what: String) {
        let source = node.sourceText
        if node.mapping?.isFlow == true {
            report(
                .yamlBracesAsMapping, "\(what) must be text, and YAML reads braces at its start as a mapping",
                at: node.range,
                help: "quote it: `\"\(oneLine(source))\"`")
        } else if node.sequence?.isFlow == true {
            report(
                .wrongKind, "\(what) must be text, and is a list", at: node.range,
                help: "write one text, or quote it: `\"\(oneLine(source))\"`")
        } else {
            report(.wrongKind, "\(what) must be text, and is \(node.kindName)", at: node.range)
        }
    }

    /// A default that ends at its `=`, because a comment took the rest.
    mutating func reportMissingDefault(_ text: Located<String>, _ node: YAMLNode) {
        if let comment = document.trailingComment(after: node), comment.range.start.line == node.range.end.line {
            let rest = document.text(of: comment.range)
            report(
                .yamlCommentAsValue, "`\(rest)` is a comment in YAML, so no default follows the `=`",
                at: comment.range,
                help: "quote the whole text: `'\(text.value.trimmingBlanks()) \"\(rest.trimmingBlanks())\"'`")
        } else {
            report(
                .invalidDefault, "no default follows the `=`", at: text.range,
                help: "write a value there, or remove the `=`")
        }
    }

    /// `{doc: A room., number: int}`: the author meant the type's own `doc`, and it is a field of a type `A room.`.
    mutating func reportOptionsBesideFields(_ mapping: YAMLMapping) -> Bool {
        guard let pair = mapping.pair(forKey: "doc"), let text = textThatIsNoType(pair.value) else { return false }
        report(
            .invalidType, "`doc` beside fields is a field, and \(quoted(text)) is not a type", at: pair.value.range,
            help: "to describe the type, write its fields under `fields`: `{doc: …, fields: {…}}`")
        return true
    }

    /// `body: {doc: Who pays., user: string}`: the body has no long form with a `doc`, and `doc` cannot be a field of this
    /// type.
    mutating func reportDocAsField(_ name: Located<String>, _ node: YAMLNode, of what: String) -> Bool {
        guard name.value == "doc", let text = textThatIsNoType(node) else { return false }
        report(
            .invalidType, "`doc` in `\(what)` is a field, and \(quoted(text)) is not a type", at: node.range,
            help:
                "move the text to the `doc` of the endpoint or the type, or write it as a comment: `# \(oneLine(text))`"
        )
        return true
    }

    /// A text that isn't a type, and isn't the name of a type as far as one file shows.
    private func textThatIsNoType(_ node: YAMLNode) -> String? {
        guard let text = node.text, !node.isAbsent else { return nil }
        switch TypeText.read(text, locate: { _ in node.range }) {
        case .failure: return text
        case .type(.named(let name), nil):
            let root = document.root.mapping
            let types = root?["types"]?.mapping?.keys ?? []
            let isType =
                root?["imports"] != nil || types.contains(name.value) || ForeignTypeNames.help(for: name.value) != nil
                || nearestSpelling(of: name.value, among: types + Primitive.allCases.map(\.spelling)) != nil
            return isType ? nil : text
        case .type: return nil
        }
    }

    /// `response: {200: Item}`, as OpenAPI has it: each status would be the name of a field. A structure that really has such
    /// a field is written under `fields`.
    mutating func reportStatuses(_ mapping: YAMLMapping) -> Bool {
        guard let pair = mapping.first(where: { $0.key.text.map(Self.isStatus) ?? false }) else { return false }
        report(
            .unknownKey, "`response` has no statuses, so \(quoted(pair.key.text ?? "")) would be a field",
            at: pair.key.range, help: "write the type of a success, and list failures under `errors`")
        return true
    }

    static func isStatus(_ key: String) -> Bool {
        let digits = key.utf8.map { $0 }
        guard digits.count == 3, (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(digits[0]) else { return false }
        let isRange = key.hasSuffix("XX")
        return isRange || digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A key of an endpoint or of an error that is indented as if it were another one.
    mutating func reportKeyAmongDefinitions(
        _ name: Located<String>, _ node: YAMLNode, after previous: YAMLNode?, as description: MappingDescription,
        marks: [String]
    ) -> Bool {
        guard description.allows(name.value), node.mapping?.keys.contains(where: marks.contains) != true,
            let before = previous?.mapping, !before.isFlow, let inner = before.first?.key.range.start
        else { return false }
        let depth = inner.column - 1
        let missing = depth - (name.range.start.column - 1)
        let isOneLine = name.range.start.line == node.range.end.line
        let place = SourceRange(file: name.range.file, start: name.range.start, end: name.range.start)
        report(
            .yamlIndentation,
            "`\(name.value)` is a key of \(description.subject), but is indented like \(description.subject)",
            at: name.range, notes: [DiagnosticNote("it belongs to this", at: before.range)],
            help: "indent it by \(depth), like the lines above",
            fix: isOneLine && missing > 0 && before.pair(forKey: name.value) == nil
                ? Fix(
                    title: "indent it by \(depth)", applicability: .needsALook,
                    edits: [Fix.Edit(replacing: place, with: String(repeating: " ", count: missing))]) : nil)
        return true
    }

    /// A description of a service in another language, which has another reader.
    mutating func reportForeignDocument(_ node: YAMLNode) -> Bool {
        guard let mapping = node.mapping, mapping["errand"] == nil,
            let pair = mapping.pair(forKey: "openapi") ?? mapping.pair(forKey: "swagger")
        else { return false }
        let file = document.file
        let folders = file.split(separator: "/", omittingEmptySubsequences: false)
        let stem = String((folders.last ?? "").prefix { $0 != "." })
        let target = "contracts/\(stem.isEmpty ? "api" : stem).contract.yaml"
        let isInTheWay = file == target || file.hasSuffix("/" + target)
        report(
            .openAPIDocument, "this is an OpenAPI document, and not a contract", at: pair.key.range,
            help: isInTheWay
                ? "rename it to `\(stem).openapi.yaml`, then convert it to a contract: `errand import openapi \(stem).openapi.yaml -o \(target)`"
                : "convert it to a contract: `errand import openapi \(file) -o \(target)`")
        return true
    }

    /// `{name: string, alias: string}`: the author meant a field called `alias`, and it marks the long form.
    mutating func reportFieldNamedAsMark(_ mapping: YAMLMapping, _ mark: String) -> Bool {
        guard mark != "fields" || mapping["fields"]?.mapping == nil, mark != "enum" || mapping["enum"]?.kind == .scalar,
            let stranger = mapping.first(where: { pair in
                pair.key.text.map { key in
                    !TypeKeys.mapping.description.allows(key)
                        && nearestSpelling(of: key, among: TypeKeys.mapping.description.names) == nil
                } ?? false
            }), let pair = mapping.pair(forKey: mark), pair.value.kind == .scalar
        else { return false }
        report(
            .unknownKey,
            "\(quoted(stranger.key.text ?? "")) is beside `\(mark)`, which marks the long form of a type",
            at: stranger.key.range,
            notes: [DiagnosticNote("the mark", at: pair.key.range)],
            help: helpBeside(mark, stranger.key.text ?? "", pair.value.text ?? "string"))
        return true
    }

    private func helpBeside(_ mark: String, _ stranger: String, _ type: String) -> String {
        switch mark {
        case "fields": "if `fields` is a field, give it another name: `fieldNames: {type: \(type), wire: fields}`"
        case FieldDefinition.otherMembersName:
            "write the fields under `fields`: `{fields: {\(stranger): …}, \(mark): \(type)}`"
        default: "if `\(mark)` is a field, write the fields under `fields`: `{fields: {\(mark): …}}`"
        }
    }

    private func oneLine(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        return line.count > 60 ? String(line.prefix(60)) + "…" : String(line)
    }
}

extension String {
    func trimmingBlanks() -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var text = utf8[...]
        while let first = text.first, isBlank(first) { text.removeFirst() }
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.count == utf8.count ? self : String(Substring(text))
    }
}
