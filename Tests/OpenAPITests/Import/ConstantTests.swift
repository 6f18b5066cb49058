import Testing

/// A value that is always the same, where it may be absent: an enum with this value.
@Suite struct ConstantTests {
    @Test(arguments: ["enum: [folder]", "const: folder"])
    func anOptionalConstantIsAType(_ keyword: String) {
        let document = ImportedDocument(
            schemas: """
                File:
                  type: object
                  required: [kind, parent]
                  properties:
                    kind: {type: string, \(keyword)}
                    type: {type: string, \(keyword), description: What it is.}
                    parent: {type: [string, 'null'], \(keyword)}
                    marks: {type: array, items: {type: string, \(keyword)}}
                    names: {type: object, additionalProperties: {type: string, \(keyword)}}
                    either: {anyOf: [{type: string, \(keyword)}, {type: boolean}]}
                """)
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(
            document.block("File:")
                == """
                File:
                  kind: string = folder
                  type: {type: FileType?, doc: What it is.}
                  parent: FileParent?
                  marks: "[FileMark]?"
                  names: "[string: FileName]?"
                  either: FileEither?
                """)
        for name in ["FileType:", "FileParent:", "FileMark:", "FileName:", "FileEitherString:"] {
            #expect(document.block(name) == "\(name)\n  enum: [folder]")
        }
    }

    /// A number is one, too. Contracts have no enum of a Boolean or a fraction.
    @Test func constantsOfOtherKinds() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, properties: {status: {type: integer, enum: [200]}, done: {type: boolean, const: true}, part: {type: number, const: 0.5}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("AStatus:") == "AStatus:\n  enum: {value200: 200}")
        #expect(document.block("A:").contains("status: AStatus?"))
        #expect(document.block("A:").contains("done: {type: bool?, doc: Always `true` if present.}"))
        #expect(document.block("A:").contains("part: {type: double?, doc: Always `0.5` if present.}"))
        #expect(document.result.reviews.contains { $0.subject == "types/AStatus" })
    }

    /// The same constant in several places is one type.
    @Test func equalConstantsAreOneType() {
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: a, parameters: [{name: usage, in: query, schema: {type: string, enum: [none]}}], responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, 404: {description: None}}}}
                /b: {get: {operationId: b, parameters: [{name: usage, in: query, schema: {type: string, enum: [none]}}], responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}, 404: {description: None}}}}
                """,
            components: """
                schemas:
                  A: {type: object, properties: {usage: {type: string, enum: [none]}}}
                  B: {type: object, properties: {usage: {type: string, enum: [none]}, more: {$ref: '#/components/schemas/A'}}}
                """)
        #expect(document.problems == [])
        #expect(document.result.typeCount == 3)
        #expect(document.contract.contains("Usage:\n    enum:"))
        #expect(
            document.contract.split(separator: "\n").count { $0.contains("usage: Usage?") } == 4, "\(document.contract)"
        )
    }

    /// Parameters, forms, headers and paths have enums, too.
    @Test func constantsOfParameters() {
        let document = ImportedDocument(
            paths: """
                /v/{version}:
                  post:
                    operationId: a
                    parameters:
                      - {name: version, in: path, required: true, schema: {type: string, enum: [v1]}}
                      - {name: sort, in: query, schema: {type: string, enum: [name]}}
                      - {name: fixed, in: query, required: true, schema: {type: string, enum: [name]}}
                      - {name: filter, in: query, schema: {type: array, items: {type: string, enum: [mine]}}}
                      - {name: X-Mode, in: header, schema: {type: string, const: fast}}
                    requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, required: [to], properties: {to: {type: string}, kind: {type: string, enum: [card]}}}}}}
                    responses: {200: {description: ok, headers: {X-Kind: {schema: {type: string, enum: [plain]}}}, content: {application/json: {schema: {type: string}}}}, 404: {description: None}}
                """)
        #expect(document.problems == [])
        #expect(document.findings.filter { !$0.contains("body is optional") } == [])
        let endpoint = document.block("a:")
        for line in [
            "post: /v/{version:Version}", "sort: ASort?", "fixed: string = name", "filter: \"[AFilterItem]?\"",
            "xMode: {type: AXMode?, wire: X-Mode}", "kind: AKind?", "xKind: {type: AXKind?, wire: X-Kind}",
        ] { #expect(endpoint.contains(line), "\(line) in \(endpoint)") }
    }

    /// The constant of a component stays one, also with a description.
    @Test func theConstantOfAComponentIsNotLost() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, required: [one, two], properties: {one: {$ref: '#/components/schemas/One'}, two: {$ref: '#/components/schemas/Two'}, three: {$ref: '#/components/schemas/Two'}}}
                One: {type: string, const: one, description: The first.}
                Two: {type: integer, const: 2, description: The second.}
                """, version: "3.1.0")
        #expect(document.problems == [])
        #expect(document.block("A:").contains("one: {type: string, default: one, doc: The first.}"))
        #expect(document.block("A:").contains("two: {type: int, default: 2, doc: The second.}"))
        #expect(document.block("AThree:").contains("enum: {two: 2}"))
    }

    /// A default that is the constant is a case of the enum, as for any enum.
    @Test func theDefaultOfAConstantIsItsCase() {
        let document = ImportedDocument(
            schemas: "A: {type: object, properties: {object: {type: string, const: agent, default: agent}}}")
        #expect(document.problems == [])
        #expect(document.block("A:") == "A:\n  object: AObject = agent")
    }

    /// A union writes its key, so that its structures have no enum for it.
    @Test func theKeyOfAUnionStaysAText() {
        let document = ImportedDocument(
            schemas: """
                Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}}
                Cat: {type: object, properties: {kind: {type: string, enum: [Cat]}, lives: {type: integer}}}
                Dog: {type: object, properties: {kind: {type: string, enum: [Dog]}, tricks: {type: integer}}}
                Wish: {oneOf: [{type: object, required: [a], properties: {a: {type: string, const: x}, size: {type: string, const: big}}}, {type: object, required: [a], properties: {a: {type: string, const: y}}}]}
                """)
        #expect(document.problems == [])
        #expect(document.block("Cat:") == "Cat:\n  kind: string = Cat\n  lives: int?")
        #expect(document.block("Pet:").contains("cases:"))
        #expect(document.block("Wish:").contains("by: a"))
        #expect(document.block("WishX:").contains("a: string = x\n  size: WishXSize?"))
    }
}
