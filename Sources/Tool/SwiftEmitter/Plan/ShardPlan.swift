/// How declarations are spread over files, so that they compile side by side, and a change compiles little again.
enum ShardPlan {
    /// How many declarations a file takes before the next one begins.
    static let size = 24

    /// The declarations of each file, in the contract's order.
    ///
    /// - Parameter count: how many files there are. The files are filled one after the other, then all of them evenly, and
    ///   the last ones may be empty. Nil makes as many files as the declarations need.
    static func split<Element>(_ elements: [Element], into count: Int?) -> [ArraySlice<Element>] {
        let count = count ?? (elements.count + size - 1) / size
        if count == 0 { return [] }
        let size = max(size, (elements.count + count - 1) / count)
        return (0..<count).map { shard in
            let start = min(shard * size, elements.count)
            return elements[start..<min(start + size, elements.count)]
        }
    }
}
