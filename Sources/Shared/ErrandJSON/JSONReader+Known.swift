/// Reading beside arrays whose extent is known, because they were read before: their elements are not looked at again.
extension JSONReader {
    /// So many arrays of one depth are noted.
    private static let maximumNoted = 16

    /// The extents of the noted arrays, from the opening to just after the closing bracket, as offsets in the document.
    package var knownArrays: [Range<Int>] { notedArrays }

    /// Whether elements of a list were left out.
    package var hasSkipped: Bool { skippedCount > 0 }

    /// Notes the array that ends at the cursor. A part of the document may be read twice.
    @inline(never)
    mutating func noteArray() {
        let extent = notedStart..<(cursor - start)
        guard notedArrays.count < Self.maximumNoted, !notedArrays.contains(extent) else { return }
        notedArrays.append(extent)
    }

    /// The same as `readInside`, in a document with known arrays.
    package mutating func readInside(
        _ path: JSONPath, passing known: [Range<Int>], _ read: (inout JSONReader) -> Void
    ) {
        readInside(path.steps[...], passing: known, read)
    }

    private mutating func readInside(
        _ steps: ArraySlice<String>, passing known: [Range<Int>], _ read: (inout JSONReader) -> Void
    ) {
        guard let step = steps.first else { return read(&self) }
        guard peekKind() == .object else { return skipValue(passing: known) }
        var isFound = false
        var fields = beginObject()
        while let key = nextKeyExtent(&fields) {
            if !isFound, key.spells(step) {
                isFound = true
                readInside(steps.dropFirst(), passing: known, read)
            } else {
                skipValue(passing: known)
            }
        }
    }

    /// Moves past one value. What a known array contains was validated when it was read.
    package mutating func skipValue(passing known: [Range<Int>]) {
        let kind = peekKind()
        let offset = cursor - start
        switch kind {
        case .array:
            guard let end = known.first(where: { $0.lowerBound == offset })?.upperBound else { return skipValue() }
            cursor = start + end
        case .object where known.contains { $0.lowerBound > offset }:
            var fields = beginObject()
            while nextKeyExtent(&fields) != nil { skipValue(passing: known) }
        default: skipValue()
        }
    }
}
