import Foundation
import TestSeeds
import Testing

@testable import LanguageServer

/// Positions and edits, beside what Foundation makes of the same text.
@Suite struct DocumentTextTests {
    static let pieces = [
        "a", "bc", " ", "key: [x]\n", "\t", "\n", "\r\n", "\r", "é", "e\u{301}", "🧾", "👩‍👩‍👧‍👦", "中", "\u{FEFF}",
        "𝔘", "\u{2028}",
    ]

    static func random(_ count: Int, _ random: inout SeededGenerator) -> String {
        (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    /// The lines of a text with their ends, as LSP counts them, by way of UTF-16.
    static func lines(_ text: String) -> [[UInt16]] {
        var lines: [[UInt16]] = [[]]
        let units = Array(text.utf16)
        for (position, unit) in units.enumerated() {
            lines[lines.count - 1].append(unit)
            if unit == 0x0A || (unit == 0x0D && !(position + 1 < units.count && units[position + 1] == 0x0A)) {
                lines.append([])
            }
        }
        return lines
    }

    @Test(arguments: [PositionEncoding.utf16, .utf8])
    func everyCharacterIsWhereItsUnitsSay(encoding: PositionEncoding) {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let text = Self.random(Int.random(in: 0...30, using: &random), &random)
            let document = DocumentText(Array(text.utf8))
            let lines = Self.lines(text)
            #expect(document.lineCount == lines.count, "seed \(seed)")
            var offset = 0
            for (number, line) in lines.enumerated() {
                var character = 0
                for scalar in String(decoding: line, as: UTF16.self).unicodeScalars {
                    let place = ClientPosition(line: number, character: character)
                    #expect(document.position(at: offset, encoding) == place, "seed \(seed): \(text.debugDescription)")
                    if scalar != "\n" || character == 0 || line.dropLast().last != 0x0D {
                        #expect(
                            document.offset(of: place, encoding) == offset,
                            "seed \(seed): \(text.debugDescription) \(place)")
                    }
                    character += encoding == .utf8 ? UTF8.width(scalar) : UTF16.width(scalar)
                    offset += UTF8.width(scalar)
                }
            }
        }
    }

    @Test func placesThatAreNotThereAreTheNearestThatAre() {
        let text = DocumentText(Array("ab\r\n🧾c\n".utf8))
        func offset(_ line: Int, _ character: Int) -> Int {
            text.offset(of: ClientPosition(line: line, character: character), .utf16)
        }
        #expect(offset(0, 2) == 2 && offset(0, 3) == 2 && offset(0, 900) == 2)
        #expect(offset(1, 1) == 4, "inside a surrogate pair")
        #expect(offset(1, 2) == 8 && offset(1, 3) == 9 && offset(1, .max) == 9)
        #expect(offset(2, 0) == 10 && offset(3, 0) == 10 && offset(.max, .max) == 10)
        #expect(offset(-1, 4) == 0 && offset(0, -7) == 0)
    }

    /// A client's text after the same edits, on arrays of lines.
    @Test(arguments: [PositionEncoding.utf16, .utf8])
    func editsMakeTheTextThatTheClientHas(encoding: PositionEncoding) {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var whole = Self.random(Int.random(in: 0...40, using: &random), &random)
            var document = DocumentText(Array(whole.utf8))
            for _ in 0..<30 {
                let scalars = Array(whole.unicodeScalars)
                let first = Int.random(in: 0...scalars.count, using: &random)
                let last = Int.random(in: first...min(scalars.count, first + 6), using: &random)
                let before = String(String.UnicodeScalarView(scalars[..<first]))
                let through = String(String.UnicodeScalarView(scalars[..<last]))
                // A position cannot name the place between `\r` and `\n`.
                if before.utf8.last == 0x0D || through.utf8.last == 0x0D { continue }
                let new = Self.random(Int.random(in: 0...4, using: &random), &random)
                let range = ClientRange(
                    start: Self.position(behind: before, encoding), end: Self.position(behind: through, encoding))
                whole = before + new + String(String.UnicodeScalarView(scalars[last...]))
                document.replace(range, with: new, encoding)
                #expect(Array(whole.utf8) == document.bytes, "seed \(seed)")
                #expect(document.lineCount == Self.lines(whole).count, "seed \(seed)")
            }
        }
    }

    private static func position(behind text: String, _ encoding: PositionEncoding) -> ClientPosition {
        let lines = lines(text)
        let last = String(decoding: lines[lines.count - 1], as: UTF16.self)
        return ClientPosition(line: lines.count - 1, character: encoding == .utf8 ? last.utf8.count : last.utf16.count)
    }

    @Test(arguments: [
        ("file:///home/a/b.yaml", "/home/a/b.yaml"), ("file:///home/a%20b/%C3%BC%25.yaml", "/home/a b/ü%.yaml"),
        ("FILE://localhost/a/./b/../c", "/a/c"), ("file:/a/b", "/a/b"), ("file:///a%2Fb%zz%4", "/a/b%zz%4"),
        ("untitled:Untitled-1", "untitled:Untitled-1"), ("vscode-vfs://github/x", "vscode-vfs:__github_x"),
        ("file://", "/"),
        ("", ""), ("file:///a?x#y", "/a"),
    ])
    func urisAreReadAsTheyAreMeant(uri: String, path: String) {
        #expect(DocumentAddress.path(of: uri) == path)
    }

    @Test func pathsComeBackFromTheirURIs() {
        for path in ["/a b/ü%#?.yaml", "/日本/🧾.contract.yaml", "/", "/a+b&c=d@e:f,g;h"] {
            let uri = DocumentAddress.uri(of: path)
            #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            #expect(DocumentAddress.path(of: uri) == path)
            #expect(URL(string: uri)?.path == path)
        }
    }
}
