import ContractChecks

/// The differences that a search has found so far: one for each pair of meanings, with its simplest example.
struct FoundDifferences {
    private(set) var isFull = false
    private var positions: [Key: Int] = [:]
    private var found: [(difference: TableDifference, size: Int)] = []

    enum Form: Hashable { case response, transport, close }

    private struct Key: Hashable {
        let form: Form
        let old: ResponseMeaning
        let new: ResponseMeaning
    }

    var differences: [TableDifference] {
        found.map { entry in
            var difference = entry.difference
            difference.numbers = difference.numbers.joined
            return difference
        }
    }

    /// Adds a response or a failure.
    ///
    /// - Parameters:
    ///   - stretch: its statuses or close codes.
    ///   - size: how many values it has; of two examples, the one with fewer is kept.
    mutating func add(
        _ form: Form, _ meanings: (ResponseMeaning, ResponseMeaning), _ stretch: ClosedRange<Int>?, size: Int,
        _ difference: () -> TableDifference
    ) {
        let key = Key(form: form, old: meanings.0, new: meanings.1)
        let position: Int
        if let known = positions[key] {
            position = known
            if size < found[position].size {
                var simpler = difference()
                simpler.numbers = found[position].difference.numbers
                found[position] = (simpler, size)
            }
        } else {
            guard found.count < TableComparison.mostDifferences else {
                isFull = true
                return
            }
            position = found.count
            positions[key] = position
            found.append((difference(), size))
        }
        if let stretch, found[position].difference.numbers.last != stretch {
            found[position].difference.numbers.append(stretch)
            // Kept short while a search of many rows goes on.
            if found[position].difference.numbers.count > 64 {
                found[position].difference.numbers = found[position].difference.numbers.joined
            }
        }
    }
}
