import TestSeeds

extension SeededGenerator {
    /// True in so many of 1,000 cases.
    mutating func happens(_ permille: Int) -> Bool { below(1000) < permille }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
