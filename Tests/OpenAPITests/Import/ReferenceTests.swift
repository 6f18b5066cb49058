import Testing

/// References within a file, across files and folders, and those that lead nowhere.
@Suite struct ReferenceTests {
    @Test func acrossFilesAndFolders() {
        let document = ImportedDocument(
            files: [
                "apis/main.yaml": """
                openapi: 3.0.3
                info: {title: Library, version: 2.0.0}
                servers: [{url: 'https://library.example'}]
                paths:
                  /books: {$ref: 'paths/books.yaml'}
                  /odd: {$ref: 'paths/odd%20names.yaml#/~1odd~0'}
                """,
                "apis/paths/books.yaml": """
                get:
                  operationId: listBooks
                  parameters: [{$ref: '../parameters.json#/limit'}]
                  responses:
                    '200':
                      description: Fine
                      content: {application/json: {schema: {type: array, items: {$ref: '../schemas/Book.yaml'}}}}
                    '404': {$ref: '../main-responses.yaml#/missing'}
                """,
                "apis/paths/odd names.yaml":
                    "/odd~:\n  get: {operationId: odd, responses: {'404': {$ref: '../main-responses.yaml#/missing'}}}\n",
                "apis/parameters.json":
                    #"{"limit": {"name": "limit", "in": "query", "description": "Face: 😀 \ud83d\ude00", "schema": {"type": "integer"}}}"#,
                "apis/main-responses.yaml":
                    "missing: {$ref: '#/real'}\nreal: {description: None., content: {application/json: {schema: {$ref: schemas/Book.yaml#/definitions/Problem}}}}\n",
                "apis/schemas/Book.yaml": """
                type: object
                required: [title, author]
                properties:
                  title: {type: string}
                  author: {$ref: 'people/Author.yaml#/Author'}
                  sequel: {$ref: 'Book.yaml'}
                definitions:
                  Problem: {type: object, properties: {text: {type: string}}}
                """,
                "apis/schemas/people/Author.yaml":
                    "Author: {$ref: '#/Person'}\nPerson: {type: object, properties: {books: {type: array, items: {$ref: '../Book.yaml'}}}}\n",
            ], main: "apis/main.yaml")
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.block("Book:") == "Book:\n  title: string\n  author: Person\n  sequel: Book?")
        #expect(document.block("Person:") == "Person:\n  books: \"[Book]?\"")
        #expect(document.block("listBooks:").contains("limit: {type: int?, doc: \"Face: 😀 😀\"}"))
        #expect(document.block("listBooks:").contains("response: [Book]"))
        #expect(document.block("notFound:").contains("data: Problem"))
        #expect(document.result.fileCount == 7)
    }

    @Test(arguments: [
        ("{$ref: '#/components/schemas/None'}", "openapi-broken-reference"),
        ("{$ref: 'none.yaml#/a'}", "openapi-broken-reference"),
        ("{$ref: 'https://example.com/a.yaml#/a'}", "openapi-remote-reference"),
        ("{$ref: '#/components/schemas/A'}", "openapi-broken-reference"),
    ])
    func whatLeadsNowhereIsSaid(_ schema: String, _ rule: String) {
        let document = ImportedDocument(schemas: "A: \(schema)\nB: {$ref: '#/components/schemas/A'}")
        #expect(document.problems == [])
        #expect(document.result.findings.contains { $0.rule == rule }, "\(document.findings)")
        #expect(document.result.findings.allSatisfy { $0.rule == rule })
    }

    @Test func ringsHaveAnEnd() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, required: [b], properties: {b: {$ref: '#/components/schemas/B'}}}
                B: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/A'}}}
                C: {allOf: [{$ref: '#/components/schemas/C'}, {type: object, properties: {x: {type: string}}}]}
                D: {oneOf: [{$ref: '#/components/schemas/D'}, {type: string}]}
                E: {anyOf: [{$ref: '#/components/schemas/E'}]}
                """)
        #expect(document.problems == [])
    }

    /// Tools that bundle several files refer to the first place of a schema, which is a part of an operation.
    @Test(arguments: [false, true]) func aPartIsOneType(_ isReversed: Bool) {
        let users = "#/paths/~1users/get/responses/200/content/application~1json/schema/properties/users/items"
        let lost = "#/paths/~1users/get/responses/404/content/application~1json/schema"
        func response(_ status: Int, _ schema: String) -> String {
            "\(status): {description: Some, content: {application/json: {schema: \(schema)}}}"
        }
        let role = "{type: string, enum: [admin, guest]}"
        let user =
            "{type: object, properties: {id: {type: integer}, role: \(role), home: {type: object, properties: {street: {type: string}}}}}"
        let list = "{type: object, required: [users], properties: {users: {type: array, items: \(user)}}}"
        let failure = "{type: object, properties: {message: {type: string}}}"
        let paths = [
            "/users: {get: {operationId: listUsers, responses: {\(response(200, list)), \(response(404, failure))}}}",
            "/users/{id}: {get: {operationId: getUser, parameters: [{name: id, in: path, required: true, schema: {$ref: '\(users)/properties/id'}}, {name: role, in: query, schema: {$ref: '\(users)/properties/role'}}], responses: {\(response(200, "{$ref: '\(users)'}")), \(response(404, "{$ref: '\(lost)'}"))}}}",
            "/homes: {get: {operationId: listHomes, responses: {\(response(200, "{type: array, items: {$ref: '\(users)/properties/home'}}")), \(response(404, "{$ref: '\(lost)'}"))}}}",
        ]
        let document = ImportedDocument(
            paths: (isReversed ? paths.reversed() : paths).joined(separator: "\n"), version: "3.0.3")
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.result.typeCount == 4, "\(document.contract)")
        #expect(document.result.errorCount == 1, "\(document.contract)")
        #expect(!document.contract.contains("Empty"))
    }

    @Test func aPropertyIsCalledAfterItsOwner() {
        let document = ImportedDocument(
            paths:
                "/a: {get: {operationId: list, parameters: [{name: status, in: query, schema: {$ref: '#/components/schemas/Account/properties/status'}}], responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}, 404: {description: None}}}}",
            components: "schemas: {Account: {type: object, properties: {status: {type: string, enum: [open, closed]}}}}"
        )
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.block("query:").contains("status: AccountStatus?"))
        #expect(document.block("Account:").contains("status: AccountStatus?"))
        #expect(document.result.typeCount == 2)
    }

    /// What grows with the number of references, or with their depth, has an end.
    @Test func chainsAndFansAreBounded() {
        let lists = (0..<2_000).map { "L\($0): {type: array, items: {$ref: '#/components/schemas/L\($0 + 1)'}}" }
        let unions = (0..<60).map {
            "U\($0): {anyOf: [{$ref: '#/components/schemas/U\($0 + 1)'}, {$ref: '#/components/schemas/V\($0 + 1)'}]}\nV\($0): {anyOf: [{$ref: '#/components/schemas/V\($0 + 1)'}, {$ref: '#/components/schemas/U\($0 + 1)'}]}"
        }
        let parts = (0..<60).map {
            "P\($0): {allOf: [{$ref: '#/components/schemas/P\($0 + 1)'}, {$ref: '#/components/schemas/P\($0 + 1)'}]}"
        }
        let ends = [
            "L2000: {type: string}", "U60: {type: string}", "V60: {type: integer}",
            "P60: {type: object, properties: {a: {type: string}}}",
        ]
        let schemas = (lists + unions + parts + ends).joined(separator: "\n")
        let document = ImportedDocument(
            paths: ["L0", "U0", "P0"].map {
                "/\($0): {get: {parameters: [{name: q, in: query, schema: {$ref: '#/components/schemas/\($0)'}}], responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/\($0)'}}}}, 404: {description: None}}}}"
            }.joined(separator: "\n"),
            components: "schemas:\n" + schemas.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        #expect(document.problems == [])
        #expect(document.result.endpointCount == 3)
    }

    @Test func whatIsNoDocumentIsRefused() {
        for text in ["title: Books", "openapi: 4.0.0", "[]", "openapi: {a: b}", "", "{"] {
            let document = ImportedDocument(files: ["api.yaml": text])
            #expect(document.result.contract == nil)
            #expect(!document.result.findings.isEmpty, "\(text)")
        }
    }

    /// Any part of a document may be anything.
    @Test func nothingInADocumentTraps() {
        let whole = """
            openapi: 3.0.0
            info: {title: T, version: '1'}
            servers: [{url: 'https://a.example'}]
            security: [{k: []}]
            paths:
              /a/{id}:
                post:
                  operationId: x
                  tags: [t]
                  parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
                  responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: integer}}}}}, default: {description: e}}
            components:
              securitySchemes: {k: {type: http, scheme: bearer}}
              schemas: {A: {type: object, required: [a], properties: {a: {enum: [x, y]}, b: {oneOf: [{type: string}], discriminator: {propertyName: z}}}}}
            """
        let words = whole.split(whereSeparator: { " \n".contains($0) }).map(String.init)
        for position in words.indices {
            for other in ["null", "[]", "{}", "''", "7", "{a: b}", "[[]]"] {
                var text = whole
                guard let place = text.range(of: words[position]) else { continue }
                let isKey = words[position].hasSuffix(":")
                text.replaceSubrange(place, with: isKey ? words[position] + " \(other) #" : other)
                let document = ImportedDocument(files: ["api.yaml": text])
                if document.result.contract != nil { #expect(document.problems == [], "\(text)") }
            }
        }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
