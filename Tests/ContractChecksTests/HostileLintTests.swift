import ContractChecks
import ContractModel
import Diagnostics
import Foundation
import Testing

/// Contracts that somebody is in the middle of writing: the linter looks at each, and neither traps nor points outside.
@Suite struct HostileLintTests {
    @Test(arguments: ["auth", "bank", "conversations", "friends", "live", "video"])
    func anyChangeOfAShippedContractIsLookedAt(_ name: String) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var dice = Dice(state: seed)
        let folder = CheckoutSource.root.appendingPathComponent("contracts")
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).contract.yaml"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let others = try [
            "auth.contract.yaml": String(
                contentsOf: folder.appendingPathComponent("auth.contract.yaml"), encoding: .utf8)
        ]
        var outcomes = (broken: 0, whole: 0)
        for round in 0..<60 {
            // Chance may break every one of them, or none; the first two are one of each.
            let changed = round == 0 ? text : round == 1 ? text + "\nservice: [" : Self.changed(lines, &dice)
            let files = others.merging(["changed.contract.yaml": changed]) { $1 }
            let examination = ContractResolver(provider: MemorySource(files: files)).examine(
                path: "changed.contract.yaml")
            let findings = LintRunner().run(examination)
            for finding in findings {
                guard let range = finding.range, range.file == "changed.contract.yaml" else { continue }
                #expect(
                    range.start.offset <= range.end.offset && range.end.offset <= changed.utf8.count,
                    "\(listing([finding])), seed \(seed)")
            }
            guard let contract = examination.resolved else {
                outcomes.broken += 1
                #expect(findings.contains { $0.severity == .error }, "seed \(seed)\n\(changed)")
                continue
            }
            outcomes.whole += 1
            for endpoint in contract.endpoints {
                #expect(EndpointExplanation(endpoint.name.value, in: contract) != nil)
            }
        }
        #expect(outcomes.broken > 0 && outcomes.whole > 0, "\(outcomes), seed \(seed)")
    }

    /// Lines are dropped, repeated and swapped, and words of one line land in another.
    private static func changed(_ lines: [String], _ dice: inout Dice) -> String {
        var lines = lines
        for _ in 0...dice.below(3) {
            let one = dice.below(lines.count)
            let other = dice.below(lines.count)
            switch dice.below(5) {
            case 0: lines.remove(at: one)
            case 1: lines.insert(lines[one], at: other)
            case 2: lines.swapAt(one, other)
            case 3:
                let words = lines[other].split(separator: " ")
                guard !words.isEmpty else { continue }
                lines[one] += " " + words[dice.below(words.count)]
            default:
                guard !lines[one].isEmpty else { continue }
                lines[one] = String(lines[one].prefix(dice.below(lines[one].count)))
            }
        }
        return lines.joined(separator: "\n")
    }
}
