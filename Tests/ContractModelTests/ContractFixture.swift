import ContractModel
import Diagnostics
import Testing

/// A contract in a test: text in which `«…»` marks the place that a finding must point at.
struct ContractFixture: Sendable, CustomTestStringConvertible {
    var rule: String
    /// The text that the message or the help must contain.
    var saying: String
    var text: String
    var marked: Range<Int>?

    /// `text` is a whole contract.
    init(_ rule: String, saying: String, _ text: String) {
        self.rule = rule
        self.saying = saying
        var plain = ""
        var start: Int?
        for character in text {
            switch character {
            case "«": start = plain.utf8.count
            case "»": marked = start.map { $0..<plain.utf8.count }
            default: plain.append(character)
            }
        }
        self.text = plain
    }

    /// `part` is after the head of a contract that has one endpoint.
    init(_ rule: String, saying: String, part: String) {
        self.init(rule, saying: saying, Self.head + "endpoints:\n  ping:\n    get: /ping\n    response: none\n" + part)
    }

    /// `endpoint` is the inside of an endpoint.
    init(_ rule: String, saying: String, endpoint: String, more: String = "") {
        let lines = endpoint.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(
            separator: "\n")
        self.init(rule, saying: saying, Self.head + more + "endpoints:\n  ask:\n" + lines + "\n")
    }

    static let head = "errand: 1\nservice: Sample\n"

    var testDescription: String { "\(rule): \(saying)" }
}

/// A contract with one mistake gives a finding of that rule, with these words, at that place.
///
/// - Parameter most: how many findings there may be.
func expectIsFound(
    _ fixture: ContractFixture, among most: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
) {
    let result = resolve(fixture.text)
    let all = "\(listing(result.diagnostics))\n\(fixture.text)"
    let found = result.diagnostics.first { $0.rule == fixture.rule }
    #expect(result.contract == nil, "\(all)", sourceLocation: sourceLocation)
    #expect(found != nil && result.diagnostics.count <= most, "\(all)", sourceLocation: sourceLocation)
    let said = "\(found?.message ?? "") — \(found?.help ?? "")"
    #expect(said.contains(fixture.saying), "\(all)", sourceLocation: sourceLocation)
    #expect(
        found?.range.map { $0.start.offset..<$0.end.offset } == fixture.marked, "\(all)", sourceLocation: sourceLocation
    )
}

/// Files in memory.
struct MemorySource: SourceProvider {
    var files: [String: String]

    func read(_ path: String) -> SourceReading {
        guard let text = files[path] else {
            return .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
        return .bytes(Array(text.utf8))
    }
}

func resolve(_ text: String, _ others: [String: String] = [:]) -> (
    contract: ResolvedContract?, diagnostics: [Diagnostic]
) {
    var files = others
    files["sample.contract.yaml"] = text
    return ContractResolver(provider: MemorySource(files: files)).resolve(path: "sample.contract.yaml")
}

/// One line for each finding, for the message of a failed test.
func listing(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { diagnostic in
        let place = diagnostic.range.map { "\($0.start.line):\($0.start.column)" } ?? "-"
        return "\(diagnostic.file):\(place) [\(diagnostic.rule)] \(diagnostic.message) — \(diagnostic.help ?? "")"
    }.joined(separator: "\n")
}
