import Diagnostics
import Foundation
import OpenAPI
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// An update compares values, and not how people have written them.
@Suite struct UpdateSpellingTests {
    /// The contract of one document, edited by people, and then updated to another document.
    private struct Update {
        var text = ""
        var findings: [Diagnostic] = []
        /// The text after one more update.
        var again = ""

        init(_ old: String, to new: String, edit: (String) -> String) throws {
            let folder = try TemporaryFolder()
            func run(_ document: String, update: Bool) throws -> ImportReport {
                try folder.write(document, to: "api.yaml")
                var options = ImportOptions(document: folder.path("api.yaml"))
                options.output = folder.path("a.contract.yaml")
                options.isUpdate = update
                let report = Import.run(options)
                #expect(report.written != nil, "\(report.findings.map(\.message))")
                return report
            }
            func text() throws -> String {
                try String(contentsOf: folder.url.appendingPathComponent("a.contract.yaml"), encoding: .utf8)
            }
            _ = try run(old, update: false)
            let first = try text()
            let edited = edit(first)
            #expect(edited != first, "the edit fits the contract:\n\(first)")
            try folder.write(edited, to: "a.contract.yaml")
            findings = try run(new, update: true).findings
            self.text = try text()
            _ = try run(new, update: true)
            again = try text()
            let contract = folder.path("a.contract.yaml")
            let analysis = ContractAnalyzer(provider: ContractFiles(ProjectBoundary(naming: [contract]))).analyze(
                contract)
            #expect(analysis.findings.filter { $0.severity == .error }.map(\.message) == [], "\(self.text)")
        }

        var messages: [String] { findings.filter { $0.rule.hasPrefix("openapi-update") }.map(\.message) }
    }

    private static func shorthand(_ parameter: String, _ age: String, _ states: String) -> String {
        """
        openapi: 3.0.3
        info: {title: Shorthand, version: '1'}
        servers: [{url: https://s.example}]
        paths:
          /pets:
            get: {operationId: listPets, parameters: [{name: limit, in: query\(parameter), schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}
        components:
          schemas:
            Pet: {type: object, properties: {age: {type: \(age)}, state: {$ref: '#/components/schemas/State'}}}
            State: {type: string, enum: [\(states)]}
        """
    }

    /// Members that people have added to a short form, and the change of the document beside them.
    @Test func aChangeComesThroughBesideAnotherSpelling() throws {
        let update = try Update(
            Self.shorthand("", "integer", "new, sold"),
            to: Self.shorthand(", required: true", "number", "new, sold, lost")
        ) {
            $0.replacing("age: int?", with: "age: {type: int?, doc: in months}").replacing(
                "limit: int?", with: "limit: {type: int?, range: 1..50}"
            ).replacing("enum: [new, sold]", with: "enum: {fresh: new, sold: sold}")
        }
        #expect(update.messages == [])
        #expect(update.text.contains("age: {type: double?, doc: in months}"), "\(update.text)")
        #expect(update.text.contains("limit: {type: int, range: 1..50}"))
        #expect(update.text.contains("enum: {fresh: new, sold: sold, lost: lost}"))
        #expect(update.again == update.text)
    }

    /// A value of an enum that people have renamed goes with the value on the wire.
    @Test func aRenamedValueOfAnEnumIsKnownByItsValue() throws {
        let update = try Update(
            Self.shorthand("", "integer", "new, sold"), to: Self.shorthand("", "integer", "sold, lost")
        ) { $0.replacing("enum: [new, sold]", with: "enum: {fresh: new, done: sold}") }
        #expect(update.messages == [])
        #expect(update.text.contains("enum: {done: sold, lost: lost}"), "\(update.text)")
    }

    // MARK: Spellings

    private static let head = "errand: 1\nservice: Shop\nservers: {production: \"https://shop.example\"}\n"

    private func merged(base: String, own: String, new: String) throws -> ContractMerge.Result {
        try #require(
            ContractMerge.merged(
                base: Self.head + base, own: Self.head + own, new: Self.head + new, file: "a.contract.yaml"))
    }

    private static let contract = """
        defaults: {timeout: 20s}
        errors:
          gone:
            category: nonRetryable
            when: {status: 410}
          held:
            category: nonRetryable
            when: {status: 409}
        types:
          Order:
            id: int
            note: {type: string?, length: ..100}
            tags: [string]
            size: int = 3
          State:
            enum: [open, paid]
        endpoints:
          list:
            get: /orders
            query: {limit: int?}
            response: "[Order]?"
            errors: [gone, held]
          place:
            post: /orders
            body: Order
            response: Order

        """

    /// The same value in another spelling is no edit, so the document's change of it comes through. What the document leaves as
    /// it is stays as people have written it.
    @Test(arguments: [
        ("    id: int\n", "    id: {type: int}\n", "id: int\n", "id: double\n", "    id: {type: double}\n"),
        (
            "    id: int\n", "    id:\n      type: \"int\"\n", "id: int\n", "id: {type: int, range: 1..}\n",
            "type: \"int\"\n      range: 1..\n"
        ),
        ("size: int = 3", "size: {default: 3, type: int}", "size: int = 3", "size: int = 4", "{default: 4, type: int}"),
        ("size: int = 3", "size: int=3", "size: int = 3", "size: int = 4", "size: int = 4"),
        (
            "size: int = 3", "size: {type: int, default: 3, doc: Ours}", "size: int = 3", "size: int = 4",
            "{type: int, default: 4, doc: Ours}"
        ),
        ("tags: [string]", "tags: \"[string]\"", "tags: [string]", "tags: [int]", "tags: [int]"),
        (
            "tags: [string]", "tags: {type: [string], doc: Ours}", "tags: [string]", "tags: [int]",
            "{type: \"[int]\", doc: Ours}"
        ),
        (
            "note: {type: string?, length: ..100}", "note:\n      length: ..100\n      type: string?", "..100", "..200",
            "length: ..200\n      type: string?"
        ),
        ("errors: [gone, held]", "errors: [held, gone]", "errors: [gone, held]", "errors: [held]", "errors: [held]"),
        (
            "errors: [gone, held]", "errors:\n      - held\n      - gone", "errors: [gone, held]", "errors: gone",
            "errors: [gone]"
        ),
        (
            "    response: Order", "    response: {type: Order}", "    response: Order", "    response: State",
            "response: {type: State}"
        ),
        (
            "    response: Order", "    response: {type: Order, headers: {Location: string?}}", "    response: Order",
            "    response: State", "response: {type: State, headers: {Location: string?}}"
        ),
        (
            "enum: [open, paid]", "enum:\n      open: open\n      paid: paid", "enum: [open, paid]",
            "enum: [open, paid, sent]", "paid: paid\n      sent: sent\n"
        ),
        ("timeout: 20s", "timeout: 20000ms", "timeout: 20s", "timeout: 30s", "timeout: 30s"),
        (
            "timeout: 20s", "timeout: {any: 20s, constrained: 60s}", "timeout: 20s", "timeout: 30s",
            "timeout: {any: 30s, constrained: 60s}"
        ),
        (
            "  Order:\n    id: int\n", "  Order:\n    doc: Ours\n    fields:\n      id: int\n", "    id: int\n",
            "    id: int\n    weight: double?\n", "      weight: double?\n"
        ),
    ])
    func anotherSpellingIsNoEdit(_ edit: (String, String, String, String, String)) throws {
        let (old, spelled, before, after, wanted) = edit
        let base = Self.contract
        var own = base.replacing(old, with: spelled)
        if spelled.contains("    fields:\n") {
            for line in ["    note:", "    tags:", "    size:"] {
                own = own.replacing("\n" + line, with: "\n  " + line)
            }
        }
        #expect(own != base)
        let unchanged = try merged(base: base, own: own, new: base)
        #expect(unchanged.text == Self.head + own && unchanged.findings == [])
        let result = try merged(base: base, own: own, new: base.replacing(before, with: after))
        #expect(result.findings.map(\.message) == [])
        #expect(result.text.contains(wanted), "\(result.text)")
    }

    /// An edit that is equal to the document's change is no conflict, however it is written.
    @Test(arguments: [
        ("id: int\n", "id: {type: double}\n", "id: double\n"),
        ("id: int\n", "id: {doc: The key, type: int}\n", "id: {type: int, doc: The key}\n"),
        ("length: ..100", "length: ..50", "length: ..50"),
        ("enum: [open, paid]", "enum: {paid: paid, open: open, sent: sent}", "enum: [open, paid, sent]"),
        ("errors: [gone, held]", "errors: [held]", "errors: held"),
        ("    body: Order\n", "    body: {id: {type: int}}\n", "    body:\n      id: int\n"),
    ])
    func anEqualEditIsNoConflict(_ edit: (String, String, String)) throws {
        let own = Self.contract.replacing(edit.0, with: edit.1)
        let result = try merged(base: Self.contract, own: own, new: Self.contract.replacing(edit.0, with: edit.2))
        #expect(result.findings.map(\.message) == [] && result.text == Self.head + own)
    }

    /// What both have changed in different ways is one finding, and the rest of the value comes through.
    @Test func onlyThePartThatBothHaveChangedIsAConflict() throws {
        let base = Self.contract
        let result = try merged(
            base: base, own: base.replacing("id: int\n", with: "id: string\n"),
            new: base.replacing("id: int\n", with: "id: {type: double, doc: The key}\n"))
        #expect(result.findings.map(\.rule) == ["openapi-update-conflict"])
        #expect(result.findings.first?.message.contains("types.Order.id.type") == true)
        #expect(result.text.contains("id: {type: string, doc: The key}"), "\(result.text)")
    }

    /// A type that becomes long keeps the edits and the comments inside.
    @Test func aTypeBecomesLong() throws {
        let base = Self.contract
        let fields = "    id: int\n    note: {type: string?, length: ..100}\n    tags: [string]\n    size: int = 3\n"
        let new = base.replacing(
            fields,
            with: "    doc: An order.\n    fields:\n" + fields.split(separator: "\n").map { "  \($0)\n" }.joined())
        let own = base.replacing("    id: int\n", with: "    # The key.\n    id: {type: int, doc: Ours}\n")
        let result = try merged(base: base, own: own, new: new)
        #expect(result.findings.map(\.message) == [])
        #expect(
            result.text.contains(
                "    doc: An order.\n    fields:\n      # The key.\n      id: {type: int, doc: Ours}\n"),
            "\(result.text)")
        let commented = try merged(
            base: base, own: base.replacing("    id: int\n", with: "    id: int # the key\n"), new: new)
        #expect(commented.findings.map(\.rule) == ["openapi-update-conflict"] && commented.text.contains("# the key"))
    }

    /// A contract with an error is compared as it is written.
    @Test func aContractWithAnErrorIsMerged() throws {
        let own = Self.contract.replacing("    id: int\n", with: "    id: {type: int, unknown: 1}\n")
        let result = try merged(
            base: Self.contract, own: own, new: Self.contract.replacing("length: ..100", with: "length: ..9"))
        #expect(result.findings == [] && result.text == Self.head + own.replacing("..100", with: "..9"))
    }

    /// An update applies the overlays of the last import, unless the command names others.
    @Test func overlaysAreRemembered() throws {
        let folder = try TemporaryFolder()
        for name in ["Store", "Market"] {
            try folder.write(
                "overlay: 1.0.0\nactions: [{target: $.info, update: {description: \(name)}}]\n",
                to: "\(name).overlay.yaml")
        }
        func run(update: Bool, overlays: [String] = [], _ states: String) throws -> String {
            try folder.write(Self.shorthand("", "integer", states), to: "api.yaml")
            var options = ImportOptions(document: folder.path("api.yaml"))
            options.output = folder.path("a.contract.yaml")
            options.isUpdate = update
            options.overlays = overlays.map { folder.path("\($0).overlay.yaml") }
            let report = Import.run(options)
            #expect(report.written != nil, "\(report.findings.map(\.message))")
            return try String(contentsOf: folder.url.appendingPathComponent("a.contract.yaml"), encoding: .utf8)
        }
        #expect(try run(update: false, overlays: ["Store"], "new").contains("doc: Store"))
        let updated = try run(update: true, "new, sold")
        #expect(updated.contains("doc: Store") && updated.contains("enum: [new, sold]"))
        #expect(try run(update: true, overlays: ["Market"], "new, sold").contains("doc: Market"))
        #expect(try run(update: true, "new").contains("doc: Market"))
    }

    // MARK: Endpoints

    private static func endpoints(_ name: String, _ path: String, more: String = "") -> String {
        contract.replacing("  list:\n    get: /orders\n", with: "  \(name):\n    get: \(path)\n") + more
    }

    /// An endpoint whose path and name have changed keeps its edits, and is reported with both names.
    @Test(arguments: ["/orders", "/v2/orders"])
    func anEndpointThatHasMovedKeepsItsEdits(_ path: String) throws {
        let own = Self.contract.replacing(
            "  list:\n    get: /orders\n", with: "  # Ours.\n  list:\n    get: /orders\n    priority: low\n")
        let new = Self.endpoints("listOrders", path)
        let result = try merged(base: Self.contract, own: own, new: new)
        #expect(
            result.findings.map(\.message) == [
                "the document now has this endpoint as `listOrders` (`get: \(path)`); its name and its edits are kept"
            ])
        #expect(result.text == Self.head + own.replacing("get: /orders\n", with: "get: \(path)\n"), "\(result.text)")
        let again = try merged(base: new, own: String(result.text.dropFirst(Self.head.count)), new: new)
        #expect(again.findings == [] && again.text == result.text)
    }

    /// A name that people have given stays, too.
    @Test func anEndpointThatHasMovedKeepsTheNameFromPeople() throws {
        let own = Self.contract.replacing("  list:\n", with: "  allOrders:\n")
        let result = try merged(base: Self.contract, own: own, new: Self.endpoints("listOrders", "/v2/orders"))
        #expect(
            result.findings.count == 1 && result.text.contains("  allOrders:\n    get: /v2/orders\n"), "\(result.text)")
        #expect(!result.text.contains("listOrders"))
    }

    /// Without edits, the endpoint gets the name of the document, and both names are reported.
    @Test func anEndpointWithoutEditsFollowsTheDocument() throws {
        let new = Self.endpoints("listOrders", "/v2/orders")
        let result = try merged(base: Self.contract, own: Self.contract, new: new)
        #expect(
            result.findings.map(\.message) == [
                "the document no longer has the endpoint `list`, so it is removed, and `listOrders` takes its place"
            ])
        #expect(result.text.contains("  listOrders:\n    get: /v2/orders\n") && !result.text.contains("  list:"))
    }

    /// If several endpoints have the shape, the edited one stays and is reported.
    @Test func anAmbiguousShapeLosesNoEdit() throws {
        let copy =
            "  listAll:\n    get: /v2/all\n    query: {limit: int?}\n    response: \"[Order]?\"\n    errors: [gone, held]\n"
        let own = Self.contract.replacing("get: /orders\n", with: "get: /orders\n    priority: low\n")
        let result = try merged(
            base: Self.contract, own: own, new: Self.endpoints("listOrders", "/v2/orders", more: copy))
        #expect(
            result.findings.map(\.message) == [
                "the document no longer has `endpoints.list`, which was edited here and is kept"
            ])
        #expect(
            result.text.contains("priority: low") && result.text.contains("listOrders:")
                && result.text.contains("listAll:"))
    }
}
