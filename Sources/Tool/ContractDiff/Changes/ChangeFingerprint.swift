import Diagnostics

/// The identity of a change across edits of both contracts: its service, its place, and the values of both sides. Lines may move and
/// comments come and go. A value that is too long for a line, or that has parts, is in it as a hash.
package struct ChangeFingerprint: Hashable, Comparable, Sendable {
    /// One line: `Shop endpoints.getItem.timeout changed: 10s → 5s`.
    package let text: String

    package init(_ change: Change, ofService service: String) {
        // The hash has the keys that are not shown.
        let more = change.siblings.count - Change.mostShown
        let names = change.siblings.prefix(Change.mostShown) + (more > 0 ? ["\(more) more"] : [])
        let path = ([change.path] + names).joined(separator: ", ")
        var text = "\(service) \(path) \(change.edit.rawValue)"
        switch (change.old, change.new) {
        case (let old?, let new?): text += ": \(Self.short(old)) → \(Self.short(new))"
        case (let value?, nil), (nil, let value?): text += ": \(Self.short(value))"
        case (nil, nil): break
        }
        if let hash = change.contentHash { text += " (\(hash))" }
        self.text = String(text.map { $0.isNewline ? " " : $0 })
    }

    package init(text: String) { self.text = text }

    package static func < (left: ChangeFingerprint, right: ChangeFingerprint) -> Bool { left.text < right.text }

    /// The value, or the beginning of a long one with a hash of all of it.
    private static func short(_ value: String) -> String {
        guard value.count > longest else { return value }
        return "\(value.prefix(longest))… (\(String(StableHash.of(value.utf8), radix: 16)))"
    }

    private static let longest = 60
}
