import ContractModel
import SwiftEmitter
import Testing

@testable import ReferencePages

/// No page is larger than 300 kB, and what is cut says so.
@Suite struct PageLengthTests {
    @Test func aTextIsWholeOrSaysWhatIsMissing() throws {
        func page(_ count: Int) throws -> String {
            let words = String(repeating: "word ", count: count / 5)
            let text = "errand: 1\nservice: Shop\nservers: {main: https://a.example}\nendpoints:\n"
            let contract = try SampleSite.contract(
                text: text + "  find: {get: /find, doc: \"\(words)end\", response: none, timeout: 5s}\n")
            return try ReadPage(SampleSite.files([contract])["Shop/find.html"] ?? "").text
        }
        let whole = try page(20_000)
        #expect(whole.contains("word word end") && !whole.contains("more characters"))
        let cut = try page(40_000)
        #expect(cut.contains("(8003 more characters in the contract)") && !cut.contains("word word end"))
    }

    /// Names have up to a thousand characters, and those on the wire any number.
    @Test(arguments: PageFormat.allCases) func hugeNamesAreCut(_ format: PageFormat) throws {
        let long = String(repeating: "n", count: 1_000)
        let wire = String(repeating: "w", count: 150_000)
        let contract = try SampleSite.contract(
            text: """
                errand: 1
                service: Shop
                servers: {main: https://a.example, \(long): https://b.example}
                groups: {g\(long): A group.}
                errors: {e\(long): {category: nonRetryable, when: {status: 409}, message: Gone., data: {d\(long): int}}}
                types: {T\(long): {f\(long): string, g: {type: string, wire: \(wire)}}, E: {enum: {a: a, c\(long): \(wire)}}}
                endpoints:
                  \(long): {get: /a, group: g\(long), query: {q\(long): int}, response: T\(long), errors: [e\(long)], timeout: 5s}
                  other: {get: /b, response: E, errors: [e\(long)], timeout: 5s}
                """)
        let files = try SampleSite.files([contract], format)
        for (path, text) in files where path.hasSuffix(format.suffix) {
            #expect(text.utf8.count <= 300_000, "\(path) has \(text.utf8.count) bytes")
            #expect(path.utf8.count < 200)
        }
        guard format == .html else { return }
        #expect(SampleSite.problems(files).isEmpty, "\(SampleSite.problems(files).prefix(5).map { $0.prefix(300) })")
    }

    @Test func theFirstPageIsSplit() throws {
        let doc = String(repeating: "&", count: 399)
        let contract = try SampleSite.contract(
            text: """
                errand: 1
                service: Shop
                doc: "\(doc)"
                servers: {main: https://a.example}
                endpoints: {find: {get: /find, response: none, timeout: 5s}}
                """)
        let count = 150
        let files = try SampleSite.files(Array(repeating: contract, count: count))
        #expect(files["index.2.html"] != nil)
        #expect(SampleSite.problems(files).isEmpty, "\(SampleSite.problems(files).prefix(5))")
        let pages = files.filter { $0.key.hasPrefix("index.") && $0.key.hasSuffix(".html") }.map { ReadPage($0.value) }
        #expect(Set(pages.flatMap(\.links).filter { $0.hasPrefix("Shop") }).count == count)
    }

    /// What a contract or a group says of itself is there once, however many parts the list of endpoints has.
    @Test func longTextsAreOnOnePart() throws {
        func long(_ word: String, _ count: Int) -> String { "\"\(word)\(String(repeating: "&", count: count))\"" }
        var text = """
            errand: 1
            service: Shop
            doc: \(long("ofthecontract", 20_000))
            servers: {main: https://shop.example}
            common: {query: {region: {type: string, doc: \(long("ofallrequests", 5_000))}}}
            groups: {goods: \(long("ofthegroup", 15_000))}
            endpoints:

            """
        let doc = long("", 250)
        for number in 0..<300 {
            text += "  find\(number): {get: /find/\(number), group: goods, doc: \(doc), response: none, timeout: 5s}\n"
        }
        let files = try SampleSite.files([SampleSite.contract(text: text)])
        let parts = files.filter { $0.key.hasPrefix("Shop/index") }
        #expect((2...8).contains(parts.count), "\(parts.keys.sorted())")
        for words in ["ofthecontract", "ofallrequests", "ofthegroup", "https://shop.example"] {
            #expect(parts.count { $0.value.contains(words) } == 1, "\(words)")
            #expect(parts["Shop/index.html"]?.contains(words) == true, "\(words)")
        }
        let pages = parts.values.map { ReadPage($0) }
        #expect(pages.allSatisfy { $0.problems.isEmpty } && parts.values.allSatisfy { $0.utf8.count <= 300_000 })
        let links = Set(pages.flatMap(\.links))
        #expect((0..<300).allSatisfy { links.contains("find\($0).html") })
    }

    /// A page that is too large with one entry is not divided before it is shrunk: each part would be as large.
    @Test func nothingIsDividedThatIsTooLargeByItself() {
        var count = 0
        let made = PageParts<Int> { limits in
            Array(0..<1_000)
        } render: { entries, isFirst, limits in
            count += 1
            return String(repeating: "a", count: (isFirst ? limits.text * 20 : 100) + entries.count * 1_000)
        }
        #expect(made.parts.flatMap { $0 } == Array(0..<1_000))
        #expect(made.limits.text == PageLimits().halved.halved.text, "20 × 8,000 characters fit")
        #expect(count < 40, "\(count) pages were made")
    }

    @Test func aPageLinksToTheFirstTheLastAndNearParts() {
        let links = Link.parts(50, of: 100) { "\($0)" }
        #expect(links.map(\.name) == (["1"] + (30...70).map { "\($0)" } + ["100"]))
        #expect(links.filter(\.isCurrent).map(\.name) == ["50"])
        #expect(Link.parts(1, of: 1) { "\($0)" }.isEmpty && Link.parts(2, of: 2) { "\($0)" }.map(\.name) == ["1", "2"])
    }
}
