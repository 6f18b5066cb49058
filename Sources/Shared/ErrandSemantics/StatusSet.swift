/// The statuses of one row of a decision table: `401`, `.range(500...599)` or `[408, .range(502...504)]`.
public struct StatusSet: Sendable, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    private let first: ClosedRange<Int>
    private let others: [StatusSet]

    private init(_ first: ClosedRange<Int>, _ others: [StatusSet] = []) {
        self.first = first
        self.others = others
    }

    public init(integerLiteral status: Int) { self.init(status...status) }

    public init(arrayLiteral sets: StatusSet...) {
        self.init(sets.first?.first ?? 0...0, Array(sets.dropFirst()))
    }

    public static func range(_ range: ClosedRange<Int>) -> StatusSet { StatusSet(range) }

    /// The statuses that were read from a contract; nil without any.
    package init?(_ ranges: [ClosedRange<Int>]) {
        guard let first = ranges.first else { return nil }
        self.init(first, ranges.count == 1 ? [] : ranges.dropFirst().map { StatusSet($0) })
    }

    /// The ranges, in the contract's order.
    package var ranges: [ClosedRange<Int>] { [first] + others.flatMap(\.ranges) }

    package func contains(_ status: Int) -> Bool {
        first.contains(status) || (!others.isEmpty && others.contains { $0.contains(status) })
    }
}
