import Testing

/// Schemas with a discriminator that others extend with `allOf`, and the values that name them.
@Suite struct InheritanceTests {
    private static let text = """
        Text:
          type: object
          required: [value]
          properties: {kind: {type: string, default: Text}, value: {type: string}}
          discriminator: {propertyName: kind, mapping: {CodedText: '#/components/schemas/CodedText'}}
        CodedText:
          allOf: [{$ref: '#/components/schemas/Text'}, {type: object, required: [code], properties: {code: {type: string}}}]
        """

    /// A value without the key, with the name of the base or with an unknown one has the members of the base.
    @Test func aBaseWithMembersIsTheCaseOfAllOtherValues() {
        let document = ImportedDocument(
            paths: """
                /text:
                  get:
                    operationId: getText
                    responses:
                      200:
                        description: Fine
                        content:
                          application/json:
                            schema: {$ref: '#/components/schemas/Text'}
                            examples:
                              base: {value: {kind: Text, value: hello}}
                              bare: {value: {value: hello}}
                              later: {value: {kind: StyledText, value: hello}}
                              coded: {value: {kind: CodedText, value: hello, code: h1}}
                      404: {description: None}
                """,
            components: "schemas:\n" + Self.text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        #expect(document.problems == [] && document.findings == [], "\(document.findings)")
        #expect(
            document.block("Text:")
                == "Text:\n  union:\n    by: kind\n    cases:\n      CodedText: CodedText\n      \"*\": TextBase")
        #expect(document.block("TextBase:").contains("kind: string = Text\n"))
        for name in ["base", "bare", "later", "coded"] { #expect(document.contract.contains("\n      \(name):")) }
    }

    @Test func aBaseThatOnlyTellsItsChildrenApartIsNoCase() {
        let document = ImportedDocument(
            schemas: """
                Pet:
                  type: object
                  properties: {kind: {type: string}}
                  discriminator: {propertyName: kind}
                Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("Pet:") == "Pet:\n  union:\n    by: kind\n    cases:\n      Cat: Cat")
    }

    /// The same key tells apart what is below a schema inside of the hierarchy. All of it is a case of the outer union.
    @Test func theWholeHierarchyHasCases() {
        let document = ImportedDocument(
            schemas: """
                Value:
                  type: object
                  properties: {kind: {type: string}}
                  discriminator:
                    propertyName: kind
                    mapping: {text: '#/components/schemas/Text', coded: CodedText, own: '#/components/schemas/Value'}
                Text:
                  allOf: [{$ref: '#/components/schemas/Value'}]
                  properties: {text: {type: string}}
                  discriminator: {propertyName: kind, mapping: {coded: '#/components/schemas/CodedText', long: LongText}}
                CodedText: {allOf: [{$ref: '#/components/schemas/Text'}, {properties: {code: {type: string}}}]}
                LongText: {allOf: [{$ref: '#/components/schemas/CodedText'}, {properties: {pages: {type: integer}}}]}
                """)
        #expect(document.problems == [] && document.findings == [], "\(document.findings)")
        #expect(
            document.block("Value:")
                == "Value:\n  union:\n    by: kind\n    cases:\n      text: TextBase\n      coded: CodedText\n      long: LongText\n      own: ValueBase"
        )
        #expect(
            document.block("Text:")
                == "Text:\n  union:\n    by: kind\n    cases:\n      coded: CodedText\n      long: LongText\n      \"*\": TextBase"
        )
        #expect(document.block("TextBase:") == "TextBase:\n  kind: string = text\n  text: string?")
        #expect(document.block("ValueBase:") == "ValueBase:\n  kind: string = own")
    }

    /// A schema that only the mapping names is a case, and one that extends an alternative is, too.
    @Test func everyEntryOfTheMappingIsACaseOrAFinding() {
        let document = ImportedDocument(
            schemas: """
                Event:
                  type: object
                  required: [kind]
                  properties: {kind: {type: string}}
                  discriminator: {propertyName: kind, mapping: {a: '#/components/schemas/Alpha', c: '#/components/schemas/None'}}
                Alpha: {type: object, properties: {kind: {type: string}, alpha: {type: string}}}
                Choice:
                  oneOf: [{$ref: '#/components/schemas/Alpha'}, {$ref: '#/components/schemas/Beta'}]
                  discriminator: {propertyName: kind, mapping: {a: Alpha, b: Beta, g: Gamma, e: Event}}
                Beta: {type: object, properties: {kind: {type: string}, beta: {type: string}}}
                Gamma: {allOf: [{$ref: '#/components/schemas/Beta'}, {properties: {gamma: {type: string}}}]}
                """)
        #expect(document.problems == [])
        #expect(document.block("Event:") == "Event:\n  union:\n    by: kind\n    cases:\n      a: Alpha")
        #expect(document.block("Choice:").hasSuffix("cases:\n      a: Alpha\n      b: Beta\n      g: Gamma"))
        let lost = document.findings.filter { $0.hasPrefix("openapi-union-lost") }
        #expect(
            lost == [
                "openapi-union-lost: the case `c` is left out, because the document has no schema `#/components/schemas/None`",
                "openapi-union-lost: the case `e` is left out, because its schema is none of the alternatives",
            ])
    }

    /// A schema whose discriminator names nothing but itself is a structure.
    @Test func aSchemaThatOnlyNamesItselfIsNoUnion() {
        let document = ImportedDocument(
            schemas: """
                Tag:
                  type: object
                  properties: {kind: {type: string}, label: {type: string}}
                  discriminator: {propertyName: kind, mapping: {TAG: '#/components/schemas/Tag'}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("Tag:") == "Tag:\n  kind: string?\n  label: string?")
    }

    /// Each of many schemas extends the one before and tells the rest apart.
    @Test func aLongHierarchyEnds() {
        let schemas = (0..<400).map { number in
            let parent = number == 0 ? "" : "allOf: [{$ref: '#/components/schemas/S\(number - 1)'}], "
            return
                "S\(number): {\(parent)type: object, properties: {kind: {type: string}, p\(number % 7): {type: string}}, discriminator: {propertyName: kind}}"
        }
        let paths =
            "/a: {get: {operationId: a, responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}, 404: {description: None}}}}"
        let document = ImportedDocument(
            paths: paths, components: "schemas:\n" + schemas.map { "  " + $0 }.joined(separator: "\n"))
        #expect(document.problems == [])
        #expect(document.block("S0:").contains("S399: S399"))
    }

    /// OpenAPI 3.2 names the schema of all other values.
    @Test func theDefaultMappingIsTheCaseOfAllOtherValues() {
        let document = ImportedDocument(
            paths: """
                /pets:
                  get:
                    operationId: listPets
                    responses:
                      200:
                        description: Fine
                        content:
                          application/json:
                            schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}
                            example: [{petType: cat, lives: 9}, {petType: horse, name: Hu}, {name: Nobody}]
                      404: {description: None}
                """,
            components: """
                schemas:
                  Pet:
                    oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/OtherPet'}]
                    discriminator: {propertyName: petType, mapping: {cat: Cat}, defaultMapping: OtherPet}
                  Cat: {type: object, required: [petType], properties: {petType: {type: string}, lives: {type: integer}}}
                  OtherPet: {type: object, properties: {petType: {type: string}, name: {type: string}}}
                """, version: "3.2.0")
        #expect(document.problems == [] && document.findings == [], "\(document.findings)")
        #expect(
            document.block("Pet:")
                == "Pet:\n  union:\n    by: petType\n    cases:\n      cat: Cat\n      \"*\": OtherPet")
        #expect(document.block("OtherPet:") == "OtherPet:\n  petType: string?\n  name: string?")
        #expect(document.block("listPets:").contains("petType: horse"))
    }
}
