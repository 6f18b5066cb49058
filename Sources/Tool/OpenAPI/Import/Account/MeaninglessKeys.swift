/// The keys of a document that mean nothing to a client, each with its reason. All others are in the contract, or a finding says that
/// they are left out. `docs/import.md` has the same table.
enum MeaninglessKeys {
    struct Key: Hashable {
        let kind: ObjectKind
        let name: String

        init(_ kind: ObjectKind, _ name: String) {
            self.kind = kind
            self.name = name
        }
    }

    struct Entry {
        let kind: ObjectKind
        let keys: [String]
        let reason: String

        init(_ kind: ObjectKind, _ keys: [String], _ reason: String) {
            (self.kind, self.keys, self.reason) = (kind, keys, reason)
        }

        /// The entry as a row of the table in `docs/import.md`.
        var row: String { "| \(keys.map { "`\($0)`" }.joined(separator: ", ")) of \(kind.title) | \(reason) |" }
    }

    static func contains(_ kind: ObjectKind, _ name: String) -> Bool { names.contains(Key(kind, name)) }

    private static let names = Set(all.flatMap { entry in entry.keys.map { Key(entry.kind, $0) } })

    static let all: [Entry] = [
        Entry(.document, ["openapi", "swagger", "jsonSchemaDialect"], "they tell how to read the document"),
        Entry(.documentation, ["description"], "it is the label of a link, and the contract has the link"),
        Entry(.variable, ["description"], "a contract has the variable in a URL, where no text has a place"),
        Entry(.path, ["summary", "description"], "they describe the operations that have no text of their own"),
        Entry(
            .schema, ["title"], "it is the name for forms and pages; where it tells alternatives apart, it names them"),
        Entry(.schema, ["xml"], "it is about XML; a body in XML has its names and places"),
        Entry(
            .schema, ["$id", "$anchor", "$dynamicAnchor", "$schema", "$comment"],
            "they name a schema for references, or speak to tools"),
        Entry(.schema, ["$defs"], "it is a place for schemas that others refer to"),
        Entry(.scheme, ["bearerFormat"], "it is a hint about a token, which the client sends as it is"),
        Entry(.parameter, ["allowEmptyValue"], "a text may be empty in a contract"),
        Entry(.body, ["description"], "the endpoint, and the type of its body, have descriptions of their own"),
        Entry(.header, ["required"], "a command that has succeeded does not fail because a header is missing"),
        Entry(
            .example, ["summary", "description"], "they are prose about an example, which a contract has without it"),
        Entry(.reference, ["summary"], "only an example has a summary, which a contract has without it"),
    ]
}
