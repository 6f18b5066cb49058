import TestSeeds
import Testing

/// Schemas that contain themselves: an import ends, and its result follows the size of the document.
@Suite(.timeLimit(.minutes(5))) struct EndlessSchemaTests {
    private static let group = "{anyOf: [{$ref: '#/components/schemas/Group'}, {$ref: '#/components/schemas/Leaf'}]}"

    private static func search(_ schemas: String, media: String = "application/json", mostParts: Int? = nil)
        -> ImportedDocument
    {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths:
              /s:
                post:
                  operationId: search
                  requestBody: {required: true, content: {\(media): {schema: {$ref: '#/components/schemas/Group'}}}}
                  responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Group'}}}}}
            components:
              schemas:
            """
        let lines = schemas.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        return ImportedDocument(files: ["api.yaml": text + "\n" + lines + "\n"], mostParts: mostParts)
    }

    /// Alternatives that contain the schema around them, in lists, maps and properties.
    @Test(
        arguments: [
            "and: {type: array, items: GROUP}", "and: {type: array, items: GROUP}, or: {type: array, items: GROUP}",
            "and: {type: object, additionalProperties: GROUP}", "not: GROUP, and: GROUP, or: GROUP",
            "and: {allOf: [GROUP, {properties: {weight: {type: integer}}}]}",
            "and: {type: array, items: {allOf: [{$ref: '#/components/schemas/Group'}, {properties: {x: {type: string}}}]}}",
        ], ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])
    func alternativesThatContainThemselves(properties: String, media: String) {
        let document = Self.search(
            "Group: {type: object, properties: {\(properties.replacing("GROUP", with: Self.group))}}\nLeaf: {type: object, required: [field], properties: {field: {type: string}}}",
            media: media)
        #expect(document.problems == [])
        #expect(document.result.typeCount < 20)
        #expect(document.result.contract != nil)
    }

    /// Schemas made of references to each other at random, in each of the places that a schema can have another one.
    @Test func randomGraphsOfSchemas() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        for number in 0..<60 {
            let count = 2 + random.below(5)
            func schema(_ depth: Int) -> String {
                let name = random.below(count)
                let reference = "{$ref: '#/components/schemas/\(name == 0 ? "Group" : "S\(name)")'}"
                guard depth < 3 else { return reference }
                switch random.below(9) {
                case 0: return "{type: array, items: \(schema(depth + 1))}"
                case 1: return "{type: object, additionalProperties: \(schema(depth + 1))}"
                case 2: return "{anyOf: [\(schema(depth + 1)), \(schema(depth + 1))]}"
                case 3: return "{oneOf: [\(schema(depth + 1)), {type: object, properties: {a: \(schema(depth + 1))}}]}"
                case 4: return "{allOf: [\(schema(depth + 1)), {type: object, properties: {a: \(schema(depth + 1))}}]}"
                case 5, 6: return "{type: object, properties: {a: \(schema(depth + 1)), b: \(schema(depth + 1))}}"
                case 7: return "{type: string, readOnly: true}"
                default: return reference
                }
            }
            let lines = (0..<count).map { position in
                "\(position == 0 ? "Group" : "S\(position)"): {type: object, properties: {a: \(schema(0)), b: \(schema(0))}}"
            }
            let document = Self.search(lines.joined(separator: "\n"))
            #expect(document.result.typeCount < 400, "seed \(seed), document \(number): \(lines)")
            #expect(document.result.contract != nil, "seed \(seed), document \(number)")
        }
    }

    /// Combinations of schemas in `allOf` multiply with each property: here the sets of twenty schemas, a million of them. The
    /// import stops at its limit, and says so.
    @Test func combinationsThatMultiply() {
        var lines = [
            "Group: {type: object, properties: {a: {allOf: [{$ref: '#/components/schemas/Group'}, {$ref: '#/components/schemas/S1'}]}, b: {$ref: '#/components/schemas/Group'}}}"
        ]
        for number in 1...20 {
            let next =
                "{allOf: [{$ref: '#/components/schemas/S\(number % 20 + 1)'}, {properties: {n: {type: integer}}}]}"
            lines.append("S\(number): {type: object, properties: {a: \(next), b: \(next), v\(number): {type: string}}}")
        }
        let document = Self.search(lines.joined(separator: "\n"), mostParts: 3_000)
        #expect(document.result.typeCount < 3_000)
        #expect(document.findings.contains { $0.contains("the schemas combine to more than 3000 types and fields") })
    }

    /// JSON allows characters in texts that YAML forbids or reads as line breaks.
    @Test func charactersThatOnlyJSONHas() {
        let odd =
            (0x7F...0x9F).compactMap(Unicode.Scalar.init).map { String(Character($0)) } + [
                "\u{2028}", "\u{2029}", "\u{FFFF}",
            ]
        let values = odd.enumerated().map { "\"v\($0.offset)\($0.element)x\"" }.joined(separator: ", ")
        let document = ImportedDocument(
            files: [
                "api.json":
                    """
                {"openapi": "3.0.3", "info": {"title": "T", "version": "1", "description": "caf\u{89} \u{9F}"}, "paths": {"/a": {"get":
                {"operationId": "a", "responses": {"200": {"description": "x \\" \u{85}", "content": {"application/json": {"schema":
                {"type": "string", "enum": [\(values)]}}}}}}}}}
                """
            ], main: "api.json")
        #expect(document.problems == [])
        #expect(document.findings.filter { !$0.hasPrefix("openapi-errors-undeclared") } == [])
        // The texts keep their characters.
        #expect(document.contract.contains("v6\\u0085x") && document.contract.contains("v33\\u2028x"))
        #expect(document.contract.contains("v35\\uFFFFx") && document.contract.contains("v0\\u007Fx"))
    }
}
