import ContractDiff
import Foundation
import TestSeeds
import Testing

/// The verdicts of `errand diff` hold when clients and services of both versions run.
///
/// The suite edits the shipped contracts. The compiled clients of both versions run against the mock server's engine with both
/// versions. Each column is proved by itself, and the column of the source by code of an app and by the declarations of both
/// clients. `ProofLimits` lists what a run cannot show. `make diff-proof` runs 2,000 edits, and `ERRAND_DIFF_SEED` repeats one.
@Suite(.serialized) struct DiffProofTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let asked = environment["ERRAND_DIFFS"].flatMap { Int($0) }
    private static let count = asked ?? 50
    /// The daily edits are always the same: a change fails by what it changes, and not by chance.
    private static let seed =
        environment["ERRAND_DIFF_SEED"].flatMap { UInt64($0) }
        ?? (asked == nil ? 20_261_126 : UInt64.random(in: 0 ... .max / 2))
    /// So many edits are compiled into one program.
    private static let batch = 50

    @Test func whatIsCalledSafeChangesNothingAndWhatIsCalledABreakDoes() throws {
        print("seed \(Self.seed), edits \(Self.count)")
        let start = ContinuousClock.now
        var choice = try Self.choice()
        var (safe, excused, conversations) = (0, 0, 0)
        var breaks: [String: Int] = [:]
        var source = (inUses: 0, inSurface: 0)
        for first in stride(from: 0, to: Self.count, by: Self.batch) {
            let pairs = (first..<min(first + Self.batch, Self.count)).compactMap {
                choice.pair($0, seed: Self.seed + UInt64($0))
            }
            // Wrong verdicts must be found, in the same program.
            let planted = first == 0 ? try Self.planted(&choice) : []
            let proof = try DiffProof(pairs + planted.map(\.pair), in: Workplace())
            for (pair, column) in planted {
                let isFound = proof.disagreements.contains { $0.pair.number == pair.number && $0.column == column }
                let shown = proof.shown.first { $0.pair.number == pair.number && $0.column == column }?.text ?? ""
                #expect(isFound, "planted in \(column) and not found: \(pair.description) \(shown)")
            }
            safe += pairs.filter { $0.claim == .safe }.count
            excused += proof.excused
            source = (source.inUses + proof.sourceBreaks.inUses, source.inSurface + proof.sourceBreaks.inSurface)
            conversations += proof.conversations
            for finding in proof.shown where finding.pair.number < Self.firstPlanted {
                breaks[finding.column, default: 0] += 1
                let seed = "seed \(Self.seed + UInt64(finding.pair.number))"
                if Self.count <= 10 {
                    // A few edits are asked for to see what they do.
                    print(
                        "\(seed), \(finding.pair.description)\n\(finding.pair.verdicts)\n  \(finding.column): \(finding.text)"
                    )
                } else if finding.column == ProofColumn.behavior.rawValue {
                    print("\(seed) shows a break in behavior: \(finding.pair.description)")
                }
            }
            for finding in proof.disagreements where finding.pair.number < Self.firstPlanted {
                let seed = Self.seed + UInt64(finding.pair.number)
                Issue.record(
                    "seed \(seed), \(finding.pair.description)\n\(finding.pair.verdicts)\n  \(finding.column) \(finding.text)"
                )
            }
        }
        let (wire, behavior) = (breaks["wire"] ?? 0, breaks["behavior"] ?? 0)
        #expect(
            Self.count < 25 || safe > 0 && wire > 0 && behavior > 0 && source.inUses > 0 && source.inSurface > 0)
        let seconds = ((ContinuousClock.now - start) / .seconds(1) * 10).rounded() / 10
        print(
            "\(choice.editCount) edits at \(choice.slotCount) places of the language; of \(Self.count), \(safe) are called safe; \(wire) breaks on the wire and \(behavior) in behavior are shown, \(excused) are not, for a written reason; \(source.inUses) breaks in source are shown by an app's code, and \(source.inSurface) by the declarations; \(choice.refused) others were not valid, \(choice.reviews) are reviews, \(choice.unchanged) change nothing; \(conversations) commands, \(seconds) s"
        )
    }

    private static let firstPlanted = 1_000_000

    /// Edits with wrong verdicts, and the columns that the runs contradict.
    private static func planted(_ choice: inout ProofPairs) throws -> [(pair: ProofPair, column: String)] {
        let found = (
            choice.pair(firstPlanted, of: "Bank", at: "endpoint.post", .changed),
            choice.pair(firstPlanted + 1, of: "Bank", at: "error.category", of: "serviceUnavailable", .changed),
            choice.pair(firstPlanted + 2, of: "Bank", at: "endpoint.query.*", .renamed)
        )
        let (path, category, name) = (try #require(found.0), try #require(found.1), try #require(found.2))
        #expect(path.claim(.wire) == .breaks && path.claim(.behavior) == .safe)
        #expect(category.claim(.wire) == .safe && category.claim(.behavior) == .breaks)
        #expect(name.claim == .safe)
        var wrong: [(pair: ProofPair, column: String)] = []
        func plant(
            _ pair: ProofPair, _ column: String, source: Bool = false, wire: Bool = false, behavior: Bool = false
        ) {
            func judgment(_ isBreak: Bool) -> ChangeVerdict.Judgment { isBreak ? .breaks("Planted.") : .none }
            let verdict = ChangeVerdict(
                source: judgment(source), wire: judgment(wire), behavior: judgment(behavior), direction: .both)
            wrong.append((pair.judged(verdict).numbered(firstPlanted + wrong.count), column))
        }
        plant(path, "wire")
        // What is called a break in one column is not taken for one in another.
        plant(path, "wire", behavior: true)
        plant(path, "source", source: true, wire: true)
        plant(category, "behavior")
        plant(category, "behavior", wire: true)
        plant(category, "wire", wire: true, behavior: true)
        plant(name, "wire", source: true, wire: true)
        plant(name, "behavior", source: true, behavior: true)
        plant(name, "source")
        return wrong
    }

    private static func choice() throws -> ProofPairs {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let folder = root.appendingPathComponent("contracts")
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".contract.yaml") {
            files[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        let everything = root.appendingPathComponent("Tests/Support/GeneratedFixture/everything.contract.yaml")
        return ProofPairs(
            files, donors: ["everything.contract.yaml": try String(contentsOf: everything, encoding: .utf8)])
    }
}
