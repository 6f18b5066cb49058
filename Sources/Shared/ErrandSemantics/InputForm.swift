/// The form in which the inputs of a durable command are kept, read from a fingerprint: one hash of the whole form, or three parts with
/// spaces between them: that hash, the hash of what every command has, and one hash for each input that may be left out.
///
/// An outbox keeps the fingerprint with a command. A later version of the app compares it with its own.
package struct InputForm: Sendable {
    private let whole: Substring
    private let required: Substring
    private let optional: Set<Substring>

    package init(_ fingerprint: String) {
        let parts = fingerprint.split(separator: " ")
        whole = parts.first ?? ""
        required = parts.count > 1 ? parts[1] : whole
        optional = Set(parts.dropFirst(2))
    }

    /// Whether a command that was kept in another form has a request of this one: nothing has changed but that inputs were added that
    /// may be left out.
    package func takes(_ kept: InputForm) -> Bool {
        kept.whole == whole || kept.required == required && kept.optional.isSubset(of: optional)
    }
}
