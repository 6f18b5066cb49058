import Testing

@testable import OpenAPI
@testable import SwiftEmitter

/// Schemas of OpenAPI 3.1 that the import did not expect, from documents of large services and of frameworks.
@Suite struct HeldOutSchemaTests {
    @Test func schemasAreFoundByTheirAnchorsAndIdentifiers() {
        let document = ImportedDocument(
            files: [
                "api.yaml": """
                openapi: 3.1.0
                info: {title: Sample, version: 1.0.0}
                servers: [{url: 'https://api.sample.example'}]
                paths:
                  /a: {get: {operationId: a, responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#pet'}}}}, 404: {description: None}}}}
                  /b: {get: {operationId: b, responses: {200: {description: Fine, content: {application/json: {schema: {$ref: 'https://sample.example/schemas/page'}}}}}}}
                  /c: {get: {operationId: c, responses: {200: {description: Fine, content: {application/json: {schema: {$ref: 'shared.yaml#owner'}}}}}}}
                components:
                  schemas:
                    Pet: {$anchor: pet, type: object, properties: {name: {type: string}, friend: {$ref: '#pet'}}}
                    Page:
                      $id: https://sample.example/schemas/page
                      type: object
                      properties: {rows: {type: array, items: {$ref: '#/$defs/Row'}}, next: {$ref: page}, other: {$ref: '#row'}}
                      $defs: {Row: {$anchor: row, type: object, required: [n], properties: {n: {type: integer}}}}
                    Example: {type: string, example: {$anchor: pet}}
                """,
                "shared.yaml": "Owner: {$anchor: owner, type: object, properties: {pet: {$ref: 'api.yaml#pet'}}}\n",
            ])
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.block("Pet:") == "Pet:\n  name: string?\n  friend: Pet?")
        #expect(document.block("Page:") == "Page:\n  rows: \"[Row]?\"\n  next: Page?\n  other: Row?")
        #expect(document.block("Owner:") == "Owner:\n  pet: Pet?")
        #expect(document.block("a:").contains("response: Pet"))
    }

    @Test(arguments: ["'#none'", "'api.yaml#none'", "'https://sample.example/none'"])
    func anAnchorThatIsNowhereIsReported(_ reference: String) {
        let document = ImportedDocument(schemas: "A: {type: object, properties: {b: {$ref: \(reference)}}}")
        #expect(document.problems == [])
        #expect(document.findings.count == 1, "\(document.findings)")
    }

    @Test func listsOfEqualPartsAndMapsWithPatterns() {
        let document = ImportedDocument(
            schemas: """
                Shape:
                  type: object
                  properties:
                    point: {type: array, prefixItems: [{type: number}, {type: number}], minItems: 2, maxItems: 2}
                    closed: {type: array, prefixItems: [{type: string}, {type: string}], items: false}
                    mixed: {type: array, prefixItems: [{type: string}, {type: number}]}
                    labels: {type: object, patternProperties: {'^x-': {type: string}}, additionalProperties: false}
                    both: {type: object, patternProperties: {'^x-': {type: string}}, properties: {a: {type: string}}}
                    node: {$dynamicAnchor: node, type: string}
                """)
        #expect(document.problems == [])
        let shape = document.block("Shape:")
        #expect(shape.contains("point: {type: \"[double]?\", items: 2}"))
        #expect(shape.contains("closed: \"[string]?\""))
        #expect(shape.contains("mixed: \"[json]?\""))
        #expect(shape.contains("labels: \"[string: string]?\""))
        #expect(
            document.findings.map { String($0.prefix { $0 != ":" }) }.sorted() == [
                "openapi-constraint-lost", "openapi-constraint-lost", "openapi-schema-lost", "openapi-schema-lost",
            ], "\(document.findings)")
    }

    /// protoc-gen-openapiv2 repeats the type of the target.
    @Test func aRepeatedTypeBesideAReferenceIsNoLoss() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, properties: {b: {type: object, $ref: '#/components/schemas/B'}}}
                B: {type: object, properties: {c: {type: string}}}
                """, version: "3.0.3")
        #expect(document.findings == [])
        #expect(document.block("A:") == "A:\n  b: B?")
    }

    /// What a mutation of documents has found: each of these ended the tool, or gave a contract that refers to itself.
    @Test(arguments: [
        "A: {$ref: {$ref: '#/components/schemas/B'}}\nB: {type: object, properties: {c: {type: string}}}",
        "A: {type: object, properties: {data: {$ref: {type: string}}}}",
        "A: {type: array, items: {$ref: 5}}",
        "A: {anyOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}]}\nB: {oneOf: [{$ref: '#/components/schemas/A'}]}",
        "A: {type: array, items: {$ref: '#/components/schemas/A'}}",
        "A: {additionalProperties: {$ref: '#/components/schemas/B'}}\nB: {type: array, items: {$ref: '#/components/schemas/A'}}",
    ])
    func schemasThatLeadNowhereAreContracts(_ schemas: String) {
        let document = ImportedDocument(schemas: schemas)
        #expect(document.problems == [])
        #expect(document.findings.contains { !$0.hasPrefix("openapi-errors") }, "\(document.findings)")
    }

    /// Two schemas that only contain each other allow everything.
    @Test func schemasOfEachOtherAreNoReasonToFail() {
        let document = ImportedDocument(
            schemas:
                "A: {allOf: [{$ref: '#/components/schemas/B'}]}\nB: {allOf: [{$ref: '#/components/schemas/A'}], description: Again.}"
        )
        #expect(document.problems == [])
    }

    @Test func aResponseWithoutAnyFieldIsAnyObject() {
        let document = ImportedDocument(
            paths:
                "/a: {get: {responses: {200: {description: Fine, content: {application/json: {schema: {type: object, properties: {a: {type: string, writeOnly: true}}}}}}, 404: {description: None}}}}"
        )
        #expect(document.problems == [])
        #expect(document.contract.contains("response: [string: json]"))
    }

    @Test func aHeaderHasTheNameOfAHeader() {
        let document = ImportedDocument(
            paths:
                "/a: {get: {parameters: [{name: '#/', in: header, schema: {type: string}}], responses: {200: {description: Fine}, 404: {description: None}}}}"
        )
        #expect(document.problems == [])
        #expect(document.findings.map { $0.prefix { $0 != ":" } } == ["openapi-parameter-lost"])
    }
}
