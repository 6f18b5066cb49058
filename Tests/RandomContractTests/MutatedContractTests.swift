import Foundation
import TestSeeds
import Testing

/// Shipped contracts with a few lines changed at random: the tool may refuse them, lint and generate agree, and what both
/// accept compiles.
@Suite(.serialized) struct MutatedContractTests {
    private static let count = ContractRun.count / 2
    private static let seed = ContractRun.seed

    @Test func areJudgedInOneWay() throws {
        print("seed \(Self.seed), mutations \(Self.count)")
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../contracts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".contract.yaml")
        }
        .sorted()
        var shipped: [String: String] = [:]
        for name in names {
            shipped[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        let workplace = try Workplace()
        var accepted = 0
        for number in 0..<Self.count {
            var random = SeededGenerator(seed: Self.seed + UInt64(number))
            let name = random.pick(names)
            let service = "M\(number)"
            var files = shipped
            let text = Self.mutated(shipped[name] ?? "", others: names.compactMap { shipped[$0] }, &random)
            files["main.contract.yaml"] = text.replacing(#/(?m)^service: .*$/#, with: "service: \(service)")
            let verdict = try workplace.judge(files, of: service, into: "clients")
            if verdict.isAccepted { accepted += 1 }
            for contradiction in verdict.contradictions {
                Issue.record("seed \(Self.seed + UInt64(number)), \(name): \(contradiction)\n\(text)")
            }
        }
        print("\(accepted) of \(Self.count) mutations of shipped contracts are accepted")
        #expect(accepted > Self.count / 20)
        let problems = try Compiler().problems(
            in: workplace.sources("clients", .plain), .mainActor, below: workplace.url)
        for problem in problems.prefix(10) { Issue.record("seed \(Self.seed), \(problem)") }
    }

    /// One to three lines go, come twice, change places or take a word of another contract.
    private static func mutated(_ text: String, others: [String], _ random: inout SeededGenerator) -> String {
        var lines = text.components(separatedBy: "\n")
        for _ in 0..<1 + random.below(3) {
            let line = random.below(lines.count)
            switch random.below(5) {
            case 0: lines.remove(at: line)
            case 1: lines.insert(random.pick(lines), at: line)
            case 2: lines.swapAt(line, random.below(lines.count))
            default:
                let words = lines[line].split(separator: " ", omittingEmptySubsequences: false)
                let donors = random.pick(others).split { " \n{}[],".contains($0) }
                lines[line] = words.enumerated().map { index, word in
                    index == words.count - 1 - random.below(words.count) && !word.isEmpty ? random.pick(donors) : word
                }.joined(separator: " ")
            }
        }
        return lines.joined(separator: "\n")
    }
}
