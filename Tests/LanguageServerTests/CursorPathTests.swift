import Foundation
import TestSeeds
import Testing
import YAMLTree

@testable import LanguageServer

/// Where a place of a text is, beside what libyaml's tree says of it.
@Suite struct CursorPathTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every contract of the checkout: shipped ones, and the fixtures of other tests.
    static func contracts() throws -> [(name: String, text: String)] {
        var found: [(String, String)] = []
        for folder in ["contracts", "Tests"] {
            let base = root.appendingPathComponent(folder)
            // A package below may have been built, and the files that builds write are very long and aren't contracts.
            for case let name as String in FileManager.default.enumerator(atPath: base.path) ?? .init()
            where name.hasSuffix(".yaml") && !name.contains("/.") {
                guard let text = try? String(contentsOf: base.appendingPathComponent(name), encoding: .utf8) else {
                    continue
                }
                found.append((folder + "/" + name, text))
            }
        }
        return found.sorted { $0.0 < $1.0 }
    }

    struct Place {
        var keys: [String]
        var isKey: Bool
        var range: Range<Int>
    }

    /// Every scalar of a tree with the keys that lead to it; what YAML says by alias is left out.
    static func places(_ node: YAMLNode, _ keys: [String] = []) -> [Place] {
        guard node.aliasRange == nil else { return [] }
        switch node.kind {
        case .scalar:
            let range = node.range
            return node.isAbsent ? [] : [Place(keys: keys, isKey: false, range: range.start.offset..<range.end.offset)]
        case .sequence: return node.sequence?.flatMap { places($0, keys) } ?? []
        case .mapping:
            // The type `[string: User]` is a mapping for YAML only.
            return node.mapping?.flatMap { pair in
                let key = pair.key.text ?? ""
                let own = Place(keys: keys, isKey: true, range: pair.key.range.start.offset..<pair.key.range.end.offset)
                return [own] + places(pair.value, keys + [key])
            } ?? []
        case .unreadable: return []
        }
    }

    /// Pairs without braces inside square brackets are a type to the language, and nothing has a path of its own in there.
    static func holdsMapType(_ text: String) -> Bool { text.contains(/\[\s*\w+\s*:/) }

    @Test func everyScalarIsWhereTheTreeHasIt() throws {
        var count = 0
        for (name, text) in try Self.contracts() where !Self.holdsMapType(text) {
            guard let tree = YAMLParser().parse(text, file: name).document, Array(text.utf8) == tree.bytes else {
                continue
            }
            let document = DocumentText(Array(text.utf8))
            for place in Self.places(tree.root) where place.keys.count < 12 {
                count += 1
                for offset in Set([place.range.lowerBound, (place.range.lowerBound + place.range.upperBound) / 2]) {
                    let found = CursorPath(at: offset, in: document)
                    guard found.keys == place.keys, found.word == place.range || !place.isKey,
                        (found.role == .key) == place.isKey
                    else {
                        Issue.record("\(name):\(document.line(at: offset) + 1) \(place) is \(found)")
                        return
                    }
                }
            }
        }
        #expect(count > 1000)
    }

    /// While a person types, nothing is after the place.
    @Test func theSameWhereTheTextEndsThere() throws {
        for (name, text) in try Self.contracts() where name.hasPrefix("contracts/") && !Self.holdsMapType(text) {
            let bytes = Array(text.utf8)
            let tree = try #require(YAMLParser().parse(text, file: name).document)
            for place in Self.places(tree.root) where place.keys.count < 12 {
                let found = CursorPath(
                    at: place.range.lowerBound + 1, in: DocumentText(Array(bytes[...place.range.lowerBound])))
                let isBlock =
                    bytes[place.range.lowerBound] == UInt8(ascii: "|")
                    || bytes[place.range.lowerBound] == UInt8(ascii: ">")
                #expect(found.keys == place.keys || isBlock, "\(name):\(document(bytes, place))")
                #expect(found.role != .comment)
            }
        }
    }

    private func document(_ bytes: [UInt8], _ place: Place) -> Int {
        DocumentText(bytes).line(at: place.range.lowerBound) + 1
    }

    /// The place is `¦`; then the keys and the role.
    @Test(arguments: [
        ("¦", "", CursorPath.Role.undecided),
        ("types:\n  ¦", "types", .undecided),
        ("types:\n  A:\n    x: ¦", "types.A.x", .value),
        ("types:\n  A:\n    x:¦\n", "types.A.x", .value),
        ("types:\n  A:\n    x: int\n¦", "", .undecided),
        ("types:\n  A:\n    x: int\n    ¦\n  B: {}", "types.A", .undecided),
        ("errors:\n- {status: ¦", "errors.status", .value),
        ("errors:\n- {¦", "errors", .key),
        ("defaults: {errors: [a, ¦", "defaults.errors", .value),
        ("defaults: {errors: [a], ¦}", "defaults", .key),
        ("defaults: {errors: [a], sess¦: x}", "defaults", .key),
        ("endpoints:\n  a: {get: /a, response: ¦\n  b: {get: /b}\n", "endpoints.a.response", .value),
        ("endpoints:\n  a: {get: /a, errors: [\n  b:\n    get: ¦/b\n", "endpoints.b.get", .value),
        ("endpoints:\n  a: {get: \"/a\n  b:\n    get: ¦/b\n", "endpoints.b.get", .value),
        ("doc: |\n  types:\n    ¦x: y\nservice: A", "doc", .value),
        ("doc: |\n  types:\n    x: y\nservice: ¦A", "service", .value),
        ("a: b # errand:¦ignore", "a", .comment),
        ("a:\n  # err¦\n  b: c", "a", .comment),
        ("a: 'it''s: {' \nb: ¦", "b", .value),
        ("when:\n  - status: 1\n    co¦", "when", .undecided),
        ("when:\n  - status: 1\n  - ¦", "when", .undecided),
        ("\"quoted key\": {x: ¦}", "quoted key.x", .value),
        ("a: &anchor ¦x", "a", .value),
        ("a: {b: [{c: d}, {e: ¦}]}", "a.b.e", .value),
        ("a: {b: x} ¦", "a", .value),
        ("a:\r\n  b: ¦\r\n", "a.b", .value),
    ])
    func whereSomebodyTypes(marked: String, keys: String, role: CursorPath.Role) {
        let parts = marked.components(separatedBy: "¦")
        let found = CursorPath(at: parts[0].utf8.count, in: DocumentText(Array(parts.joined().utf8)))
        #expect(found.keys.joined(separator: ".") == keys)
        #expect(found.role == role)
    }

    /// For any bytes and any place, it returns a result, and names bytes of the text.
    @Test func anyTextHasAnAnswerEverywhere() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", ": ", ":", "\n", "  ", "- ", "{", "}", "[", "]", ",", "\"", "'", "#", " ", "|", ">", "&x ", "\r\n",
            "\\", "🧾", "\t", "!t ",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...25, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let document = DocumentText(Array(text.utf8))
            for offset in 0...document.bytes.count {
                let found = CursorPath(at: offset, in: document)
                #expect(
                    found.word.upperBound <= document.bytes.count, "seed \(seed): \(text.debugDescription) at \(offset)"
                )
            }
        }
    }
}
