import Testing

/// A keyword that contracts do not have is a finding, wherever its schema is.
@Suite struct KeywordLossTests {
    /// Schemas, each with the start of the finding about its keyword.
    static let keywords: [(schema: String, finding: String)] = [
        ("type: string, format: email", "the format `email` is unknown"),
        ("type: string, format: hostname", "the format `hostname` is unknown"),
        ("type: integer, format: roman", "the format `roman` is unknown"),
        ("type: boolean, format: roman", "the format `roman` is unknown"),
        ("type: array, format: roman, items: {type: string}", "the format `roman` is unknown"),
        ("type: integer, multipleOf: 5", "`multipleOf` of a number is left out"),
        ("type: number, exclusiveMinimum: 0", "a range of fractions cannot exclude its end, so it includes `0`"),
        ("type: number, exclusiveMaximum: 1.5", "a range of fractions cannot exclude its end, so it includes `1.5`"),
        ("type: string, format: uuid, minLength: 3", "`minLength` of a `uuid` is left out"),
        ("type: string, format: date-time, pattern: '^2'", "`pattern` of a `timestamp` is left out"),
        ("type: array, uniqueItems: true, items: {type: string}", "`uniqueItems` of a list is left out"),
        ("type: array, items: {type: string, format: email}", "the format `email` is unknown"),
        ("type: array, items: {type: integer, multipleOf: 5}", "`multipleOf` of a number is left out"),
    ]

    /// Places of a schema, which is `$`.
    static let places: [(name: String, paths: String)] = [
        (
            "path",
            "/a/{x}: {get: {operationId: a, parameters: [{name: x, in: path, required: true, schema: {$}}]\(none)}}"
        ),
        ("query", "/a: {get: {operationId: a, parameters: [{name: x, in: query, schema: {$}}]\(none)}}"),
        ("header", "/a: {get: {operationId: a, parameters: [{name: X-A, in: header, schema: {$}}]\(none)}}"),
        (
            "part of a query",
            "/a: {get: {operationId: a, parameters: [{name: x, in: query, style: deepObject, schema: {type: object, properties: {y: {$}}}}]\(none)}}"
        ),
        ("form", post("application/x-www-form-urlencoded", "{type: object, properties: {x: {$}}}")),
        ("multipart", post("multipart/form-data", "{type: object, properties: {x: {$}}}")),
        ("body", post("application/json", "{type: object, properties: {x: {$}}}")),
        ("required", post("application/json", "{type: object, required: [x], properties: {x: {$}}}")),
        ("whole body", post("application/json", "{$}")),
        ("response", get("{type: object, properties: {x: {$}}}")),
        ("whole response", get("{$}")),
        ("element", get("{type: object, properties: {x: {type: array, items: {$}}}}")),
        ("map", get("{type: object, additionalProperties: {$}}")),
        ("other members", get("{type: object, properties: {y: {type: string}}, additionalProperties: {$}}")),
        ("null", get("{type: object, properties: {x: {anyOf: [{$}, {type: 'null'}]}}}")),
        (
            "kind",
            get("{type: object, properties: {x: {anyOf: [{$}, {type: object, properties: {y: {type: string}}}]}}}")
        ),
        ("part of all", get("{type: object, properties: {x: {allOf: [{$}, {description: More}]}}}")),
        (
            "response header",
            "/a: {get: {operationId: a, responses: {200: {description: ok, headers: {X-A: {schema: {$}}}, content: {application/json: {schema: {type: string}}}}}}}"
        ),
    ]

    private static let none = ", responses: {204: {description: ok}}"

    private static func get(_ schema: String) -> String {
        "/a: {get: {operationId: a, responses: {200: {description: ok, content: {application/json: {schema: \(schema)}}}}}}"
    }

    private static func post(_ media: String, _ schema: String) -> String {
        "/a: {post: {operationId: a, requestBody: {required: true, content: {\(media): {schema: \(schema)}}}\(none)}}"
    }

    @Test(arguments: places.map(\.name)) func isSaidAt(_ name: String) throws {
        let place = try #require(Self.places.first { $0.name == name })
        for (schema, finding) in Self.keywords {
            let document = ImportedDocument(paths: place.paths.replacing("$", with: schema))
            #expect(document.problems == [], "\(schema)")
            #expect(document.findings.contains { $0.contains(finding) }, "\(schema)")
        }
    }

    /// A component is a type of its own, or what it is.
    @Test func isSaidOfAComponent() {
        for (schema, finding) in Self.keywords {
            for more in ["", ", description: More"] {
                let document = ImportedDocument(schemas: "A: {\(schema)\(more)}")
                #expect(document.findings.contains { $0.contains(finding) }, "\(schema)\(more)")
            }
        }
    }

    /// Bounds say nothing about the kind of a value, so that they come without one.
    @Test(arguments: ["minimum: 3", "minItems: 1", "minProperties: 2", "multipleOf: 2"])
    func boundsOfAnyValueAreSaid(_ bound: String) {
        let document = ImportedDocument(schemas: "A: {type: object, properties: {x: {\(bound)}}}")
        #expect(
            document.findings.contains { $0.contains("`\(bound.prefix { $0 != ":" })` of") }, "\(document.findings)")
    }

    @Test(arguments: ["minProperties: 2", "maxProperties: 3"])
    func boundsOfAnObjectAreSaid(_ bound: String) {
        let finding = "`\(bound.prefix { $0 != ":" })` of"
        for schema in [
            "type: object, \(bound), properties: {y: {type: string}}",
            "\(bound), oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: string}}}]",
        ] {
            for name in ["body", "response", "element", "multipart", "part of all"] {
                let place = Self.places.first { $0.name == name }?.paths ?? ""
                let document = ImportedDocument(paths: place.replacing("$", with: schema))
                #expect(document.findings.contains { $0.contains(finding) }, "\(name): \(schema)")
            }
        }
    }

    /// An end that the document excludes is the nearest that a contract can have.
    @Test func anExcludedEndOfAFractionIsIncluded() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, properties: {rate: {type: number, exclusiveMinimum: 0, maximum: 1}, old: {type: number, minimum: 0.5, exclusiveMinimum: true}, count: {type: integer, exclusiveMinimum: 0}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("A:")
                == "A:\n  rate: {type: double?, range: 0..1}\n  old: {type: double?, range: 0.5..}\n  count: {type: int?, range: 1..}"
        )
    }
}
