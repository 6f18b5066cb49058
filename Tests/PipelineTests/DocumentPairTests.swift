import ContractDiff
import ContractModel
import Diagnostics
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// Two versions of an OpenAPI document, compared with each other.
@Suite struct DocumentPairTests {
    private static let head = """
        openapi: 3.1.0
        info: {title: Shop, version: 1.0.0}
        servers: [{url: https://shop.example}]

        """

    /// A document with one operation whose body has these properties.
    private static func document(_ properties: String, required: String = "item") -> String {
        head + """
            paths:
              /orders:
                post:
                  operationId: order
                  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [\(required)], properties: {\(properties)}}}}}
                  responses: {'204': {description: ok}}

            """
    }

    private func report(
        _ old: String, _ new: String, _ change: (inout DiffOptions) -> Void = { _ in }
    ) throws -> DiffReport {
        let folder = try TemporaryFolder()
        try folder.write(old, to: "old.yaml")
        try folder.write(new, to: "new.yaml")
        var options = DiffOptions(
            old: folder.path("old.yaml"), new: folder.path("new.yaml"), in: ProjectBoundary(base: folder.path))
        options.folder = folder.path
        options.today = try #require(CalendarDay("2026-06-01"))
        change(&options)
        return Diff.run(options)
    }

    private func lines(_ report: DiffReport) -> [String] { report.findings.map { "\($0.rule): \($0.message)" } }

    // MARK: What contracts do not have

    @Test func whatContractsDoNotHaveIsSaid() throws {
        let old = Self.document("item: {type: string}, step: {type: integer, multipleOf: 5, x-shown: a}")
        let new = Self.document("item: {type: string}, step: {type: integer, multipleOf: 7, x-shown: b}")
        let report = try report(old, new)
        #expect(
            lines(report).sorted() == [
                "not-compared: `multipleOf` changes from `5` to `7`, and Errand does not compare it, because contracts do not have it",
                "not-compared: extensions differ, which Errand does not compare: `x-shown`",
            ])
        #expect(report.outcome == .fine)
        #expect(report.findings.map(\.severity).sorted { $0.weight < $1.weight } == [.note, .warning])
    }

    @Test(arguments: [
        (
            "{type: array, items: {type: string}, contains: {const: a}}", "{type: array, items: {type: string}}",
            "`contains` is gone"
        ),
        (
            "{type: object, not: {required: [a]}, properties: {a: {type: string}}}",
            "{type: object, properties: {a: {type: string}}}", "`not` is gone"
        ),
        ("{type: string, default: a}", "{type: string, default: b}", "`default` changes from `a` to `b`"),
    ]) func aKeywordThatIsGoneOrOtherIsSaid(_ old: String, _ new: String, _ message: String) throws {
        let found = lines(
            try report(
                Self.document("item: {type: string}, x: \(old)"), Self.document("item: {type: string}, x: \(new)")))
        #expect(found.count == 1 && found[0].hasPrefix("not-compared: \(message)"), "\(found)")
    }

    @Test func descriptionsExamplesAndOrderAreNoDifference() throws {
        let old = Self.document(
            "item: {type: string, description: One., example: a}, step: {type: integer, multipleOf: 5}")
        let new = Self.document(
            "item: {example: b, description: Two., type: string}, step: {multipleOf: 5, type: integer}")
        #expect(lines(try report(old, new)) == [])
    }

    /// What is in a new operation is a part of its addition.
    @Test func aNewOperationIsOneChange() throws {
        let old = Self.document("item: {type: string}")
        let new = old.replacing(
            "paths:\n",
            with:
                "paths:\n  /steps/{id}:\n    get: {operationId: step, parameters: [{name: id, in: path, required: true, schema: {type: integer, multipleOf: 5}}], responses: {'204': {description: ok}}}\n"
        )
        #expect(lines(try report(old, new)) == [])
        // Another name of a parameter of the path is no other operation.
        let renamed = new.replacing("/steps/{id}", with: "/steps/{step}").replacing("name: id", with: "name: step")
        #expect(!lines(try report(new, renamed)).contains { $0.hasPrefix("not-compared") })
    }

    // MARK: Places

    @Test func aChangeIsAtItsPlaceInTheDocument() throws {
        let old = Self.document("item: {type: string}, note: {type: string}")
        let new = Self.document("item: {type: integer}")
        let found = try report(old, new).findings
        let item = try #require(found.first { $0.message.contains("order.body.item") })
        #expect(
            item.file.hasSuffix("/new.yaml") && item.range?.start.line == 8,
            "\(item.file) \(String(describing: item.range))")
        let pointer = "#/paths/~1orders/post/requestBody/content/application~1json/schema/properties"
        #expect(item.notes.contains { $0.message == "JSON pointer: \(pointer)/item" })
        let note = try #require(found.first { $0.message.contains("order.body.note") })
        #expect(
            note.file.hasSuffix("/old.yaml") && note.notes.contains { $0.message == "JSON pointer: \(pointer)/note" })
    }

    // MARK: What the import makes

    /// The import names an inline enum after all places that have it. No app has such a name from the document.
    @Test func aNameThatIsMadeOfPlacesIsNoChange() throws {
        let old = Self.document("item: {type: string}, region: {type: string, enum: [eu, us]}")
        let new = old.replacing(
            "paths:\n",
            with:
                "paths:\n  /claims:\n    post: {operationId: claim, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {region: {type: string, enum: [eu, us]}}}}}}, responses: {'204': {description: ok}}}\n"
        )
        #expect(lines(try report(old, new)) == [])
        let other = new.replacing("/claims:", with: "/claims/new:").replacing("[eu, us]", with: "[eu]")
        #expect(!lines(try report(new, other)).isEmpty)
    }

    @Test func errorsThatNoDocumentHasAreNoChange() throws {
        let none = Self.document("item: {type: string}")
        let one = none.replacing(
            "{'204': {description: ok}}", with: "{'204': {description: ok}, '409': {description: taken}}")
        let found = lines(try report(one, none))
        #expect(found.count == 1 && found[0].contains("`errors.conflict` is gone"), "\(found)")
    }

    @Test func aRequiredInputWithADefaultIsNeeded() throws {
        let old = Self.document("item: {type: string}")
        let optional = Self.document("item: {type: string}, count: {type: integer, default: 1}")
        let required = Self.document(
            "item: {type: string}, count: {type: integer, default: 1}", required: "item, count")
        #expect(try report(old, optional).outcome == .fine)
        let found = lines(try report(old, required))
        #expect(
            found == [
                "wire-break: `endpoints.order.body.count` is new: Apps from before this change do not send `count` of `order`, which the server needs"
            ])
        #expect(try report(optional, required).findings.contains { $0.rule == "wire-break" })
    }

    /// The client sends one of the media types, and the server takes all of them.
    @Test func oneMoreMediaTypeBreaksNoWire() throws {
        let text = Self.document("item: {type: string}").replacing(
            "application/json: {schema: {type: object, required: [item], properties: {item: {type: string}}}}",
            with: "text/plain: {schema: {type: string}}")
        let both = text.replacing(
            "text/plain: {schema: {type: string}}",
            with:
                "text/plain: {schema: {type: string}}, application/json: {schema: {type: object, properties: {item: {type: string}}}}"
        )
        #expect(!lines(try report(text, both)).contains { $0.hasPrefix("wire-break") })
        #expect(
            lines(try report(both, Self.document("item: {type: string}"))).allSatisfy {
                !$0.hasPrefix("wire-break: `endpoints.order.body.encoding`")
            })
        let json = Self.document("item: {type: string}")
        #expect(lines(try report(text, json)).contains { $0.hasPrefix("wire-break: `endpoints.order.body.encoding`") })
    }

    // MARK: Options

    @Test func onlyOneColumnCounts() throws {
        let old = Self.document("item: {type: string}")
        let required = Self.document("item: {type: string}, count: {type: integer}", required: "item, count")
        #expect(lines(try report(old, required) { $0.only = [.wire] }).count == 1)
        #expect(try report(old, required) { $0.only = [.source] }.findings.map(\.rule) == ["source-break"])
        #expect(try report(old, required) { $0.only = [.behavior] }.findings.isEmpty)
    }

    @Test func alikeChangesAreOneFinding() throws {
        let fields = (1...30).map { "f\($0): {type: string}" }.joined(separator: ", ")
        let old = Self.document("item: {type: string}, \(fields)")
        let new = Self.document("item: {type: string}")
        let report = try report(old, new)
        #expect(report.findings.count == 1 && report.changeCount == 30)
        #expect(
            report.findings[0].notes.last?.message
                == "the same for 29 more of `endpoints.order.body`: `f2`, `f3`, `f4`, `f5`, `f6`, `f7`, `f8`, `f9` and 21 more; `--all-findings` shows each"
        )
        #expect(try self.report(old, new) { $0.showsAll = true }.findings.count == 30)
    }

    @Test func afterItsSunsetAnOperationMayGo() throws {
        let new = Self.document("item: {type: string}")
        func old(_ day: String) -> String {
            new.replacing(
                "paths:\n",
                with:
                    "paths:\n  /old:\n    get: {operationId: old, deprecated: true, x-sunset: '\(day)', responses: {'204': {description: ok}}}\n"
            )
        }
        #expect(try report(old("2026-06-01"), new).outcome == .breaks)
        let report = try report(old("2026-05-31"), new)
        #expect(report.outcome == .fine)
        #expect(report.findings.first?.notes.contains { $0.message == "its sunset was on 2026-05-31" } == true)
    }
}
