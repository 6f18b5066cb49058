/// The letters of a pattern's automaton: classes of scalars that every set of the pattern holds all of, or none.
struct PatternAlphabet: Sendable {
    let sets: [ScalarSet]
    /// The number of classes.
    let count: Int
    private let usesCategories: Bool
    /// Where intervals begin, without the first, which begins at zero.
    private let bounds: [UInt32]
    /// The classes of ASCII, by scalar.
    private let ascii: [Int32]

    init(_ sets: [ScalarSet], distinguishesWords: Bool) {
        self.sets = sets
        var bounds = Set<UInt32>()
        for set in distinguishesWords ? sets + [.word] : sets {
            for range in set.ranges {
                bounds.insert(range.lowerBound)
                bounds.insert(range.upperBound + 1)
            }
        }
        bounds.remove(0)
        let sorted = bounds.sorted()
        let usesCategories = sets.contains { $0.categories != 0 }
        self.bounds = sorted
        self.usesCategories = usesCategories
        count = (sorted.count + 1) * (usesCategories ? GeneralCategory.count : 1)
        ascii = (0..<128).map { value in
            Self.letter(Unicode.Scalar(UInt8(value)), sorted, usesCategories)
        }
    }

    /// The class of a scalar, below ``count``.
    func letter(of scalar: Unicode.Scalar) -> Int {
        scalar.value < 128 ? Int(ascii[Int(scalar.value)]) : Int(Self.letter(scalar, bounds, usesCategories))
    }

    private static func letter(_ scalar: Unicode.Scalar, _ bounds: [UInt32], _ usesCategories: Bool) -> Int32 {
        var low = 0
        var high = bounds.count
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] <= scalar.value { low = middle + 1 } else { high = middle }
        }
        return Int32(usesCategories ? low * GeneralCategory.count + GeneralCategory.index(of: scalar) : low)
    }
}
