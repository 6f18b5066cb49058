/// A counter that any number of tasks may share.
public actor Tally {
    public private(set) var count = 0

    public init() {}

    /// Counts one more, and returns the new count.
    @discardableResult public func add() -> Int {
        count += 1
        return count
    }
}
