import Diagnostics

/// Random numbers that a seed repeats (SplitMix64). A sample of a value has a generator of its own, whose seed is made from the
/// run's seed and the name of the value, so that the order of requests changes nothing.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// - Parameter name: what the numbers are for.
    init(seed: UInt64, for name: String) {
        state = StableHash.of(name.utf8, from: StableHash.start ^ seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether an event with this probability happens.
    mutating func happens(_ probability: Double) -> Bool {
        Double(next() >> 11) < probability * Double(UInt64(1) << 53)
    }
}
