import Testing

/// What the examples of a document say about its dates and points in time.
@Suite struct ExampleEvidenceTests {
    private static let rule = "openapi-example-contradicts"

    private static func field(_ schema: String) -> (line: String, document: ImportedDocument) {
        let document = ImportedDocument(schemas: "A: {type: object, properties: {at: {type: string, \(schema)}}}")
        let lines = document.block("A:").split(separator: "\n").dropFirst()
        return (withoutExamples(lines.joined(separator: "\n")), document)
    }

    /// Fields without the examples that they also get.
    private static func withoutExamples(_ text: String) -> String {
        text.replacing(/, example: ("[^"]*"|[^,}\n]*)/, with: "").replacing(/{type: ([^,}]*)}/) { String($0.1) }
    }

    @Test(arguments: [
        ("'2018-07-31 08:00:00'", #""yyyy-MM-dd HH:mm:ss""#), ("'2018-07-31T08:00:00'", #""yyyy-MM-dd'T'HH:mm:ss""#),
        ("'2018-07-31 08:00:00.5'", #""yyyy-MM-dd HH:mm:ss.S""#), ("'2018/07/31 08:00'", #""yyyy/MM/dd HH:mm""#),
    ])
    func aFormWithoutAnOffsetIsReadAndWritten(_ example: String, _ format: String) {
        let (line, document) = Self.field("format: date-time, example: \(example)")
        #expect(document.problems == [])
        #expect(line.contains("at: {type: timestamp?, format: [\(format), rfc3339]}"), "\(line)")
        #expect(line.contains("# errand:review the document's examples have no offset"))
        #expect(document.result.reviews.contains { $0.subject == "types/A" })
        #expect(document.findings.contains { $0.hasPrefix("\(Self.rule): the document's example") })
    }

    /// An offset, or a zone that the text names, needs no review.
    @Test(arguments: [
        "'2018-07-31T08:00:00+0900'", "'2018-07-31 08:00:00 +09:00'", "'Tue, 31 Jul 2018 08:00:00 GMT'",
        "'2018-07-31 08:00:00 UTC'", "'2018-07-31T08:00Z'",
    ])
    func aFormWithAnOffsetHasNoReview(_ example: String) {
        let (line, document) = Self.field("format: date-time, example: \(example)")
        #expect(document.problems == [])
        #expect(line.contains("format: ["), "\(line)")
        #expect(document.result.reviews.allSatisfy { !$0.subject.hasPrefix("types") })
    }

    @Test(arguments: [("1533024000", "unix"), ("1533024000000", "milliseconds")])
    func aNumberIsAnInstant(_ example: String, _ form: String) {
        let (line, document) = Self.field("format: date-time, example: \(example)")
        #expect(document.problems == [])
        #expect(line == "  at: {type: timestamp?, format: [\(form), rfc3339]}")
    }

    /// The client reads all of these as a `timestamp`. Go writes a layout of RFC 3339 as `Z07:00`.
    @Test(arguments: [
        "'2018-07-31T08:00:00Z'", "'2018-07-31T08:00:00.123456+09:00'", "'2018-07-31 08:00:00Z'",
        "2006-01-02T15:04:05.999999999Z07:00", "string", "''", "null",
    ])
    func anExampleThatFitsChangesNothing(_ example: String) {
        let (line, document) = Self.field("format: date-time, example: \(example)")
        #expect(line == "  at: timestamp?")
        #expect(!document.findings.contains { $0.hasPrefix(Self.rule) })
    }

    @Test func aDayForAnInstantAndTheReverse() {
        for (format, example) in [("date-time", "'2020-01-01'"), ("date", "'2019-11-15T07:14:43.524Z'")] {
            let (line, document) = Self.field("format: \(format), example: \(example)")
            #expect(line == "  at: dateOrTimestamp?")
            #expect(document.findings.contains { $0.contains("so the type is `dateOrTimestamp`") })
        }
    }

    @Test(arguments: [
        ("date-time", "'12:00'"), ("date-time", "'31.07.2018'"), ("date", "'2018/07/31'"), ("date", "'20180731'"),
        ("date", "'2018-07-31 08:00:00'"),
    ])
    func anotherKindIsAText(_ format: String, _ example: String) {
        let (line, document) = Self.field("format: \(format), example: \(example), minLength: 2")
        #expect(document.problems == [])
        #expect(line == "  at: {type: string?, length: 2..}")
        #expect(
            document.findings.contains { $0.contains("contradicts the format `\(format)`, so the type is `string`") })
    }

    /// One example among others that agree is a finding only.
    @Test func oneOfSeveralExamplesIsAFindingOnly() {
        let (line, document) = Self.field(
            "format: date-time, examples: ['2018-07-31T08:00:00Z', '2018-07-31 08:00:00']")
        #expect(line == "  at: timestamp?")
        #expect(
            document.findings.contains {
                $0.contains("contradicts the format `date-time`, which its other examples have")
            })
    }

    /// The document of the issue, whose example is also kept.
    @Test func examplesOfBodiesAreEvidence() {
        let document = ImportedDocument(
            paths: """
                /a: {get: {operationId: read, responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}, example: {at: '2018-07-31 08:00:00', days: ['2018-07-31T00:00:00Z'], map: {x: {on: '12:00'}}}}}}}}}
                /b: {post: {operationId: b, requestBody: {content: {application/json: {schema: {type: object, properties: {at: {type: string, format: date-time}}}, examples: {one: {value: {at: '2018-07-31 08:00:00'}}}}}}, responses: {204: {description: ok}}}}
                /c: {get: {operationId: c, parameters: [{name: at, in: query, example: '2018-07-31 08:00:00', schema: {type: string, format: date-time}}, {name: X-At, in: header, schema: {type: string, format: date-time, example: 1533024000}}], responses: {204: {description: ok}}}}
                /d/{at}: {get: {operationId: d, parameters: [{name: at, in: path, required: true, examples: {one: {value: '2018-07-31 08:00:00'}}, schema: {type: string, format: date-time}}], responses: {204: {description: ok}}}}
                """,
            components: """
                schemas:
                  A: {type: object, properties: {at: {type: string, format: date-time}, days: {type: array, items: {type: string, format: date}}, map: {type: object, additionalProperties: {type: object, properties: {on: {type: string, format: date-time}}}}, list: {type: array, items: {$ref: '#/components/schemas/When'}}}}
                  When: {type: string, format: date-time, description: A time., example: '2018-07-31 08:00:00'}
                """)
        #expect(document.problems == [])
        #expect(document.block("A:").contains("at: {type: timestamp?, format: [\"yyyy-MM-dd HH:mm:ss\", rfc3339]}"))
        #expect(document.block("A:").contains("days: \"[dateOrTimestamp]?\""))
        #expect(document.block("AMapItem:") == "AMapItem:\n  on: string?")
        #expect(document.block("When:").contains("alias: timestamp"))
        #expect(document.block("When:").contains("format: [\"yyyy-MM-dd HH:mm:ss\", rfc3339]"))
        #expect(document.contract.contains("# errand:review the document's examples have no offset"))
        // A request is written, so that it has one form.
        for name in ["b:", "c:"] {
            #expect(
                Self.withoutExamples(document.block(name)).contains(
                    "at: {type: timestamp?, format: \"yyyy-MM-dd HH:mm:ss\"}"))
        }
        #expect(Self.withoutExamples(document.block("c:")).contains("xAt: {type: timestamp(unix)?, wire: X-At}"))
        #expect(document.contract.contains("get: /d/{at:"))
    }

    /// Examples that say each other's schemas again end.
    @Test func endlessSchemasEnd() {
        let document = ImportedDocument(
            schemas: """
                A: {type: object, example: {a: {a: {a: {at: '12:00'}}}}, allOf: [{$ref: '#/components/schemas/A'}], properties: {a: {$ref: '#/components/schemas/A'}, at: {type: string, format: date-time}}}
                """)
        #expect(document.block("A:").contains("at: string?"))
    }
}
