import Testing

/// Schemas that generators of documents write, and that mean more than they say at first.
@Suite struct FrameworkSchemaTests {
    /// .NET 10 writes its numbers as `[integer, string]` with a pattern of digits, and without a type in OpenAPI 3.0.
    @Test(arguments: ["type: [integer, string], ", "type: ['null', string, integer], ", ""])
    func numbersWithAPatternOfDigitsAreNumbers(_ type: String) {
        let document = ImportedDocument(
            schemas: """
                Forecast:
                  type: object
                  required: [whole, wide, some]
                  properties:
                    whole: {\(type)pattern: '^-?(?:0|[1-9]\\d*)$', format: int32}
                    wide: {\(type)pattern: '^(?:0|[1-9]\\d*)$', format: int64, minimum: 3}
                    some: {\(type.replacing("integer", with: "number"))pattern: '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$', format: double}
                    list: {type: array, items: {\(type)pattern: '^-?(?:0|[1-9]\\d*)$'}}
                    text: {type: string, pattern: '^-?(?:0|[1-9]\\d*)$'}
                """)
        let mark = type.contains("null") ? "?" : ""
        #expect(document.problems == [])
        #expect(
            document.block("Forecast:") == """
                Forecast:
                  whole: {type: int32\(mark), coerce: true}
                  wide: {type: int64\(mark), range: 3.., coerce: true}
                  some: {type: double\(mark), coerce: true}
                  list: {type: "[int\(mark)]?", coerce: true}
                  text: {type: string?, pattern: '^-?(?:0|[1-9]\\d*)$'}
                """)
    }

    /// What the client writes is a number, and is not read.
    @Test func numbersOfDigitsInRequestsAreNumbers() {
        let number = "{type: [integer, string], pattern: '^-?(?:0|[1-9]\\d*)$', format: int32}"
        let document = ImportedDocument(
            paths: """
                /a/{id}:
                  post:
                    operationId: writeCount
                    parameters:
                      - {name: id, in: path, required: true, schema: \(number)}
                      - {name: take, in: query, schema: \(number)}
                      - {name: X-Count, in: header, schema: \(number)}
                    requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {own: \(number), named: {$ref: '#/components/schemas/Sent'}}}}}}
                    responses: {204: {description: ok}, 409: {description: No, content: {application/json: {schema: {$ref: '#/components/schemas/Failed'}}}}}
                """,
            components: """
                schemas:
                  Sent: {type: object, properties: {count: \(number)}}
                  Failed: {type: object, properties: {left: \(number), level: {$ref: '#/components/schemas/Level'}}}
                  Level: {type: [integer, string], pattern: '^-?(?:0|[1-9]\\d*)$', minimum: 1, description: How much.}
                """)
        #expect(document.problems == [])
        let endpoint = document.block("writeCount:")
        #expect(endpoint.contains("post: /a/{id:int32}"))
        for line in ["take: int32?", "xCount: {type: int32?, wire: X-Count}", "own: int32?"] {
            #expect(endpoint.contains(line), "\(line) in \(endpoint)")
        }
        #expect(document.block("Sent:") == "Sent:\n  count: int32?")
        #expect(
            document.block("Failed:")
                == "Failed:\n  left: {type: int32?, coerce: true}\n  level: {type: Level?, coerce: true}")
    }

    /// A format of numbers, and nothing else.
    @Test(arguments: [
        ("int32", "int32"), ("uint64", "uint"), ("double", "double"), ("email", "string"), ("date", "date"),
    ])
    func aFormatOfNumbersMeansANumber(_ format: String, _ word: String) {
        let document = ImportedDocument(
            schemas: "Value:\n  type: object\n  required: [it]\n  properties: {it: {format: \(format)}}")
        #expect(document.block("Value:") == "Value:\n  it: \(word)")
    }

    /// Lion extends Cat, which extends Animal.
    @Test func aGrandchildIsACase() {
        let document = ImportedDocument(
            schemas: """
                Animal:
                  type: object
                  required: [kind]
                  properties: {kind: {type: string}}
                  discriminator: {propertyName: kind, mapping: {lion: '#/components/schemas/Lion'}}
                Cat: {allOf: [{$ref: '#/components/schemas/Animal'}, {type: object, properties: {lives: {type: integer}}}]}
                Lion: {allOf: [{$ref: '#/components/schemas/Cat'}, {type: object, properties: {mane: {type: string}}}]}
                """)
        #expect(document.problems == [])
        #expect(document.block("Animal:").hasSuffix("Cat: Cat\n      lion: Lion"), "\(document.block("Animal:"))")
        #expect(document.block("Lion:") == "Lion:\n  kind: string = lion\n  lives: int?\n  mane: string?")
    }

    /// OpenAPI 3.1: Order is Base and its own keys, and Bill is another name of it.
    @Test func whatIsBesideAReferenceCountsInAChain() {
        let schemas = """
            Bill: {$ref: '#/components/schemas/Order'}
            Order:
              $ref: '#/components/schemas/Base'
              required: [total]
              properties: {total: {type: integer}}
            Base: {type: object, required: [title], properties: {title: {type: string}}}
            """
        let document = ImportedDocument(schemas: schemas)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("Order:") == "Order:\n  title: string\n  total: int")
        #expect(document.block("getBill:").contains("response: Order"), "\(document.contract)")
        let older = ImportedDocument(schemas: schemas, version: "3.0.3")
        #expect(older.findings.contains { $0.contains("has no effect beside `$ref` in OpenAPI 3.0") })
    }

    /// RFC 3986, section 5.2.2: a path replaces that of the base.
    @Test func aServerThatIsAPathIsOnTheSameHost() {
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: getA, responses: {204: {description: Fine}, 404: {description: None}}}}
                /legacy:
                  servers: [{url: /private}]
                  get: {operationId: getLegacy, responses: {204: {description: Fine}, 404: {description: None}}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.contract.contains("https://api.sample.example/private"), "\(document.contract)")
        #expect(document.block("getLegacy:").contains("server: private"), "\(document.contract)")
    }
}
