import Testing

/// Multipart bodies of documents: files, lists of files, and parts with media types.
@Suite struct MultipartTests {
    private func document(_ content: String) -> ImportedDocument {
        ImportedDocument(
            paths: """
                /a:
                  post:
                    operationId: upload
                    requestBody:
                      required: true
                      content:
                \(content.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n"))
                    responses: {200: {description: Fine}, 404: {description: No such thing.}}
                """)
    }

    private func body(_ properties: String, encoding: String = "{}") -> (document: ImportedDocument, text: String) {
        let document = document(
            "multipart/form-data: {schema: {type: object, required: [file], properties: {\(properties)}}, encoding: \(encoding)}"
        )
        #expect(document.problems == [])
        return (document, document.block("upload:"))
    }

    @Test func listsOfFilesAreLists() {
        let (document, text) = body(
            "file: {type: array, minItems: 1, items: {type: string, format: binary}}, more: {type: array, items: {type: string, contentMediaType: image/png}}",
            encoding: "{file: {contentType: image/jpeg}}")
        #expect(document.findings == [])
        #expect(text.contains("file: {type: [file], items: 1.., contentType: image/jpeg}"), "\(text)")
        #expect(text.contains("more: {type: \"[file]?\", contentType: image/png}"), "\(text)")
    }

    /// A list of one file is sent as the file is.
    @Test(arguments: ["oneOf", "anyOf"]) func oneFileOrSeveralAreAList(_ keyword: String) {
        let (_, text) = body(
            "file: {\(keyword): [{type: string, format: binary}, {type: array, items: {type: string, format: binary}}]}"
        )
        #expect(text.contains("file: [file]"), "\(text)")
    }

    @Test func aFileThatMayBeATextIsNoFile() {
        let (_, text) = body("file: {oneOf: [{type: string, format: binary}, {type: object}]}, note: {type: string}")
        #expect(!text.contains("[file]"), "\(text)")
    }

    /// A schema can contain itself.
    @Test func alternativesThatContainThemselvesEnd() {
        let document = ImportedDocument(
            paths: """
                /a:
                  post:
                    operationId: upload
                    requestBody:
                      content:
                        multipart/form-data: {schema: {type: object, properties: {note: {type: string}, file: {$ref: '#/components/schemas/Loop'}}}}
                    responses: {200: {description: Fine}, 404: {description: No such thing.}}
                """,
            components: "schemas: {Loop: {type: array, items: {$ref: '#/components/schemas/Loop'}}}")
        #expect(document.problems == [])
        #expect(!document.block("upload:").contains("[file]"))
    }

    @Test func partsHaveTheMediaTypesThatTheyCanHave() {
        let (document, text) = body(
            "file: {type: string}, tags: {type: array, items: {type: string}}, tree: {type: object, properties: {a: {type: integer}}}, odd: {type: object, properties: {b: {type: integer}}}",
            encoding:
                "{file: {contentType: text/markdown}, tags: {contentType: application/json}, tree: {contentType: application/json}, odd: {contentType: text/xml}}"
        )
        #expect(text.contains("file: {type: string, contentType: text/markdown}"), "\(text)")
        #expect(text.contains("tags: {type: \"[string]?\", contentType: application/json}"), "\(text)")
        #expect(text.contains("tree: ") && !text.contains("tree: {type"), "\(text)")
        #expect(document.findings.count == 1 && document.findings[0].contains("`odd` is not sent as `text/xml`"))
    }

    @Test func deepObjectsHaveBrackets() {
        let (_, text) = body(
            "file: {type: string, format: binary}, tags: {type: object, additionalProperties: {type: string}}, tree: {type: object, properties: {a: {type: integer}}}",
            encoding: "{tags: {style: deepObject, explode: true}}")
        #expect(text.contains("nesting: brackets"), "\(text)")
        #expect(text.contains("tags: \"[string: string]?\""), "\(text)")
        #expect(text.contains("tree: {type: ") && text.contains("contentType: application/json"), "\(text)")
    }

    @Test(arguments: [
        ("application/json", "{photo: {type: string}}", "multipart"),
        ("application/x-www-form-urlencoded", "{photo: {type: string}}", "multipart"),
        ("application/json", "{name: {type: string}}", "multipart"),
        ("application/json", "{photo: {type: string, format: byte}}", "photo: bytes"),
    ])
    func multipartIsChosenWhereOnlyItCarriesTheFile(_ type: String, _ others: String, _ wanted: String) {
        let document = document(
            """
            \(type): {schema: {type: object, required: [photo], properties: \(others)}}
            multipart/form-data: {schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}}}}
            """)
        #expect(document.problems == [])
        #expect(document.block("upload:").contains(wanted), "\(document.block("upload:"))")
    }

    @Test func jsonStaysWhereMultipartHasNoFile() {
        let document = document(
            """
            multipart/form-data: {schema: {type: object, properties: {note: {type: string}}}}
            application/json: {schema: {type: object, properties: {note: {type: string}}}}
            """)
        #expect(!document.block("upload:").contains("multipart"))
    }
}
