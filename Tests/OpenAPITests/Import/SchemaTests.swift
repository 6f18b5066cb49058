import Testing

/// What schemas become.
@Suite struct SchemaTests {
    @Test func structuresAndTheirFields() {
        let document = ImportedDocument(
            schemas: """
                Book:
                  type: object
                  description: One book.
                  required: [id, title, kind, price, printed_at]
                  properties:
                    id: {type: integer, format: int64}
                    title: {type: string, minLength: 1, maxLength: 80}
                    kind: {type: string, enum: [novel, poetry]}
                    price: {type: number}
                    printed_at: {type: string, format: date-time}
                    published_on: {type: string, format: date}
                    cover_url: {type: string, format: uri}
                    isbn_code: {type: string, pattern: '^[0-9]{13}$'}
                    page_count: {type: integer, minimum: 1, exclusiveMaximum: 1000}
                    tags: {type: array, items: {type: string}, maxItems: 5}
                    prices: {type: object, additionalProperties: {type: number}}
                    extra: {}
                    next: {$ref: '#/components/schemas/Book'}
                    internal: {type: string, deprecated: true, default: none}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(
            document.block("Book:") == """
                Book:
                  doc: One book.
                  fields:
                    id: int64
                    title: {type: string, length: 1..80}
                    kind: BookKind
                    price: double
                    printedAt: timestamp
                    publishedOn: date?
                    coverURL: url?
                    isbnCode: {type: string?, pattern: "^[0-9]{13}$"}
                    pageCount: {type: int?, range: 1..999}
                    tags: {type: "[string]?", items: ..5}
                    prices: "[string: double]?"
                    extra: json?
                    next: Book?
                    internal: {type: string, default: none, deprecated: true}
                """)
        #expect(document.contract.contains("  naming: snake_case\n"))
        #expect(document.block("BookKind:") == "BookKind:\n  enum: [novel, poetry]")
    }

    /// A property whose name can stay keeps it, whichever comes first.
    @Test func namesThatDifferInCase() {
        let document = ImportedDocument(
            schemas:
                "A: {type: object, properties: {Type: {type: string}, type: {type: string}, ID: {type: string}, id: {type: string}}}"
        )
        #expect(document.problems == [])
        #expect(document.block("A:").contains("\n  type: string?"))
        #expect(document.block("A:").contains("\n  id: string?"))
        #expect(document.block("A:").contains("typeValue: {type: string?, wire: Type}"))
    }

    @Test(arguments: ["3.0.3", "3.1.0"]) func nullInBothDialects(_ version: String) {
        let isOld = version == "3.0.3"
        let document = ImportedDocument(
            schemas: """
                A:
                  type: object
                  required: [one, two, three, four]
                  properties:
                    one: \(isOld ? "{type: string, nullable: true}" : "{type: [string, 'null']}")
                    two: \(isOld ? "{nullable: true, allOf: [{$ref: '#/components/schemas/B'}]}" : "{anyOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}]}")
                    three: {type: array, items: \(isOld ? "{type: integer, nullable: true}" : "{type: [integer, 'null']}")}
                    four: {type: string}
                B:
                  type: object
                  properties: {id: {type: integer}}
                """, version: version)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(
            document.block("A:") == """
                A:
                  one: string?
                  two: B?
                  three: "[int?]"
                  four: string
                """)
    }

    @Test func allOfIsMerged() {
        let document = ImportedDocument(
            schemas: """
                Base:
                  type: object
                  required: [id]
                  properties: {id: {type: integer}, name: {type: string}}
                Book:
                  allOf:
                    - $ref: '#/components/schemas/Base'
                    - type: object
                      required: [name]
                      properties: {pages: {type: integer}}
                """)
        #expect(document.findings == [])
        #expect(document.block("Book:") == "Book:\n  id: int\n  name: string\n  pages: int?")
    }

    @Test func unionsByDiscriminatorAndByConstants() {
        let document = ImportedDocument(
            schemas: """
                Pet:
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                  discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', hound: Dog}}
                Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
                Dog: {type: object, required: [kind], properties: {kind: {type: string}, name: {type: string}}}
                Shape:
                  anyOf:
                    - {type: object, required: [form], properties: {form: {const: circle}, radius: {type: number}}}
                    - {type: object, required: [form], properties: {form: {enum: [square]}, side: {type: number}}}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.block("Pet:") == "Pet:\n  union:\n    by: kind\n    cases:\n      cat: Cat\n      hound: Dog")
        #expect(
            document.block("Shape:")
                == "Shape:\n  union:\n    by: form\n    cases:\n      circle: ShapeCircle\n      square: ShapeSquare")
        #expect(document.block("ShapeCircle:") == "ShapeCircle:\n  form: string = circle\n  radius: double?")
    }

    @Test func inheritanceByDiscriminator() {
        let document = ImportedDocument(
            schemas: """
                Pet:
                  type: object
                  required: [kind]
                  discriminator: {propertyName: kind}
                  properties: {kind: {type: string}}
                Cat:
                  allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {lives: {type: integer}}}]
                """)
        #expect(document.problems == [])
        #expect(document.block("Pet:") == "Pet:\n  union:\n    by: kind\n    cases:\n      Cat: Cat")
        #expect(document.block("Cat:").contains("lives: int?"))
    }

    @Test func whatTellsNothingApartIsJSONAndSaid() {
        let document = ImportedDocument(
            schemas:
                "A: {type: object, properties: {id: {oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {a: {type: integer}}}]}}}"
        )
        #expect(document.block("A:") == "A:\n  id: json?")
        #expect(document.result.findings.map(\.rule) == ["openapi-union-lost"])
        #expect(document.result.findings[0].notes[0].message.hasSuffix("#/components/schemas/A/properties/id"))
    }

    @Test func enumsWithValuesThatAreNoNames() {
        let document = ImportedDocument(
            schemas: """
                Order: {type: string, enum: [-created, created, "", 24h, '1', a b]}
                Size: {type: integer, enum: [1, 2, 404], x-enum-varnames: [small, large, lost]}
                Level: {type: integer, enum: [1, 20]}
                Flag: {type: string, enum: [yes, no, null]}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Order:")
                == "Order:\n  enum: {minusCreated: \"-created\", created: created, empty: \"\", value24h: 24h, one: \"1\", aB: a b}"
        )
        #expect(document.block("Size:") == "Size:\n  enum: {small: 1, large: 2, lost: 404}")
        #expect(document.block("Level:") == "Level:\n  enum: {one: 1, value20: 20}")
        #expect(document.contract.contains("# errand:review the document does not name these numbers\n  Level:"))
    }

    @Test func readOnlyAndWriteOnlyMakeTwoTypes() {
        let document = ImportedDocument(
            paths: """
                /users:
                  post:
                    operationId: createUser
                    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
                    responses:
                      201: {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
                      400: {description: Bad}
                """,
            components: """
                schemas:
                  User:
                    type: object
                    required: [id, name, password]
                    properties:
                      id: {type: integer, readOnly: true}
                      name: {type: string}
                      password: {type: string, format: password, writeOnly: true}
                """)
        #expect(document.findings == [])
        #expect(document.block("User:") == "User:\n  id: int\n  name: string")
        #expect(
            document.block("UserInput:") == "UserInput:\n  name: string\n  password: {type: string, sensitive: true}")
        #expect(document.block("createUser:").contains("body: UserInput\n  response: User"))
    }

    @Test func aListThatHoldsItselfIsSaid() {
        let document = ImportedDocument(schemas: "Tree: {type: array, items: {$ref: '#/components/schemas/Tree'}}")
        #expect(document.problems == [])
        #expect(document.result.findings.map(\.rule) == ["openapi-schema-lost"])
    }

    @Test func patternsMatchAnywhereInOpenAPI() {
        let document = ImportedDocument(
            schemas: """
                A:
                  type: object
                  properties:
                    one: {type: string, pattern: '[a-z]'}
                    two: {type: string, pattern: '^a|b$'}
                    three: {type: string, pattern: '(?=x)'}
                """)
        #expect(document.block("A:").contains(#"one: {type: string?, pattern: '[\s\S]*[a-z][\s\S]*'}"#))
        #expect(document.block("A:").contains(#"two: {type: string?, pattern: '[\s\S]*(?:^a|b$)[\s\S]*'}"#))
        #expect(document.block("A:").contains("three: string?"))
        #expect(document.result.findings.map(\.rule) == ["openapi-constraint-lost"])
    }

    /// A schema that has the discriminator's property itself, as most generators write it.
    @Test func aUnionMayRepeatItsDiscriminator() {
        let cases = """
            Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
            Dog: {type: object, required: [kind], properties: {kind: {type: string}}}
            """
        func union(_ properties: String) -> ImportedDocument {
            ImportedDocument(
                schemas: """
                    Pet: {type: object, required: [kind], properties: {\(properties)}, oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}}
                    """ + "\n" + cases)
        }
        let repeated = union("kind: {type: string}")
        #expect(repeated.problems == [])
        #expect(repeated.block("Pet:").contains("by: kind") && repeated.block("Pet:").contains("dog: Dog"))
        // What no alternative has would be lost.
        #expect(
            union("kind: {type: string}, owner: {type: string}").findings.contains {
                $0.hasPrefix("openapi-union-lost")
            })
    }

    @Test func aDayOrAnInstant() {
        let document = ImportedDocument(
            schemas: """
                Event:
                  type: object
                  required: [start]
                  properties:
                    start: {oneOf: [{type: string, format: date}, {type: string, format: date-time}]}
                    end: {anyOf: [{type: string, format: date-time}, {type: string, format: date}, {type: 'null'}]}
                """)
        #expect(document.problems == [])
        #expect(document.block("Event:") == "Event:\n  start: dateOrTimestamp\n  end: dateOrTimestamp?")
    }
}
