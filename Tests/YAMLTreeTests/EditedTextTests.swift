import Diagnostics
import Testing

@testable import YAMLTree

/// Reading a text again after an edit gives the tree that reading all of it gives.
@Suite struct EditedTextTests {
    private static let rounds = 500

    @Test func anyEditGivesTheWholeTree() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the edits: \(seed)")
        var random = SplitMix(state: seed)
        var text = Array(bankContract.utf8)
        var document = try #require(YAMLParser().parse(text, file: "a.yaml").document)
        var kept = 0
        for round in 0..<Self.rounds {
            let edited = Self.edit(text, &random)
            let whole = YAMLParser().parse(edited, file: "a.yaml")
            let piecewise = YAMLParser().parse(edited, editing: document)
            if let piecewise {
                kept += 1
                #expect(whole.diagnostics.isEmpty, "seed \(seed), round \(round): what is wrong was not seen")
                let wanted = whole.document.map(Self.description)
                let found = Self.description(piecewise.document)
                guard found == wanted else {
                    let place = zip(found.split(separator: "\n"), (wanted ?? "").split(separator: "\n")).first {
                        $0 != $1
                    }
                    Issue.record(
                        "another tree (seed \(seed), round \(round)): \(String(describing: place))\n\(String(decoding: edited, as: UTF8.self))"
                    )
                    return
                }
            }
            // Edits of edits, as long as the text is sound; now and then a fresh one, so that it stays a contract.
            if let next = piecewise?.document, Int.random(in: 0..<50, using: &random) > 0 {
                (text, document) = (edited, next)
            } else if Int.random(in: 0..<4, using: &random) == 0 {
                text = Array(bankContract.utf8)
                document = try #require(YAMLParser().parse(text, file: "a.yaml").document)
            }
        }
        print("\(kept) of \(Self.rounds) edits were read by themselves")
        #expect(kept > Self.rounds / 10, "seed \(seed)")
    }

    @Test(arguments: [
        ("endpoints:\n  a:\n    get: /a\n  b: {get: /b}\n", "/a", "/a\n    doc: more"),
        ("endpoints:\n  a:\n    get: /a\n  b: {get: /b}\n", "  b:", "  c: 1\n\n  # c\n  b:"),
        ("types:\n  A:\n    b: |\n      text\n\nendpoints:\n  a: 1\n", "text\n", "text\n      more\n"),
        ("types:\n  A: {b: int}\n  B: \"é\"\n", "int", "ünt"),
        ("types:\n  A: {b: int}\n  B: {c: int}", "c: int", "c: string"),
    ])
    func anEditInsideOneEntryIsReadByItself(_ text: String, _ old: String, _ new: String) throws {
        let text = "errand: 1\nservice: A\n" + text
        let document = try #require(YAMLParser().parse(text, file: "a.yaml").document)
        let edited = text.replacing(old, with: new, maxReplacements: 1)
        let piecewise = try #require(YAMLParser().parse(Array(edited.utf8), editing: document))
        let whole = try #require(YAMLParser().parse(edited, file: "a.yaml").document)
        #expect(Self.description(piecewise.document) == Self.description(whole))
    }

    @Test(arguments: [
        ("  a: 1\n", "  a: 1\n  b: 2\n", "a key that is there already"),
        ("  a: 1\n", "  a: &x 1\n", "an anchor"),
        ("  a: 1\n", "  a: [1\n", "a bracket that stays open"),
        ("  a: 1\n", "...\n", "the end of the document"),
        ("  a: 1\n", "   a: 1\n", "another column"),
        ("  a: 1\n", "  ? a\n", "a key without a value"),
        ("  a: 1\n", "\ta: 1\n", "a tab"),
        ("  a: 1\n", "    # no comment, but text\n  a: 1\n", "what the block before takes up"),
    ])
    func whatReachesBeyondItsEntryIsLeftToTheWholeText(_ old: String, _ new: String, _ what: String) throws {
        let text = "errand: 1\nfirst: |\n    text\ntypes:\n  z: |\n    text\n  a: 1\n  b: 2\n"
        let document = try #require(YAMLParser().parse(text, file: "a.yaml").document)
        let edited = text.replacing(old, with: new, maxReplacements: 1)
        #expect(edited != text)
        guard let piecewise = YAMLParser().parse(Array(edited.utf8), editing: document) else { return }
        // What was read all the same has to be right.
        let whole = YAMLParser().parse(edited, file: "a.yaml")
        #expect(whole.diagnostics.isEmpty, "\(what)")
        #expect(Self.description(piecewise.document) == whole.document.map(Self.description), "\(what)")
    }

    // MARK: Edits and trees

    private static let insertions = [
        "\n", "\n    ", "\n  more: 1\n", "  ", "\t", "#", " # comment\n", "'", "\"", "{", "}", "[", "]", ": ", "&a ",
        "*a", "!t ", "- ", "? ", "|\n",
        ">\n", "é", "\r\n", "---\n", "...\n", "%YAML 1.2\n", "x", "# errand:ignore verb-in-path reason\n",
    ].map { Array($0.utf8) }

    private static func edit(_ text: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var text = text
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: text.insert(contentsOf: insertions.randomElement(using: &random) ?? [], at: place)
        case 2:
            // A letter inside a word, which is what most edits are.
            if place < text.count, (0x61...0x7A).contains(text[place]) {
                text[place] = UInt8.random(in: 0x61...0x7A, using: &random)
            }
        case 3: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...4, using: &random)))
        case 4:
            // A line goes.
            let start = (text[..<place].lastIndex(of: 0x0A) ?? -1) + 1
            let end = text[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            text.removeSubrange(start..<end)
        default:
            // A line comes again, somewhere else, with a key of its own.
            let start = (text[..<place].lastIndex(of: 0x0A) ?? -1) + 1
            let end = text[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            var line = Array(text[start..<end])
            if let letter = line.firstIndex(where: { (0x61...0x7A).contains($0) }) {
                line.insert(UInt8.random(in: 0x61...0x7A, using: &random), at: letter)
            }
            let other = Int.random(in: 0...text.count, using: &random)
            text.insert(contentsOf: line, at: (text[..<other].lastIndex(of: 0x0A) ?? -1) + 1)
        }
        return text
    }

    /// Everything that can be asked of a document.
    private static func description(_ document: YAMLDocument) -> String {
        var lines: [String] = []
        func add(_ node: YAMLNode) {
            lines.append(
                "\(node.kind) \(node.scalar.map { "\($0.style) \($0.value)" } ?? "") \(node.range) \(node.range.end) \(node.isAbsent) \(node.aliasRange == nil)"
            )
            lines.append(
                "\(document.trailingComment(after: node)?.text ?? "") \(document.commentsAbove(node).map(\.text))")
            node.sequence?.forEach(add)
            guard let mapping = node.mapping else { return }
            lines.append(
                "\(mapping.isFlow) \(mapping.keys.map { mapping.pair(forKey: $0)?.range.end.offset ?? -1 }) \(mapping.canRepeatKeys)"
            )
            for pair in mapping {
                add(pair.key)
                add(pair.value)
            }
        }
        add(document.root)
        lines += document.comments.map { "\($0.text) \($0.range) \($0.range.end) \($0.isAlone)" }
        return lines.joined(separator: "\n")
    }
}
