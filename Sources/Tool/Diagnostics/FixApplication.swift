/// Carries out fixes on a file's bytes, by the ranges of their edits. All other bytes are unchanged.
package struct FixApplication: Sendable {
    /// The file with the fixes made.
    package private(set) var bytes: [UInt8]
    /// How many fixes were made.
    package private(set) var count = 0

    /// Makes the fixes in the order of the file. A fix that touches the changes of an earlier one is skipped, and so is a fix
    /// that reaches beyond the file. A later run sees the place of a skipped fix anew.
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
