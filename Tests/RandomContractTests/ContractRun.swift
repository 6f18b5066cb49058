import Foundation

/// How many random contracts a run tries, and with which it begins.
///
/// The everyday run tries the same contracts each time: a change fails by what it changes, and not by chance. `ERRAND_CONTRACTS`
/// asks for a number of new ones, and `ERRAND_CONTRACT_SEED` begins with the one that a failure has named.
enum ContractRun {
    private static let environment = ProcessInfo.processInfo.environment
    private static let asked = environment["ERRAND_CONTRACTS"].flatMap { Int($0) }

    /// Whether a run was asked for, which is thorough where the everyday run takes samples.
    static let takesAll = asked != nil
    static let count = asked ?? 100
    static let seed =
        environment["ERRAND_CONTRACT_SEED"].flatMap { UInt64($0) }
        ?? (asked == nil ? 20_261_122 : UInt64.random(in: 0 ... .max / 2))
}
