import Testing

/// What several keywords say together, none of which is lost.
@Suite struct SilentLossTests {
    /// The parts of `allOf` each describe the elements of the same list and the values of the same map.
    @Test func listsAndMapsOfSeveralParts() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, properties: {list: {type: array, items: {type: object, properties: {id: {type: string}}}}, map: {type: object, additionalProperties: {type: object, properties: {id: {type: string}}}}, texts: {type: array, minItems: 1, items: {type: string, minLength: 3}}}}
                B:
                  allOf:
                    - $ref: '#/components/schemas/A'
                    - {type: object, properties: {list: {type: array, items: {type: object, properties: {n: {type: integer}}}}, map: {type: object, additionalProperties: {type: object, properties: {n: {type: integer}}}}, texts: {type: array, items: {type: string, minLength: 2, maxLength: 9}}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("B:")
                == "B:\n  list: \"[BListItem]?\"\n  map: \"[string: BMapItem]?\"\n  texts: {type: \"[BText]?\", items: 1..}"
        )
        #expect(document.block("BListItem:") == "BListItem:\n  id: string?\n  n: int?")
        #expect(document.block("BMapItem:") == "BMapItem:\n  id: string?\n  n: int?")
        #expect(document.block("BText:").contains("length: 3..9"))
    }

    /// A property from a common schema is one type for all schemas that have it, and is named after that schema.
    @Test func partsOfACommonSchemaAreOneType() {
        let document = ImportedDocument(
            schemas: """
                X: {allOf: [{$ref: '#/components/schemas/Trait'}, {type: object, properties: {a: {type: string}}}]}
                Y: {allOf: [{$ref: '#/components/schemas/Trait'}, {type: object, properties: {b: {type: string}}}]}
                Trait: {type: object, properties: {mode: {type: string, enum: [fixed, free]}, size: {type: object, properties: {w: {type: integer}}}}}
                """)
        #expect(document.problems == [])
        for name in ["X", "Y", "Trait"] {
            #expect(document.block("\(name):").contains("mode: TraitMode?\n  size: TraitSize?"), "\(name)")
        }
        #expect(document.result.typeCount == 5)
    }

    @Test func aListWithAnEnumIsAList() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, properties: {why: {type: array, enum: [a, b], items: {$ref: '#/components/schemas/K'}}, map: {type: object, enum: [{}], additionalProperties: {type: string}}}}
                K: {type: string, enum: [a, b]}
                """)
        #expect(document.problems == [])
        #expect(document.block("A:") == "A:\n  why: \"[K]?\"\n  map: \"[string: string]?\"")
        #expect(document.findings.count { $0.hasPrefix("openapi-constraint-lost: `enum` of a ") } == 2)
    }

    /// The type of a schema decides about numbers in quotes.
    @Test func valuesOfAnEnumHaveTheTypeOfTheSchema() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, properties: {size: {type: integer, enum: ['1', '2']}, on: {type: boolean, enum: ['true']}, level: {type: string, enum: [1, 2]}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("ASize:").contains("enum: {one: 1, two: 2}") || document.block("ASize:").contains(": 1,"))
        #expect(document.block("A:").contains("on: {type: bool?, doc: Always `true` if present.}"))
        #expect(document.block("ALevel:").contains("\"1\""))
    }

    /// Alternatives that are constants are an enum. The titles name numbers.
    @Test func alternativesThatAreConstantsAreAnEnum() {
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: a, parameters: [{name: kind, in: query, required: true, schema: {$ref: '#/components/schemas/Kind'}}], responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Level'}}}}}}}
                """,
            components: """
                schemas:
                  Kind: {type: integer, oneOf: [{title: NORMAL, const: 0}, {title: BURST, const: 1}]}
                  Level: {type: string, oneOf: [{title: Low, const: low}, {title: High, const: high}]}
                """)
        #expect(document.problems == [])
        #expect(document.findings.filter { !$0.hasPrefix("openapi-errors-undeclared") } == [])
        #expect(document.block("Kind:") == "Kind:\n  enum: {normal: 0, burst: 1}")
        #expect(document.block("Level:") == "Level:\n  enum: [low, high]")
        #expect(document.block("a:").contains("kind: Kind"))
    }

    /// Discord: a member has some of the values of an enum whose values are alternatives.
    @Test func anEnumMayHaveSomeOfTheValuesOfAnother() {
        let document = ImportedDocument(
            schemas: """
                Channel:
                  type: object
                  required: [type, only, kind]
                  properties:
                    type: {type: integer, enum: [1, 3], allOf: [{$ref: '#/components/schemas/ChannelType'}], format: int32}
                    only: {type: integer, enum: [3], allOf: [{$ref: '#/components/schemas/ChannelType'}]}
                    kind: {type: string, enum: [text], oneOf: [{const: text}, {const: voice}]}
                    rest: {oneOf: [{type: 'null'}, {$ref: '#/components/schemas/ChannelType'}]}
                ChannelType: {type: integer, oneOf: [{title: DM, const: 1}, {title: GROUP_DM, const: 3}, {title: VOICE, const: 2}]}
                """)
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(
            document.block("Channel:")
                == "Channel:\n  type: ChannelTypeValue\n  only: int = 3\n  kind: string = text\n  rest: ChannelType?"
                || document.block("Channel:").contains("only: int = 3"), "\(document.contract)")
        #expect(document.contract.contains("enum: {dm: 1, groupDm: 3}"), "\(document.contract)")
    }

    /// A number is a constant like a text, whether the document says it with `const` or with one value.
    @Test(arguments: ["const: 200", "enum: [200]"])
    func aConstantNumberIsADefaultOrAnEnum(_ keyword: String) {
        let document = ImportedDocument(
            schemas: """
                Done: {type: object, required: [status], properties: {status: {type: number, \(keyword)}, later: {type: integer, \(keyword)}}}
                """)
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.result.typeCount == 2)
        #expect(document.block("Done:").contains("later: DoneLater?"))
        #expect(
            document.block("Done:").contains("status: int = 200")
                || document.block("Done:").contains("status: double = 200"))
    }

    /// The values of a key that are numbers do not become texts.
    @Test func aKeyWithNumbersTellsNoTexts() {
        let document = ImportedDocument(
            schemas: """
                Both: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: type, mapping: {1: '#/components/schemas/A', 2: '#/components/schemas/B'}}}
                A: {type: object, required: [type], properties: {type: {type: integer, enum: [1]}, a: {type: string}}}
                B: {type: object, required: [type], properties: {type: {type: integer, enum: [2]}, b: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("A:").contains("type: int = 1"))
    }

    /// `--only` imports fewer endpoints, and these endpoints as the whole document has them.
    @Test func fewerEndpointsHaveTheSameEnvelope() {
        func get(_ name: String) -> String {
            "/\(name): {get: {operationId: get\(name), responses: {200: {description: Fine, content: {application/json: {schema: {type: object, required: [code, data], properties: {code: {const: 0}, data: {type: string}}}}}}, 404: {description: None}}}}"
        }
        let paths = ["a", "b", "c"].map(get).joined(separator: "\n")
        let whole = ImportedDocument(paths: paths)
        let part = ImportedDocument(paths: paths, only: ["geta"])
        #expect(part.problems == [])
        #expect(part.result.endpointCount == 1)
        #expect(part.block("envelopes:") == whole.block("envelopes:"))
        #expect(part.block("geta:").contains("response: string"))
    }

    @Test func aDocumentWithoutASecuritySchemeIsSaid() {
        func get(_ name: String, _ status: Int) -> String {
            "/\(name): {get: {responses: {200: {description: Fine}, \(status): {description: No}}}}"
        }
        let document = ImportedDocument(paths: [get("a", 401), get("b", 401), get("c", 404)].joined(separator: "\n"))
        #expect(
            document.findings == [
                "openapi-security-undeclared: the document has no security scheme, although 2 of 3 operations can respond with 401"
            ])
        #expect(ImportedDocument(paths: get("a", 401) + "\n" + get("b", 404)).findings == [])
        let secured = ImportedDocument(
            paths: get("a", 401), components: "securitySchemes: {key: {type: http, scheme: bearer}}")
        #expect(!secured.findings.contains { $0.hasPrefix("openapi-security-undeclared") })
    }

    /// A sentence about a server is not its name.
    @Test func serversAreNamedInAFewWords() {
        let document = ImportedDocument(files: [
            "api.yaml": """
            openapi: 3.1.0
            info: {title: Books, version: '1'}
            servers:
              - {url: 'https://api.books.example', description: The Books API exposes the accounting of a company.}
              - {url: 'https://try.books.example', description: Sandbox server (uses test data)}
              - {url: 'https://eu.books.example', description: 'A server for the development of apps: it forgets everything.'}
            paths: {/a: {get: {responses: {404: {description: None}}}}}
            """
        ])
        #expect(document.problems == [])
        #expect(
            document.block("servers:")
                == "servers:\n  production: https://api.books.example\n  sandbox: https://try.books.example\n  development: https://eu.books.example",
            "\(document.block("servers:"))")
    }

    /// The same values of a parameter with the same name are one type.
    @Test func enumsOfPathsAreShared() {
        let parameter =
            "parameters: [{name: scope, in: path, required: true, schema: {type: string, enum: [global, own]}}]"
        let other = parameter.replacing("own", with: "other")
        let done = "responses: {204: {description: ok}}"
        let document = ImportedDocument(
            paths: """
                /a/{scope}: {get: {\(parameter), \(done)}, delete: {\(parameter), \(done)}}
                /b/{scope}: {get: {\(parameter), \(done)}}
                /c/{scope}: {get: {\(other), \(done)}}
                """)
        #expect(document.problems == [])
        #expect(document.result.typeCount == 2)
        #expect(
            document.contract.contains("get: /a/{scope:Scope}") && document.contract.contains("get: /b/{scope:Scope}"))
        #expect(document.block("Scope:") == "Scope:\n  enum: [global, own]")
    }

    /// `externalDocs`, before or after a description, of a schema, a property and an operation of either version.
    @Test(arguments: [true, false])
    func pagesBesideADescriptionAreNamed(_ isSwagger: Bool) {
        let pet = """
            {type: object, description: A pet., externalDocs: {url: 'https://docs.example/pet'}, properties: {\
            id: {type: string, externalDocs: {url: 'https://docs.example/id'}, description: Its number.}, \
            name: {type: string, externalDocs: {url: ' '}, description: Its name.}}}
            """
        let operation = """
            operationId: getPet, externalDocs: {url: 'https://docs.example/get'}, description: Gets it.
            """
        let text =
            isSwagger
            ? """
            swagger: '2.0'
            info: {title: Pets, version: '1'}
            host: pets.example
            paths: {/pet: {get: {\(operation), responses: {'200': {description: ok, schema: {$ref: '#/definitions/Pet'}}}}}}
            definitions: {Pet: \(pet)}
            """
            : """
            openapi: 3.0.3
            info: {title: Pets, version: '1'}
            servers: [{url: 'https://pets.example'}]
            paths: {/pet: {get: {\(operation), responses: {'200': {description: ok, content: {application/json: \
            {schema: {$ref: '#/components/schemas/Pet'}}}}}}}}
            components: {schemas: {Pet: \(pet)}}
            """
        let document = ImportedDocument(files: ["api.yaml": text])
        #expect(document.problems == [])
        let lines = document.contract.split(separator: "\n").map { $0.drop { $0 == " " } }
        for (text, page) in [("A pet.", "pet"), ("Its number.", "id"), ("Gets it.", "get")] {
            let place = lines.firstIndex { $0.hasSuffix(text) } ?? lines.count - 2
            #expect(lines[place + 1] == "See https://docs.example/\(page)", "\(document.contract)")
        }
        #expect(document.contract.contains("Its name.") && lines.count { $0.hasPrefix("See ") } == 3)
    }
}
