/// The design's promise for a figure.
public struct Goal: Sendable {
    private let limit: Double
    private let unit: String
    private let isFloor: Bool

    /// - Parameter unit: the text after the number, `×` for a ratio.
    public static func atLeast(_ limit: Double, _ unit: String = "×") -> Goal {
        Goal(limit: limit, unit: unit, isFloor: true)
    }
    public static func atMost(_ limit: Double, _ unit: String = "×") -> Goal {
        Goal(limit: limit, unit: unit, isFloor: false)
    }

    /// Two cells: the promise, and whether the figure keeps it.
    ///
    /// - Parameter value: in the goal's unit.
    public func cells(_ value: Double) -> [String] {
        let isMet = isFloor ? value >= limit : value <= limit
        let number = limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
        return ["\(isFloor ? "≥" : "≤") \(number) \(unit)", isMet ? "met" : "missed"]
    }
}
