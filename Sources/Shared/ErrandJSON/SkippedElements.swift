/// The values that were left out because they did not fit: elements (`readArraySkippingInvalid`), and other values (`readOrSkip`).
public struct SkippedElements: Sendable, Hashable {
    /// How many faults are kept. A list may hold millions of wrong elements; its first ones tell why.
    public static let maximumFaults = 20

    /// Why the first ones were left out, in the order of the document.
    public var faults: [JSONError]
    /// How many were left out.
    public var count: Int

    public init(faults: [JSONError] = [], count: Int? = nil) {
        self.faults = faults
        self.count = count ?? faults.count
    }

    /// Adds what was left out elsewhere. Only the first faults of both are kept.
    package mutating func add(_ others: SkippedElements) {
        faults = Array((faults + others.faults).prefix(Self.maximumFaults))
        count += others.count
    }
}

extension JSONReader {
    /// Notes that the element at `mark` was left out.
    mutating func note(skipped fault: PendingFault, at mark: JSONMark) {
        if skipped.count < SkippedElements.maximumFaults {
            // A part of the document may be read twice.
            if skipped.contains(where: { $0.offset == fault.offset }) { return }
            skipped.append(fault)
            skippedCount += 1
        } else if mark.offset > skippedEnd {
            skippedCount += 1
        }
        skippedEnd = max(skippedEnd, mark.offset)
    }

    /// Forgets what was left out since `mark`.
    mutating func forgetSkipped(since mark: JSONMark) {
        guard skippedCount > mark.skippedCount else { return }
        skippedCount = mark.skippedCount
        skippedEnd = min(skippedEnd, mark.offset - 1)
        if skipped.count > skippedCount { skipped.removeSubrange(skippedCount...) }
    }
}
