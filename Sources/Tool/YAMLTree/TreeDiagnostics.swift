import Diagnostics

/// The findings about a tree whose syntax is correct.
extension TreeBuilder {
    func multipleDocuments(at offset: Int) -> Diagnostic {
        Diagnostic(
            rule: .yamlMultipleDocuments,
            message: "a second document begins here, and a file can contain only one",
            at: source.range(offset, min(offset + 3, source.endOfLine(containing: offset))),
            help: "move it to another file, or delete the line '---'"
        )
    }

    func tooDeep(_ range: SourceRange) -> Diagnostic {
        Diagnostic(
            rule: .yamlNestingTooDeep,
            message: "lists and mappings are nested more than \(limits.depth) deep",
            at: range,
            help: "declare the inner parts as types, and refer to them by name"
        )
    }

    // MARK: Keys

    /// A key's problem other than being a duplicate. `key` is `row` with aliases followed.
    func keyProblem(_ row: UInt32, _ key: UInt32) -> Diagnostic? {
        let content = table.rows[Int(key)]
        switch content.kind {
        case .sequence, .mapping:
            return keyNotText(range(row), content)
        case .scalar where content.style == .plain && content.start == content.end:
            return Diagnostic(
                rule: .yamlMissingKey,
                message: "there is no key before the ':'",
                at: range(row),
                help: "write a key, or quote the text if the ':' belongs to it"
            )
        case .scalar where content.style == .plain && content.count == 2 && text(content) == "<<":
            return Diagnostic(
                rule: .yamlMergeKey,
                message: "contracts cannot have merge keys ('<<')",
                at: range(row),
                help: "write the fields here, or declare a type and refer to it by name"
            )
        default:
            return nil
        }
    }

    private func keyNotText(_ range: SourceRange, _ content: NodeTable.Row) -> Diagnostic {
        let kind = content.kind == .mapping ? "a mapping" : "a list"
        let written = String(decoding: source.bytes[Int(range.start.offset)..<range.end.offset], as: UTF8.self)
        let isShort = range.start.line == range.end.line && written.utf8.count <= 60 && !written.isEmpty
        let quoted = isShort && content.isFlow ? YAMLText.quoted(written) : nil
        return Diagnostic(
            rule: .yamlKeyNotText,
            message: "a key must be text, and this one is \(kind)",
            at: range,
            help: quoted.map { "if it is text, quote it: \($0)" }
                ?? "write a name before the ':'",
            fix: quoted.map { Quoting.fix(range, $0, .needsALook) }
        )
    }

    func duplicateKey(_ row: UInt32, first: UInt32) -> Diagnostic {
        let name = text(table.rows[Int(table.resolved(row))])
        return Diagnostic(
            rule: .yamlDuplicateKey,
            message: "the key \(Quoting.shown(name)) occurs twice in this mapping",
            at: range(row),
            notes: [DiagnosticNote("first here", at: range(first))],
            help: "rename or delete one of them"
        )
    }

    // MARK: Anchors, aliases, tags

    func anchorWithoutValue(_ row: UInt32) -> Diagnostic {
        guard let anchor = table.anchors[row] else { return tooDeep(range(row)) }
        let range = source.range(Int(anchor.start), Int(anchor.end))
        let quoted = YAMLText.quoted("&" + anchor.text)
        return Diagnostic(
            rule: .yamlAnchorWithoutValue,
            message: "'&\(anchor.text)' is an anchor for the value after it, and there is no value",
            at: range,
            help: "if it is text, quote it: \(quoted)",
            fix: Quoting.fix(range, quoted, .needsALook)
        )
    }

    func anchorRedefined(_ anchor: YAMLProperty, _ earlier: UInt32) -> Diagnostic {
        let notes = table.anchors[earlier].map {
            [DiagnosticNote("first here", at: source.range(Int($0.start), Int($0.end)))]
        }
        return Diagnostic(
            rule: .yamlAnchorRedefined,
            severity: .warning,
            message:
                "the anchor '&\(anchor.text)' occurs twice, and '*\(anchor.text)' refers to the last one before it",
            at: source.range(Int(anchor.start), Int(anchor.end)),
            notes: notes ?? [],
            help: "give one of them another name"
        )
    }

    func unknownAlias(_ name: String, _ range: SourceRange, known: some Sequence<String>) -> Diagnostic {
        let near = nearestSpelling(of: name, among: known)
        return Diagnostic(
            rule: .yamlUnknownAlias,
            message: "'*\(name)' refers to an anchor '&\(name)', which does not exist before it",
            at: range,
            help: (near.map { "did you mean '*\($0)'? " } ?? "")
                + "If it is text, quote it: \(YAMLText.quoted("*" + name))",
            fix: near.map {
                Fix(
                    title: "write *\($0)", applicability: .needsALook,
                    edits: [.init(replacing: range, with: "*" + $0)])
            }
        )
    }

    func recursiveAlias(_ name: String, _ range: SourceRange, _ row: UInt32) -> Diagnostic {
        let notes = table.anchors[row].map {
            [DiagnosticNote("'&\(name)' begins here and has not ended", at: source.range(Int($0.start), Int($0.end)))]
        }
        return Diagnostic(
            rule: .yamlRecursiveAlias,
            message: "'*\(name)' is inside the value that it refers to",
            at: range,
            notes: notes ?? [],
            help: "to write a recursive type, refer to it by its name, without anchors"
        )
    }

    func tooManyAliasedNodes(_ range: SourceRange) -> Diagnostic {
        Diagnostic(
            rule: .yamlTooManyAliases,
            message: "the aliases up to here expand to more than \(limits.aliasedNodes) values",
            at: range,
            help: "declare a type for the repeated value, and refer to it by name"
        )
    }

    /// `contentEnd` is where the text after the tag ends; `nil` after a collection's tag.
    func tagRefused(_ tag: YAMLProperty, contentEnd: Int?) -> Diagnostic {
        let range = source.range(Int(tag.start), Int(tag.end))
        let lineEnd = source.endOfLine(containing: Int(tag.start))
        let end = max(contentEnd ?? Int(tag.end), Int(tag.end))
        let isText = contentEnd != nil && !tag.text.hasPrefix("!!") && end <= min(lineEnd, Int(tag.start) + 200)
        return Diagnostic(
            rule: .yamlTag,
            message: "'\(tag.text)' is a YAML tag, which contracts cannot have",
            at: range,
            help: isText
                ? "if it is text, quote it: \(YAMLText.quoted(String(decoding: source.bytes[Int(tag.start)..<end], as: UTF8.self)))"
                : "delete it; the contract determines the type of each value"
        )
    }

    // MARK: Places and text

    private func range(_ row: UInt32) -> SourceRange {
        source.range(Int(table.rows[Int(row)].start), Int(table.rows[Int(row)].end))
    }

    private func text(_ content: NodeTable.Row) -> String {
        let range = Int(content.first)..<(Int(content.first) + Int(content.count))
        return String(decoding: content.isDecoded ? table.values[range] : source.bytes[range], as: UTF8.self)
    }
}
