/// How declarations are spread over a fixed set of files, so that they compile side by side and a contract keeps its
/// files while it grows.
enum ShardPlan {
    /// How many files there are for types, and for commands.
    static let count = 4
    /// How many declarations a file takes before the next one is begun.
    static let smallest = 24

    /// The declarations of each file: consecutive, the first files filled first, then all of them evenly.
    static func split<Element>(_ elements: [Element]) -> [ArraySlice<Element>] {
        let size = max(smallest, (elements.count + count - 1) / count)
        return (0..<count).map { shard in
            let start = min(shard * size, elements.count)
            return elements[start..<min(start + size, elements.count)]
        }
    }
}
