import ContractModel
import Diagnostics
import Foundation
import Testing

/// A contract that the tool accepts generates Swift that compiles without warnings, in every mode that apps have.
///
/// The everyday run tries a few hundred contracts. `ERRAND_CONTRACTS=5000 swift test --filter AcceptedContractTests` tries as
/// many as it says, and `ERRAND_CONTRACT_SEED=…` begins with the contract that a failure has named.
@Suite(.serialized) struct AcceptedContractTests {
    private static let count = ContractRun.count
    private static let seed = ContractRun.seed
    /// How many contracts are one module.
    private static let batch = 80

    @Test func compileInEveryMode() throws {
        print("seed \(Self.seed), contracts \(Self.count)")
        let compiler = try Compiler()
        var tally = Tally()
        for start in stride(from: 0, to: Self.count, by: Self.batch) {
            let workplace = try Workplace()
            let trials = try (start..<min(start + Self.batch, Self.count)).compactMap {
                try workplace.accepted(Trial(service: "S\($0)", seed: Self.seed + UInt64($0)), into: "clients") {
                    tally.count($0, $1, round: $2)
                }
            }
            var failures = Failures(trials: trials, workplace: workplace, compiler: compiler)
            for mode in Compiler.Mode.allCases {
                try failures.add(
                    compiler.problems(in: workplace.sources("clients", mode.style), mode, below: workplace.url), mode)
            }
            for report in try failures.reports() { Issue.record("\(report)") }
        }
        print(tally)
        if Self.count >= 100 {
            #expect(tally.accepted * 10 > tally.made * 4, "too few contracts are accepted for the test to mean much")
            // The fewer contracts there are, the more rare keys are in none.
            #expect(tally.unused.count < (Self.count >= 400 ? 12 : 24), "too many keys are in no accepted contract")
        }
    }

    /// Every key of the language that is generated occurs in random contracts, regardless of how many are accepted. Rare keys may need
    /// a few thousand contracts.
    @Test func everyKeyIsUsed() {
        let seed = UInt64.random(in: 0 ... .max / 2)
        var tally = Tally()
        for number in 0..<20_000 {
            tally.used.formUnion(RandomContract(service: "Shop", seed: seed + UInt64(number)).used)
            if number % 500 == 499, tally.unused.isEmpty { return }
        }
        #expect(tally.unused.isEmpty, "seed \(seed)")
    }

    /// What became of the contracts of a run.
    private struct Tally: CustomStringConvertible {
        var made = 0
        var accepted = 0
        var compiled = 0
        private var rules: [String: Int] = [:]
        var used: Set<String> = []

        mutating func count(_ verdict: Workplace.Verdict, _ trial: Trial, round: Int) {
            if round == 0 {
                made += 1
                if verdict.isAccepted { accepted += 1 }
                for rule in Set(verdict.generate.map(\.rule)) { rules[rule, default: 0] += 1 }
            }
            guard verdict.isAccepted else { return }
            compiled += 1
            used.formUnion(trial.used)
        }

        /// The keys that are generated, and were in no contract.
        var unused: [String] {
            LanguageKeys.all.flatMap { mapping in
                mapping.names.map { "\(mapping.subject).\($0)" }
            }.filter { !used.contains($0) }
        }

        var description: String {
            let refused = rules.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            return """
                \(accepted) of \(made) contracts are accepted as they are, \(compiled) after what is refused is taken out
                refused at first: \(refused)
                keys that were not used: \(unused.joined(separator: ", "))
                """
        }
    }
}
