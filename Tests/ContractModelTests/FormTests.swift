import ContractModel
import Diagnostics
import Testing

/// The types in a form: single values, and lists, maps and structures of them to a bounded depth.
@Suite struct FormTests {
    private static let types = """
        types:
          Row: {price: int, tags: "[string]?", more: {fields: {at: timestamp}}}
          Rows: {alias: "[Row]"}
          Tree: {children: "[Tree]"}
          Shape: {union: {by: kind, cases: {row: Row}}}
          Changes: {name: {type: string?, nullable: distinct}}
          Limits: {count: {type: int?, nullable: required}}
          Odd: {tags: {type: "[string]", wire: "tags[]"}}
          Deep4: {a: {fields: {b: {fields: {c: {fields: {d: Row}}}}}}}

        """

    @Test(arguments: [
        "[string: string]", "[string: string]?", "Row", "Row?", "[Row]", "Rows", "[string: Row]", "[string: [int]]",
        "[[date]]", "Deep4", "[Deep4]",
    ])
    func itCarriesWhatIsMadeOfSingleValues(_ type: String) {
        let endpoint = "post: /a\nbody: {encoding: form, fields: {value: \"\(type)\"}}"
        let result = resolve(ContractFixture("", saying: "", endpoint: endpoint, more: Self.types).text)
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
        #expect(!listing(result.diagnostics).contains("error"))
    }

    /// A media type sends what brackets cannot carry as one part.
    @Test(arguments: [
        "value: \"[string: Row]\"", "value: Deep4", "value: {type: json, contentType: application/json}",
        "value: {type: \"[Shape]\", contentType: application/vnd.x+json}", "value: \"[file]\"",
        "value: {type: \"[file]?\", contentType: image/png, items: 1..4}",
        "value: {type: \"[int]\", contentType: application/json}", "value: {type: date, contentType: text/x-date}",
        "value: {type: string, contentType: application/json}",
    ])
    func aMultipartBodyCanHaveBrackets(_ field: String) {
        let endpoint = "post: /a\nbody: {encoding: multipart, nesting: brackets, fields: {\(field)}}"
        let result = resolve(ContractFixture("", saying: "", endpoint: endpoint, more: Self.types).text)
        #expect(result.contract != nil, "\(listing(result.diagnostics))")
        #expect(!listing(result.diagnostics).contains("error"))
    }

    @Test(arguments: [
        ("json", "is not"), ("[string: json]", "holds `json`"), ("Shape", "is not"), ("[Shape]", "holds `Shape`"),
        ("[string: string?]", "holds `string?`"), ("[Tree]", "is nested deeper than 8"),
        ("Tree", "nested deeper than 8"),
        ("Changes", "has the field `name` with `nullable: distinct`"), ("[Odd]", "the wire name `tags[]`"),
        ("[Limits]", "has the field `count` with `nullable: required`"),
        ("[[[Deep4]]]", "is nested deeper than 8"),
    ])
    func itSaysWhatKeepsATypeOut(_ type: String, _ message: String) {
        let fixture = ContractFixture(
            "invalid-parameter-type", saying: message,
            endpoint: "post: /a\nbody: {encoding: form, fields: {value: «\"\(type)\"»}}", more: Self.types)
        expectIsFound(fixture)
        let multipart = ContractFixture(
            "invalid-parameter-type", saying: message,
            endpoint: "post: /a\nbody: {encoding: multipart, nesting: brackets, fields: {value: «\"\(type)\"»}}",
            more: Self.types)
        expectIsFound(multipart)
    }

    /// Each type is examined once per depth, regardless of the number of paths to it.
    @Test func manyWaysToATypeCostNothing() {
        var types = "types:\n  T0: {a: int}\n"
        for number in 1...60 {
            let fields = (0..<20).map { "f\($0): \"[T\(max(0, number - 1))]\"" }
            types += "  T\(number): {\(fields.joined(separator: ", "))}\n"
        }
        let clock = ContinuousClock()
        let time = clock.measure {
            let result = resolve(
                ContractFixture(
                    "", saying: "", endpoint: "post: /a\nbody: {encoding: form, fields: {value: T60}}", more: types
                ).text)
            #expect(listing(result.diagnostics).contains("nested deeper than 8"))
        }
        #expect(time < .seconds(5))
    }
}
