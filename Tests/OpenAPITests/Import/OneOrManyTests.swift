import Testing

/// Parameters that are one value or a list of such values, and parameters whose shape their place cannot have.
@Suite struct OneOrManyTests {
    private static func document(_ parameters: [String]) -> ImportedDocument {
        ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: getA
                    parameters: [\(parameters.joined(separator: ", "))]
                    responses: {204: {description: Fine}, 404: {description: No such thing.}}
                """,
            components:
                "schemas: {Trait: {type: string, enum: [HOT, COLD]}, Traits: {type: array, items: {$ref: '#/components/schemas/Trait'}}}"
        )
    }

    private static func query(_ schema: String, more: String = "") -> ImportedDocument {
        document(["{name: q, in: query, \(more)schema: \(schema)}"])
    }

    private static let trait = "{$ref: '#/components/schemas/Trait'}"

    @Test(arguments: [
        ("{oneOf: [\(trait), {type: array, items: \(trait)}]}", "\"[Trait]?\""),
        ("{oneOf: [\(trait), {$ref: '#/components/schemas/Traits'}]}", "\"[Trait]?\""),
        ("{anyOf: [{type: array, items: \(trait)}, \(trait), {type: 'null'}]}", "\"[Trait]?\""),
        ("{oneOf: [{type: string}, {type: array, items: {type: string}}]}", "\"[string]?\""),
        ("{anyOf: [{type: array, items: {type: string}}, {type: string}]}", "\"[string]?\""),
        ("{anyOf: [{type: integer}, {type: array, items: {type: integer}}]}", "\"[int]?\""),
    ])
    func oneValueOrSeveralAreAList(_ schema: String, _ type: String) {
        let document = Self.query(schema)
        #expect(document.problems == [])
        #expect(document.findings == [])
        #expect(document.block("query:") == "query:\n  q: \(type)", "\(document.contract)")
    }

    @Test(arguments: [
        ("{oneOf: [{type: string}, {type: array, items: {type: integer}}]}", "string"),
        ("{oneOf: [{type: string, enum: [all]}, {type: array, items: \(trait)}]}", "string"),
        ("{oneOf: [{type: integer, minimum: 3}, {type: array, items: {type: integer}}]}", "int"),
        ("{oneOf: [{type: array, items: {type: number}}, {type: array, items: {type: integer}}]}", "double"),
    ])
    func alternativesThatDifferAreAListOfWhatTheyHaveInCommon(_ schema: String, _ word: String) {
        let document = Self.query(schema)
        #expect(document.problems == [])
        #expect(document.block("query:") == "query:\n  q: \"[\(word)]?\"", "\(document.contract)")
        #expect(
            document.findings == [
                "openapi-constraint-lost: the alternatives of `q` differ, so each of its values is any `\(word)`"
            ])
    }

    @Test func withoutExplodeTheListIsJoined() {
        let schema = "{oneOf: [\(Self.trait), {type: array, items: \(Self.trait)}]}"
        let document = Self.document([
            "{name: q, in: query, explode: false, schema: \(schema)}",
            "{name: X-Traits, in: header, schema: \(schema)}",
            "{name: c, in: cookie, schema: \(schema)}",
        ])
        #expect(document.problems == [])
        #expect(document.block("query:") == "query:\n  q: {type: \"[Trait]?\", joined: commas}", "\(document.contract)")
        #expect(document.block("headers:").contains("{type: \"[Trait]?\", wire: X-Traits, joined: commas}"))
        #expect(document.block("cookies:") == "cookies:\n  c: Trait?")
        #expect(
            document.findings == [
                "openapi-style-lost: the cookie `c` has one value, although the document allows several"
            ])
    }

    @Test(arguments: [
        "{anyOf: [{type: string, enum: [ok, bad]}, {type: integer}]}", "{oneOf: [{enum: [ok]}, {type: integer}]}",
        "{type: [string, integer]}", "{anyOf: [{type: boolean}, {anyOf: [{type: string}, {type: integer}]}]}",
    ])
    func aListOfAlternativesIsAListOfTexts(_ items: String) {
        let document = Self.query("{type: array, minItems: 1, items: \(items)}")
        #expect(document.problems == [])
        #expect(document.block("query:") == "query:\n  q: {type: \"[string]?\", items: 1..}", "\(document.contract)")
        #expect(document.findings.count == 1 && document.findings[0].hasPrefix("openapi-constraint-lost"))
    }

    @Test func aListInAPathMayHaveAlternatives() {
        let document = ImportedDocument(
            paths: """
                /a/{kinds}/{ids}:
                  parameters:
                    - {name: kinds, in: path, required: true, schema: {type: array, items: {anyOf: [{type: string, enum: [a]}, {type: integer}]}}}
                    - {name: ids, in: path, required: true, schema: {anyOf: [{type: array, items: {type: integer}}, {type: string}]}}
                  get: {responses: {204: {description: Fine}, 404: {description: No such thing.}}}
                """)
        #expect(document.problems == [])
        #expect(document.contract.contains("get: /a/{kinds:[string]}/{ids:[string]}"), "\(document.contract)")
    }

    // MARK: Shapes that a place cannot have

    private static let objects = "{type: array, items: {type: object, properties: {f: {type: string}}}}"

    /// Kestra: 29 operations require a list of filters.
    @Test func aRequiredParameterOfAnotherShapeIsAText() {
        let document = Self.document([
            "{name: filters, in: query, required: true, description: What to find., schema: \(Self.objects)}",
            "{name: X-Filters, in: header, required: true, schema: {type: object, properties: {a: {type: string}}}}",
            "{name: c, in: cookie, required: true, schema: {type: array, items: {type: string}}}",
        ])
        #expect(document.problems == [])
        let query = document.block("query:")
        #expect(query.hasPrefix("query:\n  # errand:review `filters` is a text that the app has to write,"), "\(query)")
        #expect(query.hasSuffix("\n  filters: {type: string, doc: What to find.}"), "\(query)")
        #expect(document.block("headers:").contains("{type: string, wire: X-Filters}"), "\(document.contract)")
        #expect(document.block("cookies:").contains("c: string"))
        #expect(document.findings.count == 3 && document.findings.allSatisfy { $0.hasPrefix("openapi-style-lost") })
        #expect(document.result.reviews.count { $0.subject == "endpoints/getA" } == 3)
    }

    @Test func anOptionalParameterOfAnotherShapeIsLeftOut() {
        let document = Self.query(Self.objects)
        #expect(document.problems == [])
        #expect(document.block("query:") == "")
        #expect(
            document.findings.count == 1 && document.findings[0].hasPrefix("openapi-parameter-lost: `q` is left out"))
    }

    @Test func anObjectInAPathIsAText() {
        let document = ImportedDocument(
            paths: """
                /a/{color}:
                  parameters: [{name: color, in: path, required: true, schema: {type: object, properties: {r: {type: integer}}}}]
                  get: {operationId: getA, responses: {204: {description: Fine}, 404: {description: No such thing.}}}
                """)
        #expect(document.problems == [])
        #expect(document.contract.contains("# errand:review `color` is a text"), "\(document.contract)")
        #expect(document.contract.contains("get: /a/{color}"))
    }

    /// A parameter of which one alternative is kept is not left out.
    @Test func aLostAlternativeIsNoLostParameter() {
        let document = Self.query("{anyOf: [{type: string}, \(Self.objects)]}")
        #expect(document.problems == [])
        #expect(document.block("query:") == "query:\n  q: string?")
        #expect(
            document.findings.count == 1
                && document.findings[0].hasPrefix("openapi-parameter-lost: an alternative of `q` is left out"),
            "\(document.findings)")
    }
}
