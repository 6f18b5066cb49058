/// Carries fixes out on a file's bytes, by the ranges of their edits: whatever no edit names stays as it is.
package struct FixApplication: Sendable {
    /// The file with the fixes made.
    package private(set) var bytes: [UInt8]
    /// How many fixes were made.
    package private(set) var count = 0

    /// Makes the fixes in the order of the file. One that touches what an earlier one changes is left for another run,
    /// which sees its place anew; so is one that reaches beyond the file.
    package init(_ fixes: [Fix], to bytes: [UInt8], of file: String) {
        self.bytes = bytes
        var edits: [Fix.Edit] = []
        for fix in fixes where !fix.edits.isEmpty {
            let isPossible = fix.edits.allSatisfy { edit in
                edit.range.file == file && edit.range.end.offset <= bytes.count
                    && !edits.contains { Self.touches($0, edit) }
            }
            guard isPossible else { continue }
            edits += fix.edits
            count += 1
        }
        for edit in edits.sorted(by: { $0.range.start.offset > $1.range.start.offset }) {
            self.bytes.replaceSubrange(
                edit.range.start.offset..<edit.range.end.offset, with: Array(edit.replacement.utf8))
        }
    }

    /// Edits side by side do not overlap, but two at one place have no order, unless both only take away.
    private static func touches(_ one: Fix.Edit, _ other: Fix.Edit) -> Bool {
        if one.isDeletion, other.isDeletion {
            return one.range.start.offset < other.range.end.offset && other.range.start.offset < one.range.end.offset
        }
        return one.range.start.offset <= other.range.end.offset && other.range.start.offset <= one.range.end.offset
    }
}

extension Fix.Edit {
    fileprivate var isDeletion: Bool { replacement.isEmpty && !range.isEmpty }
}
