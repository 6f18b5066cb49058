import Diagnostics
import Testing

@testable import YAMLTree

/// Input that is made to cost more than its size, or that is broken in ways that no list has.
@Suite struct HostileInputTests {
    @Test(arguments: ["[", "{a: ", "- ", "? ", "{? ", "a:\n", "&a [", "!x ["])
    func tenThousandLevelsAreRefused(_ level: String) {
        for text in [String(repeating: level, count: 10_000), String(repeating: level, count: 10_000) + "x"] {
            let parsed = YAMLParser().parse(text, file: "a.yaml")
            // `a:` over and over is a list of duplicate keys, not depth.
            if level == "a:\n" {
                #expect(
                    parsed.diagnostics.contains { $0.rule == "yaml-duplicate-key" || $0.rule == "yaml-missing-colon" })
            } else {
                #expect(
                    parsed.diagnostics.contains { $0.rule == "yaml-nesting-too-deep" },
                    "\(parsed.diagnostics.last?.rule ?? "")")
                #expect(parsed.document == nil)
            }
        }
    }

    @Test func thousandsOfIndentedLevelsAreRefused() {
        let text = (0..<2_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect(YAMLParser().parse(text, file: "a.yaml").diagnostics.map(\.rule) == ["yaml-nesting-too-deep"])
    }

    @Test func billionLaughsAreCounted() throws {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let parsed = YAMLParser().parse(text, file: "a.yaml")
        #expect(parsed.diagnostics.map(\.rule) == ["yaml-too-many-aliases"])
        let document = try #require(parsed.document)
        #expect(count(document.root) < 3_000_000)
    }

    @Test func depthThroughAliasesCounts() {
        var text = "a0: &a0 [x]\n"
        for level in 1...80 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let parsed = YAMLParser().parse(text, file: "a.yaml")
        #expect(parsed.diagnostics.first?.rule == "yaml-nesting-too-deep")
        #expect(parsed.document.map { depth($0.root) } ?? 0 <= YAMLParser.Limits().depth)
    }

    /// Each would take minutes if something were done for every repetition that costs as much as the file is long.
    @Test(arguments: [
        ("", "\""), ("", "\"a\" "), ("", "# "), ("", "a\n"), ("", "a: b\n"), ("[", "!a b, "), ("[", "a, "),
        ("[", "*a, "),
        ("{", "a: b, "), ("[", "[[]], "), ("", "- !a [b]\n"), ("[", "\"\\x41\" , "), ("", "- |\n  a\n"),
        ("", "- &a a\n"),
        ("x: |\n", " a\n"), ("[", "é, "), ("", "[a]: b\n"), ("\"", "\\u263a"), ("", "\u{1}"), ("", "\t"),
        ("- &a", "\n#\n"),
    ])
    func repetitionCostsNoMoreThanItsLength(_ start: String, _ part: String) {
        let text = start + String(repeating: part, count: 200_000 / part.utf8.count)
        var parsed: YAMLParser.Result?
        let time = ContinuousClock().measure { parsed = YAMLParser().parse(text, file: "a.yaml") }
        #expect(time < .seconds(10))
        #expect(parsed?.diagnostics.count ?? 0 <= YAMLParser.Limits().diagnostics + 1)
        for diagnostic in parsed?.diagnostics ?? [] {
            #expect(diagnostic.message.utf8.count + (diagnostic.help?.utf8.count ?? 0) < 1_000)
        }
    }

    @Test func everyTruncationIsRead() {
        let bytes = Array(bankContract.utf8)
        for length in 0...bytes.count {
            let parsed = YAMLParser().parse(Array(bytes[..<length]), file: "a.yaml")
            #expect(parsed.document != nil || !parsed.diagnostics.isEmpty)
            #expect(parsed.diagnostics.count <= 2, "\(length): \(parsed.diagnostics.map(\.rule))")
        }
    }

    @Test func mutationsAreRead() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the mutations: \(seed)")
        var random = SplitMix(state: seed)
        let original = Array(bankContract.utf8)
        let interesting = Array("{}[]:,&*!|>'\"%@`#-? \n\t\0\u{FEFF}".utf8) + [0xFF, 0xC3, 0xE2, 0x80, 0xF0]
        for _ in 0..<3_000 {
            let start = Int.random(in: 0..<original.count, using: &random)
            var bytes = Array(original[start..<min(original.count, start + 600)])
            for _ in 0...Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = interesting.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                default: bytes.remove(at: place)
                }
            }
            let parsed = YAMLParser().parse(bytes, file: "a.yaml")
            #expect(parsed.document != nil || !parsed.diagnostics.isEmpty, "seed \(seed)")
            for diagnostic in parsed.diagnostics {
                #expect((diagnostic.range?.end.offset ?? 0) <= bytes.count, "seed \(seed)")
                _ = TextReport(source: { _ in bytes }).render([diagnostic])
            }
            if let document = parsed.document { checkRoundTrip(document) }
        }
    }

    @Test func tenMegabytesAreRead() throws {
        let part = bankContract.split(separator: "\nendpoints:\n")[1]
        var text = String(bankContract.split(separator: "\nendpoints:\n")[0]) + "\nendpoints:\n"
        var number = 0
        while text.utf8.count < 10 << 20 {
            number += 1
            text +=
                part.replacing("logIn:", with: "logIn\(number):").replacing("logOut:", with: "logOut\(number):")
                .replacing("listAccounts:", with: "listAccounts\(number):")
                .replacing("transferFunds:", with: "transferFunds\(number):") + "\n"
        }
        let bytes = Array(text.utf8)
        let clock = ContinuousClock()
        var parsed: YAMLParser.Result?
        let time = clock.measure { parsed = YAMLParser().parse(bytes, file: "a.yaml") }
        print("\(bytes.count) bytes in \(time)")
        #expect(parsed?.diagnostics.isEmpty == true)
        let document = try #require(parsed?.document)
        #expect(document.root.mapping?["endpoints"]?.mapping?.count == 4 * number)
        #expect(document.root.mapping?["endpoints"]?.mapping?["logIn\(number)"] != nil)
        #expect(time < .seconds(30))
    }

    private func count(_ node: YAMLNode) -> Int {
        if let sequence = node.sequence { return sequence.reduce(1) { $0 + count($1) } }
        if let mapping = node.mapping { return mapping.reduce(1) { $0 + count($1.key) + count($1.value) } }
        return 1
    }

    private func depth(_ node: YAMLNode) -> Int {
        if let sequence = node.sequence { return 1 + (sequence.map(depth).max() ?? 0) }
        if let mapping = node.mapping { return 1 + (mapping.map { max(depth($0.key), depth($0.value)) }.max() ?? 0) }
        return 0
    }
}

/// A generator that a seed determines.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
