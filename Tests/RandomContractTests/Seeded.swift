/// SplitMix64: small, and the same on all platforms, so that a printed seed repeats a failure.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// True in so many of 1,000 cases.
    mutating func happens(_ permille: Int) -> Bool { below(1000) < permille }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
