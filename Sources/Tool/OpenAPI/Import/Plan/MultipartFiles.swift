import ContractModel

/// Finds the files in the schema of a multipart body.
struct MultipartFiles {
    private let reader: SchemaReader

    init(_ reader: SchemaReader) {
        self.reader = reader
    }

    /// The depth of alternatives and lists below which no file is looked for. A schema can contain itself.
    private static let deepest = 4
    /// The maximum number of alternatives of a file.
    private static let mostAlternatives = 4

    /// `file`, or a list of files; `nil` for any other value. Alternatives of a file and a list of files are a list.
    func type(of schemas: [Element]) -> PlannedType? { type(of: schemas, depth: 0) }

    private func type(of schemas: [Element], depth: Int) -> PlannedType? {
        guard let first = schemas.first, depth < Self.deepest else { return nil }
        let view = reader.view(of: schemas)
        let file = PlannedType.word("file")
        if view.format?.text == "binary" || view.types == ["file"]
            || first.text("contentMediaType") != nil && view.contentEncoding == nil
        {
            return file
        }
        if view.types == ["array"], !view.items.isEmpty {
            return type(of: view.items, depth: depth + 1) == file ? .list(file) : nil
        }
        guard view.alternatives.count == 1, view.properties.isEmpty else { return nil }
        let members = view.alternatives[0].members
        guard members.count <= Self.mostAlternatives else { return nil }
        var found: PlannedType?
        for member in members where !reader.isNullOnly(member) {
            guard let one = type(of: [member], depth: depth + 1) else { return nil }
            if found == nil || one == .list(file) { found = one }
        }
        return found
    }

    /// Whether a multipart body has a file that the other formats of the same body lack. JSON carries one as base64 text.
    func areOnly(in media: Media, among all: [Media]) -> Bool {
        guard media.isMultipart, let schema = media.schema else { return false }
        let others = all.filter { $0.isJSON || $0.isForm }.compactMap(\.schema).map { reader.view(of: [$0]) }
        return reader.view(of: [schema]).properties.contains { name, schemas in
            type(of: schemas) != nil && !others.contains { isBase64($0.property(name)) }
        }
    }

    private func isBase64(_ schemas: [Element]?) -> Bool {
        guard let schemas else { return false }
        let view = reader.view(of: schemas)
        return view.contentEncoding != nil || view.format?.text == "byte"
    }
}
