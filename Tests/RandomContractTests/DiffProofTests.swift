import ContractDiff
import Foundation
import TestSeeds
import Testing

/// The verdicts of `errand diff` hold when clients and services of both versions run.
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
        var (safe, breaks, excused, conversations) = (0, 0, 0, 0)
        var source = (shown: 0, all: 0)
        for first in stride(from: 0, to: Self.count, by: Self.batch) {
            let pairs = (first..<min(first + Self.batch, Self.count)).compactMap {
                choice.pair($0, seed: Self.seed + UInt64($0))
            }
            // Wrong verdicts must be found, in the same program.
            let planted = first == 0 ? try Self.planted(&choice) : []
            let proof = try DiffProof(pairs + planted, in: Workplace())
            let found = Set(proof.disagreements.map(\.pair.number))
            for pair in planted { #expect(found.contains(pair.number), "planted and not found: \(pair.description)") }
            safe += pairs.filter { $0.claim == .safe }.count
            breaks += proof.shown.count
            excused += proof.excused
            source = (source.shown + proof.sourceBreaks.shown, source.all + proof.sourceBreaks.all)
            conversations += proof.conversations
            for finding in proof.shown {
                let seed = "seed \(Self.seed + UInt64(finding.pair.number))"
                if Self.count <= 10 {
                    // A few edits are asked for to see what they do.
                    print("\(seed), \(finding.pair.description)\n\(finding.pair.verdicts)\n  \(finding.text)")
                } else if finding.pair.changes.contains(where: { $0.verdict.behavior.level == .breaks }) {
                    print("\(seed) shows a break in behavior: \(finding.pair.description)")
                }
            }
            for finding in proof.disagreements where finding.pair.number < Self.firstPlanted {
                let seed = Self.seed + UInt64(finding.pair.number)
                Issue.record("seed \(seed), \(finding.pair.description)\n\(finding.pair.verdicts)\n  \(finding.text)")
            }
        }
        #expect(Self.count < 50 || safe > 0 && breaks > 0 && source.shown > 0)
        let seconds = ((ContinuousClock.now - start) / .seconds(1) * 10).rounded() / 10
        print(
            "\(choice.editCount) edits at \(choice.slotCount) places of the language; of \(Self.count), \(safe) are called safe, \(breaks) breaks are shown, \(excused) are not, for a written reason; \(source.shown) of \(source.all) breaks in source are shown; \(choice.refused) others were not valid, \(choice.reviews) are reviews, \(choice.unchanged) change nothing; \(conversations) commands, \(seconds) s"
        )
    }

    private static let firstPlanted = 1_000_000

    /// Edits with the opposite of their verdicts.
    private static func planted(_ choice: inout ProofPairs) throws -> [ProofPair] {
        let found = (
            choice.pair(firstPlanted, of: "Bank", at: "endpoint.post", .changed),
            choice.pair(firstPlanted + 1, of: "Bank", at: "endpoint.effect", .changed),
            choice.pair(firstPlanted + 2, of: "Bank", at: "endpoint.query.*", .renamed),
            choice.pair(firstPlanted + 3, of: "Bank", at: "endpoint.query.*", .renamed)
        )
        let (path, effect, name) = (try #require(found.0), try #require(found.1), try #require(found.2))
        let other = try #require(found.3)
        #expect(path.claim == .breaks && effect.claim == .breaks && name.claim == .safe)
        return [
            path.judged(.none), effect.judged(.none),
            name.judged(ChangeVerdict(source: .breaks("Planted."), wire: .breaks("Planted."), direction: .both)),
            other.judged(.none),
        ]
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
