import Testing

/// Examples of properties, parameters and bodies become those of fields and of endpoints.
@Suite struct FieldExampleTests {
    private static func book(_ properties: String, version: String = "3.1.0") -> ImportedDocument {
        ImportedDocument(
            schemas: "Book: {type: object, required: [title], properties: {title: {type: string}, \(properties)}}",
            version: version)
    }

    /// The finding about lost or contradicting examples, without its kind.
    private static func lost(_ document: ImportedDocument) -> [String] {
        document.findings.filter { $0.hasPrefix("openapi-example-lost: ") }.map {
            String($0.dropFirst("openapi-example-lost: ".count))
        }
    }

    @Test func aPropertyKeepsItsExample() {
        let document = Self.book(
            """
            pages: {type: integer, example: 474}, since: {type: string, format: date, examples: ['1815-12-23']},
            tags: {type: array, items: {type: string, example: novel}}, code: {type: string, example: '0141'},
            kind: {type: string, enum: [paper, sound], example: sound}, sizes: {type: object, example: {a: 1}}
            """.split(separator: "\n").joined(separator: " "))
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.contract.contains("pages: {type: int?, example: 474}"))
        #expect(document.contract.contains("since: {type: date?, example: 1815-12-23}"))
        #expect(document.contract.contains("tags: {type: \"[string]?\", example: [novel]}"))
        #expect(document.contract.contains("code: {type: string?, example: \"0141\"}"))
        #expect(document.contract.contains("kind: {type: BookKind?, example: sound}"))
        #expect(document.contract.contains("example: {a: 1}"))
    }

    @Test func theExampleOfASchemaWithANameIsThatOfItsFields() {
        let document = ImportedDocument(
            schemas: """
                Book: {type: object, properties: {isbn: {$ref: '#/components/schemas/ISBN'}, old: {allOf: [{$ref: '#/components/schemas/ISBN'}], example: x-2}}}
                ISBN: {type: string, maxLength: 20, example: 978-3}
                """)
        #expect(document.problems == [])
        #expect(document.contract.contains("isbn: {type: Isbn?, example: 978-3}"))
        #expect(document.contract.contains("old: {type: Isbn?, example: x-2}"))
    }

    /// A property that says its own keeps it.
    @Test func theExampleOfAnObjectIsThatOfItsMembers() {
        let document = ImportedDocument(
            schemas: """
                Book: {type: object, properties: {title: {type: string}, pages: {type: integer, example: 7}, by: {$ref: '#/components/schemas/Person'}}, example: {title: Emma, pages: 474, by: {name: Jane}}}
                Person: {type: object, required: [name], properties: {name: {type: string}}}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.contract.contains("title: {type: string?, example: Emma}"))
        #expect(document.contract.contains("pages: {type: int?, example: 7}"))
        #expect(document.contract.contains("by: {type: Person?, example: {name: Jane}}"))
    }

    @Test func anExampleThatSaysNoMoreThanTheDefaultIsLeftOut() {
        let document = Self.book(
            "kind: {type: string, default: novel, example: novel}, none: {type: string, example: null}")
        #expect(document.findings == [])
        #expect(!document.contract.contains("example:"))
    }

    @Test func anExampleThatContradictsItsTypeIsLeftOut() {
        let document = Self.book(
            "pages: {type: integer, example: many}, size: {type: integer, maximum: 9, example: 10}, since: {type: string, format: date-time, example: today}"
        )
        #expect(
            Self.lost(document) == ["the document's example contradicts this type, so it is left out (3 times)"])
        #expect(document.result.findings.allSatisfy { $0.severity == .note })
        #expect(document.result.findings.first?.notes.first?.message == "`many` is not a `int`")
        #expect(document.problems == [])
        #expect(!document.contract.contains("example:"))
    }

    @Test func whatTheContractHasNoPlaceForIsReported() {
        let long = String(repeating: "long ", count: 60)
        let document = Self.book("blurb: {type: string, example: \(long)}, tags: {type: string, examples: [a, b]}")
        #expect(Self.lost(document) == ["examples of schemas are left out (2 times)"])
        #expect(document.contract.contains("tags: {type: string?, example: a}"))
    }

    private static let parameters = """
        /shelves/{shelf}/books:
          get:
            operationId: listBooks
            parameters:
              - {name: shelf, in: path, required: true, schema: {type: integer}, example: 3}
              - {name: sort, in: query, schema: {type: string}, examples: {first: {value: title}, second: {value: pages}}}
              - {name: by, in: query, schema: {type: string, example: schema}, example: parameter}
              - {name: X-Reader, in: header, schema: {type: string}, examples: {one: {dataValue: Ada}}}
            responses: {204: {description: Fine}, 404: {description: None}}
        """

    @Test func aParameterKeepsItsExample() {
        let document = ImportedDocument(paths: Self.parameters, version: "3.2.0")
        #expect(document.problems == [])
        #expect(document.contract.contains("sort: {type: string?, example: title}"))
        #expect(document.contract.contains("by: {type: string?, example: parameter}"))
        #expect(document.contract.contains("{type: string?, wire: X-Reader, example: Ada}"))
        #expect(document.contract.contains("request: {shelf: 3}"))
        #expect(
            Self.lost(document) == [
                "examples of parameters are left out (once)", "examples of schemas are left out (once)",
            ])
    }

    @Test func examplesCanBeLeftOut() {
        let text = "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\npaths:\n"
        let paths = Self.parameters.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        let document = ImportedDocument(files: ["api.yaml": text + paths], hasExamples: false)
        #expect(!document.contract.contains("example"))
        #expect(Self.lost(document) == [])
    }

    private static let book = """
        schemas:
          Book: {type: object, required: [title], properties: {title: {type: string}, pages: {type: integer}}}
        """

    private static func add(_ examples: String, response: String = "", schema: String? = nil) -> ImportedDocument {
        ImportedDocument(
            paths: """
                /shelves/{shelf}/books:
                  post:
                    operationId: addBook
                    parameters: [{name: shelf, in: path, required: true, schema: {type: integer, example: 3}}]
                    requestBody:
                      required: true
                      content:
                        application/json:
                          schema: \(schema ?? "{$ref: '#/components/schemas/Book'}")
                          examples: \(examples)
                    responses:
                      200:
                        description: Fine
                        content:
                          application/json:
                            schema: {$ref: '#/components/schemas/Book'}
                            examples: {\(response)}
                      404: {description: None}
                """, components: Self.book)
    }

    @Test func theExampleOfABodyIsBesideThatOfTheResponse() {
        let document = Self.add(
            "{emma: {value: {title: Emma}}, short: {value: {title: Zazie, pages: 9}}}",
            response: "emma: {value: {title: Emma, pages: 474}}")
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(
            document.block("examples:") == """
                examples:
                  emma:
                    request: {shelf: 3, title: Emma}
                    response: {title: Emma, pages: 474}
                  short:
                    request: {shelf: 3, title: Zazie, pages: 9}
                """)
    }

    /// A field whose name another input has is called by its own name.
    @Test func theMembersOfABodyHaveTheNamesOfItsFields() {
        let document = Self.add(
            "{one: {value: {shelf: 4, book_title: Emma}}}",
            schema: "{type: object, properties: {shelf: {type: integer}, book_title: {type: string}}}")
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.contract.contains("request: {shelf: 3, newShelf: 4, bookTitle: Emma}"))
    }

    @Test func anExampleOfABodyThatDoesNotFitLeavesTheResponse() {
        let document = Self.add("{emma: {value: {pages: many}}}", response: "emma: {value: {title: Emma}}")
        #expect(
            Self.lost(document) == ["the document's example contradicts this type, so it is left out (2 times)"])
        #expect(document.problems == [])
        #expect(document.block("examples:") == "examples:\n  emma:\n    response: {title: Emma}")
    }

    /// Equal types are one, with the examples of both.
    @Test func equalTypesShareTheirExamples() {
        let member = "{type: object, properties: {code: {type: string%}, text: {type: string}}}"
        let document = ImportedDocument(
            schemas: """
                Book: {type: object, properties: {note: \(member.replacing("%", with: ""))}}
                Shelf: {type: object, properties: {note: \(member.replacing("%", with: ", example: n-1"))}}
                """)
        #expect(document.findings == [])
        #expect(document.contract.contains("code: {type: string?, example: n-1}"))
    }
}
