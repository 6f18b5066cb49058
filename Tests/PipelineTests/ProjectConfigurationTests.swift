import Diagnostics
import Foundation
import Pipeline
import SwiftEmitter
import Testing

@Suite struct ProjectConfigurationTests {
    private func decode(_ text: String) -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic]) {
        ProjectConfiguration.decode(Array(text.utf8), file: "errand.yaml")
    }

    @Test func readsEveryKey() throws {
        let result = decode(
            "contracts: [a.contract.yaml, more]\noutput: Sources/Clients\naccess: internal\nconformances: [Hashable, Codable]\nimports: [Logging, A.B]\ntemplates: mine\ndocs: {output: site, templates: pages}\nlint: {fail-on: error}\n"
        )
        var wanted = ProjectConfiguration()
        wanted.contracts = ["a.contract.yaml", "more"]
        wanted.output = "Sources/Clients"
        wanted.access = .internal
        wanted.imports = ["Logging", "A.B"]
        wanted.failOn = .error
        for key in ["contracts", "output", "access", "conformances", "imports", "templates", "docs", "lint"] {
            let place = try #require(result.configuration?.places[key])
            #expect(place.range.start.column == 1)
            wanted.places[key] = place
        }
        wanted.conformances = [.hashable, .codable]
        wanted.templates = "mine"
        let docs = try #require(result.configuration?.docs)
        #expect(docs.output?.value == "site" && docs.templates?.value == "pages")
        wanted.docs = docs
        #expect(result.diagnostics.isEmpty)
        #expect(result.configuration == wanted)
    }

    /// `docs/configuration.md` has an example with every key, and a row for each.
    @Test func thePageKnowsEveryKey() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../docs/configuration.md"), encoding: .utf8)
        let example = try #require(
            page.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "```").first)
        let result = decode(example)
        #expect(result.diagnostics.isEmpty)
        #expect(result.configuration?.conformances == [.hashable])
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "`").dropFirst().first
        }
        #expect(rows.map(String.init) == ProjectConfiguration.keys)
        for key in ProjectConfiguration.keys { #expect(example.contains("\(key):")) }
        for conformance in ModelConformance.allCases { #expect(page.contains("`\(conformance.rawValue)`")) }
    }

    @Test func leavesOutWhatIsNotSaid() {
        #expect(decode("output: out\n").configuration?.contracts == ["contracts"])
    }

    @Test(arguments: [
        ("outptu: x\n", "unknown-key", "did you mean `output`?"),
        ("access: open\n", "unknown-value", "`public`, `package` or `internal`"),
        ("imports: [\"A; import B\"]\n", "unknown-value", "only the name"),
        ("imports: [let]\n", "unknown-value", "only the name"),
        ("endpoints: []\n", "missing-value", "remove the key"),
        ("endpoints: {Bank: []}\n", "missing-value", "remove the key"),
        ("endpoints: {Bank: {a: b}}\n", "wrong-kind", ""),
        ("names: [a]\n", "wrong-kind", ""),
        ("names: {Bank: {type: {a: B}}}\n", "unknown-key", "did you mean `types`?"),
        ("names: {Bank: {types: {a: [B]}}}\n", "wrong-kind", ""),
        ("allow: {a: b}\n", "wrong-kind", ""),
        ("limits: {file-sizes: 3}\n", "unknown-key", "did you mean `file-size`?"),
        ("limits: {file-size: 33}\n", "unknown-value", "`--max-file-size`"),
        ("limits: {endpoints: 0}\n", "unknown-value", "`--max-endpoints`"),
        ("limits: [1]\n", "wrong-kind", ""),
        ("lint: {failon: error}\n", "unknown-key", "did you mean `fail-on`?"),
        ("lint: {fail-on: never}\n", "unknown-value", "`error`, `warning` or `note`"),
        ("conformances: [Hashable, Codeable]\n", "unknown-value", "did you mean `Codable`?"),
        ("conformances: {Hashable: true}\n", "wrong-kind", ""),
        ("output: [a]\n", "wrong-kind", ""),
        ("contracts: []\n", "missing-value", "contracts: [contracts]"),
        ("- a\n", "wrong-kind", "the keys are"),
    ])
    func refusesWhatItDoesNotKnow(_ text: String, _ rule: String, _ help: String) {
        let result = decode(text)
        #expect(result.configuration == nil)
        #expect(result.diagnostics.map(\.rule) == [rule])
        #expect(result.diagnostics.first?.range != nil)
        if !help.isEmpty { #expect(result.diagnostics.first?.help?.contains(help) == true) }
    }
}
