/// What a document says of an operation or a schema in prose.
struct Documentation {
    var description: String?
    /// The URL of `externalDocs`.
    var page: String?

    /// The description, and where to read on.
    var text: String? {
        guard let page = page?.trimmingSpaces(), !page.isEmpty else { return description }
        return [description, "See \(page)"].compactMap { $0 }.joined(separator: "\n")
    }
}
