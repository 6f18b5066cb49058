import Testing

@testable import ContractDiff

/// Which arguments of a call change their order.
@Suite struct InputOrderTests {
    private static func order(_ old: [Int], _ new: [Int]) -> InputOrder {
        func names(_ numbers: [Int]) -> [InputOrder.Name] { numbers.map { ("wire-\($0)", "input\($0)") } }
        return InputOrder(names(old), names(new))
    }

    /// The first argument of the new order, beside which the argument was on the other side.
    private static func expected(_ number: Int, _ old: [Int], _ new: [Int]) -> [String]? {
        guard let before = old.firstIndex(of: number), let after = new.firstIndex(of: number) else { return nil }
        for (place, other) in new.enumerated() where other != number {
            guard let earlier = old.firstIndex(of: other), (earlier < before) != (place < after) else { continue }
            return (place < after ? [other, number] : [number, other]).map { "input\($0)" }
        }
        return nil
    }

    @Test func theFirstDisplacedArgumentIsFound() {
        var displaced = 0
        for step in [1, 3, 5, 7] {
            for count in 1...12 where step == 1 || (count + 2) % step != 0 {
                // One argument of each version is not in the other one.
                let old = Array(0...count)
                let new = (1...count + 1).map { ($0 * step) % (count + 2) }
                for number in 0...count + 1 {
                    let found = Self.order(old, new).displaced("wire-\(number)").map { [$0.first, $0.second] }
                    #expect(found == Self.expected(number, old, new), "\(number) of \(old) and \(new)")
                    if found != nil { displaced += 1 }
                }
            }
        }
        #expect(displaced > 50)
    }

    @Test func anUnknownNameIsNotDisplaced() {
        #expect(Self.order([1, 2], [2, 1]).displaced("wire-3") == nil)
        #expect(Self.order([1, 2], [1, 2]).displaced("wire-1") == nil)
    }
}

/// The order of numbers as a contract writes them.
@Suite struct NumberSpellingTests {
    @Test(
        arguments: [
            ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0.09", "0.1"), ("9", "10"), ("1.5", "1.51"), ("-0.5", "-0.49"),
            ("9007199254740992", "9007199254740993"), ("9.9", "10"), ("0", "0.1"), ("-10", "-9.99"),
        ])
    func numbersHaveAnOrder(_ less: String, _ greater: String) {
        #expect(NumberSpelling.isLess(less, greater))
        #expect(!NumberSpelling.isLess(greater, less))
        #expect(!NumberSpelling.isLess(less, less))
    }

    @Test func zerosSayNothing() {
        #expect(!NumberSpelling.isLess("1.50", "1.5") && !NumberSpelling.isLess("1.5", "1.50"))
        #expect(!NumberSpelling.isLess("0", "-0") && !NumberSpelling.isLess("-0", "0"))
    }
}
