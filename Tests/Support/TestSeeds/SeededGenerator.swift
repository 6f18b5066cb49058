import Foundation

/// The same numbers for the same seed, on all platforms, so that a printed seed repeats a failure: SplitMix64 (Steele, Lea, Flood:
/// Fast Splittable Pseudorandom Number Generators, 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// Another one each time, which a test prints if it fails. `ERRAND_SEED` gives back one that did.
    public static func newSeed() -> UInt64 {
        ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to a bound, which is above 0.
    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
