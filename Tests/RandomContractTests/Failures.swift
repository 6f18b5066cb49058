import Foundation

/// The contracts of a batch whose clients do not compile, with what the compiler says.
struct Failures {
    let trials: [Trial]
    let workplace: Workplace
    let compiler: Compiler
    private var found: [(mode: Compiler.Mode, problem: Compiler.Problem)] = []

    init(trials: [Trial], workplace: Workplace, compiler: Compiler) {
        self.trials = trials
        self.workplace = workplace
        self.compiler = compiler
    }

    mutating func add(_ problems: [Compiler.Problem], _ mode: Compiler.Mode) {
        found += problems.map { (mode, $0) }
    }

    /// One text for each kind of failure: the seed, the message, and a contract that is as small as could be found.
    func reports() throws -> [String] {
        var seen: Set<String> = []
        return try found.compactMap { mode, problem in
            guard seen.insert(problem.kind).inserted else { return nil }
            guard let trial = trials.first(where: { $0.service == problem.service }) else {
                return "\(mode): \(problem)"
            }
            let count = Set(found.filter { $0.problem.kind == problem.kind }.map(\.problem.service)).count
            let small = seen.count > Self.mostShrunk ? trial : try shrunk(trial, mode, problem.kind)
            return
                "seed \(trial.seed), \(mode), \(count) contracts: \(problem)\n\(small.files.values.joined(separator: "---\n"))"
        }
    }

    /// Shrinking compiles a few times, so the later failures of a run are shown as they are.
    private static let mostShrunk = ProcessInfo.processInfo.environment["ERRAND_SHRINK"].flatMap { Int($0) } ?? 1

    /// Takes entries out for as long as the client fails in the same way. All candidates of a round are one module.
    private func shrunk(_ trial: Trial, _ mode: Compiler.Mode, _ kind: String) throws -> Trial {
        var best = trial
        for round in 0..<8 {
            let output = "shrinking-\(trial.service)-\(mode)-\(round)-\(UUID().uuidString.prefix(4))"
            var candidates: [String: Trial] = [:]
            for (number, root) in best.root.smaller.prefix(60).enumerated() {
                let candidate = Trial(best, root: root, service: "C\(number)")
                if try workplace.judge(candidate, into: output).isAccepted { candidates[candidate.service] = candidate }
            }
            let problems = try compiler.problems(
                in: workplace.sources(output, mode.style), mode, below: workplace.url)
            let failing = Set(problems.filter { $0.kind == kind }.map(\.service))
            let smallest = candidates.filter { failing.contains($0.key) }.min {
                $0.value.text.count < $1.value.text.count
            }
            guard let smallest, smallest.value.text.count < best.text.count else { break }
            best = smallest.value
        }
        return best
    }
}
