import ContractDiff
import Foundation
import Testing

/// The files of `Cases`: pairs of contracts, each with all of its changes that have a consequence. `changes.txt` describes the form.
@Suite struct ChangeCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old = ""
        var new = ""
        /// The letters of the columns, and the summary of the change.
        var changes: [String] = []
        var sentences: [String] = []
    }

    static let cases: [Case] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
            cases(in: (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? "")
        }
    }()

    private static func cases(in text: String) -> [Case] {
        var head = ""
        var section = ""
        var cases: [Case] = []
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("== ") { cases.append(Case(testDescription: String(line.dropFirst(3)))) }
            if line.hasPrefix("-- ") || line.hasPrefix("== ") {
                section = String(line.dropFirst(3))
                continue
            }
            guard !line.isEmpty, !section.isEmpty else { continue }
            switch section {
            case "head": head += line + "\n"
            case "old": cases[cases.count - 1].old += line + "\n"
            case "new": cases[cases.count - 1].new += line + "\n"
            case "diff":
                if !line.hasPrefix("+") { cases[cases.count - 1].old += line.dropFirst() + "\n" }
                if !line.hasPrefix("-") { cases[cases.count - 1].new += line.dropFirst() + "\n" }
            case _ where line.hasPrefix("> "): cases[cases.count - 1].sentences.append(String(line.dropFirst(2)))
            default: cases[cases.count - 1].changes.append(line)
            }
        }
        return cases.map { one in
            var one = one
            (one.old, one.new) = (head + one.old, head + one.new)
            return one
        }
    }

    @Test func thereAreCases() {
        #expect(Self.cases.count > 60)
        #expect(Set(Self.cases.map(\.testDescription)).count == Self.cases.count)
        #expect(Self.cases.allSatisfy { $0.old != $0.new && $0.old.contains("endpoints:") })
    }

    @Test(arguments: cases) func hasTheseChanges(_ one: Case) throws {
        let pair = try ContractPair(one.old, one.new)
        let changes = TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new).filter {
            $0.verdict.level > .none
        }
        let lines = changes.map { change in
            change.verdict.columns.map { Self.letter($0.judgment.level) }.joined() + " " + change.summary
        }
        #expect(lines.sorted() == one.changes.sorted(), "\(pair.listing)")
        let sentences = Set(changes.flatMap(\.verdict.columns).compactMap(\.judgment.sentence))
        for sentence in one.sentences { #expect(sentences.contains(sentence), "\(sentences)") }
        for change in changes {
            // The place is in the contract that has the part.
            let range = try #require(change.range, "\(change.summary)")
            #expect(range.file == (change.isInOld ? "old" : "new") + ".contract.yaml", "\(change.summary)")
        }
    }

    private static func letter(_ level: ChangeVerdict.Level) -> String {
        switch level {
        case .none: "-"
        case .warns: "R"
        case .breaks: "B"
        }
    }
}
