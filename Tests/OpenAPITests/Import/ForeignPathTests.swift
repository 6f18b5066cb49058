import Testing

/// Paths in the syntax of other tools, and paths that a URL cannot have. One of them does not keep the others from being generated.
@Suite struct ForeignPathTests {
    private static func document(_ path: String, declared: [String] = []) -> ImportedDocument {
        let parameters = declared.map { "{name: \($0), in: path, required: true, schema: {type: integer}}" }
        return ImportedDocument(
            paths: """
                '\(path)': {get: {operationId: getA, parameters: [\(parameters.joined(separator: ", "))], responses: {204: {description: Fine}}}}
                /other: {get: {operationId: other, responses: {204: {description: Fine}, 404: {description: No such thing.}}}}
                """)
    }

    @Test(arguments: [
        ("/icons/:filename", ["filename"], "/icons/{filename:int}"),
        ("/icons/:id/:size", ["id", "size"], "/icons/{id:int}/{size:int}"),
        ("/icons/:id.:format", ["id", "format"], "/icons/{id:int}.{format:int}"),
        ("/icons/:id.png", ["id"], "/icons/{id:int}.png"),
        ("/icons/${id}", ["id"], "/icons/{id:int}"),
        ("/icons/{id:[0-9]+}", ["id"], "/icons/{id:int}"),
        ("/icons/{id:[0-9]{4}}/x", ["id"], "/icons/{id:int}/x"),
        ("/files/*rest", ["rest"], "/files/{rest:int}"),
        ("/books/{id}:cancel", ["id"], "/books/{id:int}:cancel"),
        ("/books:search", [], "/books:search"),
        ("/a b/c|d", [], "/a%20b/c%7Cd"),
        ("/a%20b", [], "/a%20b"),
        ("icons/{id}", ["id"], "/icons/{id:int}"),
        ("/größe", [], "/größe"),
    ])
    func aPathIsWrittenAsAContractHasIt(_ path: String, _ declared: [String], _ wanted: String) {
        let document = Self.document(path, declared: declared)
        #expect(document.problems == [])
        #expect(document.findings == [])
        let line = document.block("getA:").split(separator: "\n").dropFirst().first ?? ""
        #expect(line == "  get: \(wanted)" || line == "  get: \"\(wanted)\"", "\(document.contract)")
        #expect(document.result.reviews.allSatisfy { $0.subject != "endpoints/getA" })
    }

    /// As a parameter, it reaches the server whether it is one or a text: the value `:id` is the segment itself.
    @Test(arguments: [":id", "*id"]) func anUndeclaredParameterIsAGuess(_ segment: String) {
        let document = Self.document("/icons/\(segment)")
        #expect(document.problems == [])
        #expect(document.block("getA:").contains("get: /icons/{id}"))
        #expect(
            document.result.reviews.contains {
                $0.subject == "endpoints/getA" && $0.reason.hasPrefix("`\(segment)` of the document's path seems to be")
            }, "\(document.result.reviews)")
    }

    @Test(arguments: [
        ("/a/../b", "has `.` or `..` as a segment"), ("/a/{id", "has a `{` that is not closed"),
        ("/a/id}", "has a `}` without a `{`"), ("/a/{}", "has a parameter without a name"),
        ("/a/{id}/{id}", "has the parameter `id` twice"), ("https://a.example/b", "is a whole URL"),
    ])
    func aPathThatNoContractHasBlocksOnlyItself(_ path: String, _ problem: String) {
        let document = Self.document(path)
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 1)
        #expect(
            document.findings.contains { $0.hasPrefix("openapi-parameter-lost: the path ") && $0.hasSuffix(problem) })
        #expect(document.findings.contains { $0.hasPrefix("openapi-endpoint-lost: `GET ") })
    }
}
