#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the seeds of a run come from: the environment, or chance.
enum SimulationSeeds {
    /// The environment's word for one certain seed.
    static let variable = "ERRAND_SEED"

    /// - Returns: the seed of the environment alone, or as many fresh ones as asked for, one after the other.
    static func pick(_ count: Int) -> [UInt64] {
        if let text = ProcessInfo.processInfo.environment[variable], let seed = UInt64(text) { return [seed] }
        // Small enough to be read aloud.
        let first = UInt64.random(in: 1...999_999_999)
        return (0..<UInt64(max(1, count))).map { first + $0 }
    }

    /// One line that says how to repeat what follows.
    static func announcement(_ seeds: [UInt64]) -> String {
        guard let first = seeds.first, let last = seeds.last, first != last else {
            return "Simulation with seed \(seeds.first ?? 0)"
        }
        return "Simulation with seeds \(first) to \(last); \(variable)=\(first) repeats the first one"
    }
}
