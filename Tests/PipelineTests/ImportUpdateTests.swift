import Diagnostics
import Foundation
import OpenAPI
import TestSeeds
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// `errand import --update`: a newer document comes into a contract that people have edited.
@Suite struct ImportUpdateTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: 1.0.0}
        servers: [{url: "https://shop.example"}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              responses:
                200: {description: Fine, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
                404: {description: No such order.}
          /orders:
            post:
              operationId: placeOrder
              requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
              responses:
                200: {description: Fine, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
                409: {description: Sold out.}
            get:
              operationId: listOrders
              responses:
                200: {description: Fine, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}
        components:
          schemas:
            Order:
              type: object
              required: [id]
              properties:
                id: {type: integer}
                note: {type: string, maxLength: 100}
                state: {$ref: "#/components/schemas/State"}
            State: {type: string, enum: [open, paid]}
        """

    private struct Project {
        let folder: TemporaryFolder

        init(_ document: String = ImportUpdateTests.document) throws {
            folder = try TemporaryFolder()
            let report = try run(document)
            #expect(report.written != nil, "\(report.findings.map(\.message))")
        }

        @discardableResult
        func run(
            _ document: String, update: Bool = false, strict: Bool = false, groups: Bool = false, service: String? = nil
        ) throws -> ImportReport {
            try folder.write(document, to: "api.yaml")
            var options = ImportOptions(document: folder.path("api.yaml"))
            options.output = folder.path("shop.contract.yaml")
            options.isUpdate = update
            options.isStrict = strict
            options.hasGroups = groups
            options.service = service
            return Import.run(options)
        }

        func update(_ document: String) throws -> [String] {
            let report = try run(document, update: true)
            #expect(report.written != nil, "\(report.findings.map(\.message))")
            return report.findings.filter { $0.rule.hasPrefix("openapi-update") }.map(\.message)
        }

        func text(_ name: String = "shop.contract.yaml") throws -> String {
            try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
        }

        func edit(_ changes: (String, String)...) throws {
            var text = try text()
            for (old, new) in changes {
                try #require(text.contains(old), "\(old) is not in\n\(text)")
                text = text.replacing(old, with: new)
            }
            try folder.write(text, to: "shop.contract.yaml")
        }
    }

    @Test func whatPeopleWroteSurvives() throws {
        let project = try Project()
        try project.edit(
            ("  # errand:review 409 means that the same request fails again\n", ""),
            ("conflict", "soldOut"),
            ("doc: Sold out.\n    category: nonRetryable", "doc: Nothing is left.\n    category: retryable"),
            ("placeOrder:", "# Money moves here.\n  placeOrder:"), ("getOrder:", "fetchOrder:"),
            ("post: /orders", "post: /orders\n    effect: keyed"))
        let newer = Self.document.replacing(
            "note: {type: string, maxLength: 100}",
            with: "note: {type: string, maxLength: 200}\n        gift: {type: boolean}"
        )
        .replacing("enum: [open, paid]", with: "enum: [open, paid, sent]")
        .replacing(
            "404: {description: No such order.}",
            with: "404: {description: No such order.}\n        410: {description: It is gone.}")
        #expect(try project.update(newer) == [])
        let text = try project.text()
        for line in [
            "soldOut:", "doc: Nothing is left.", "category: retryable", "# Money moves here.", "effect: keyed",
            "fetchOrder:",
            "length: ..200", "gift: bool?", "[open, paid, sent]", "gone:", "errors: [notFound, gone]",
            "errors: [soldOut]",
            "# errand:review 410 means that the same request fails again\n  gone:\n    doc: It is gone.\n    category: nonRetryable",
        ] {
            #expect(text.contains(line), "\(line) is not in\n\(text)")
        }
        #expect(!text.contains("conflict") && !text.contains("getOrder") && !text.contains("..100"))
        #expect(try project.text(".errand/shop.imported.yaml").contains("conflict:"))
        let contract = project.folder.path("shop.contract.yaml")
        let files = ContractFiles(ProjectBoundary(naming: [contract]))
        let analysis = ContractAnalyzer(provider: files).analyze(contract)
        #expect(analysis.findings.filter { $0.severity == .error }.map(\.message) == [])
        // Once more, nothing happens.
        #expect(try project.update(newer) == [])
        #expect(try project.text() == text)
    }

    /// Only what a text refers to follows a name.
    @Test func aHeaderThatIsCalledAsARenamedTypeStays() throws {
        let document = Self.document.replacing(
            "components:\n",
            with:
                "security: [{token: []}]\ncomponents:\n  securitySchemes: {token: {type: apiKey, in: header, name: State}}\n"
        )
        let project = try Project(document)
        try project.edit(("state: State?", "state: OrderState?"), ("  State:", "  OrderState:"))
        #expect(try project.update(document.replacing("enum: [open, paid]", with: "enum: [open, paid, sent]")) == [])
        let text = try project.text()
        #expect(text.contains("header: State") && !text.contains("header: OrderState"), "\(text)")
        #expect(text.contains("OrderState: {enum: [open, paid, sent]}") || text.contains("enum: [open, paid, sent]"))
    }

    /// A field that people have renamed is the same one on the wire.
    @Test func aRenamedFieldIsKnownByItsNameOnTheWire() throws {
        let project = try Project()
        try project.edit(
            ("note: {type: string?, length: ..100}", "remark: {type: string?, wire: note, length: ..100}"),
            ("state: State?", "progress: {type: State?, wire: state}"))
        let newer = Self.document.replacing("maxLength: 100", with: "maxLength: 200")
        #expect(try project.update(newer) == [])
        let text = try project.text()
        #expect(text.contains("remark: {type: string?, wire: note, length: ..200}"), "\(text)")
        #expect(text.contains("progress: {type: State?, wire: state}"))
        #expect(!text.contains("note:") && !text.contains("state:"))
        // The document changes the type, and people have changed the name.
        let other = newer.replacing("state: {$ref: \"#/components/schemas/State\"}", with: "state: {type: string}")
        #expect(try project.update(other) == [])
        #expect(try project.text().contains("progress: {type: string?, wire: state}"))
        #expect(!(try project.text()).contains("state:"))
    }

    @Test func whatBothHaveChangedStaysAndIsSaid() throws {
        let project = try Project()
        try project.edit(("length: ..100", "length: ..50"))
        let newer = Self.document.replacing("maxLength: 100", with: "maxLength: 200")
        let report = try project.run(newer, update: true)
        let conflict = try #require(report.findings.first { $0.rule == "openapi-update-conflict" })
        #expect(conflict.message.contains("types.Order.note.length") && conflict.message.contains("..50"))
        #expect(conflict.range != nil && conflict.file.hasSuffix("shop.contract.yaml"))
        #expect(report.outcome == .incomplete)
        #expect(try project.text().contains("length: ..50"))
        #expect(try project.update(newer) == [])
    }

    @Test func whatTheDocumentNoLongerHasGoes() throws {
        let project = try Project()
        let newer = Self.document.replacing(
            "operationId: listOrders", with: "operationId: listOrders\n      deprecated: true")
        let without =
            String(Self.document[..<Self.document.range(of: "    get:\n      operationId: listOrders")!.lowerBound])
            + String(Self.document[Self.document.range(of: "components:")!.lowerBound...])
        #expect(try project.update(newer) == [])
        #expect(try project.text().contains("deprecated: true"))
        #expect(
            try project.update(without) == ["the document no longer has the endpoint `listOrders`, so it is removed"])
        #expect(!(try project.text()).contains("listOrders"))
    }

    /// New entries come where an old one goes, in the order of the document.
    @Test func entriesComeWhereOthersGo() throws {
        func contract(_ names: String...) -> String {
            "endpoints:\n" + names.map { "  \($0):\n    get: /\($0)\n" }.joined()
        }
        let (base, new) = (contract("a", "b", "c"), contract("a", "x", "y", "c", "z"))
        for own in [base, base.replacing("  b:\n", with: "  # This one goes.\n  b:\n")] {
            let result = try #require(ContractMerge.merged(base: base, own: own, new: new, file: "a"))
            #expect(result.text == new, "\(result.text)")
        }
        // What people have written at the same place stays before it.
        let own = contract("a", "own", "b", "c")
        let result = try #require(ContractMerge.merged(base: base, own: own, new: new, file: "a"))
        #expect(result.text == contract("a", "x", "y", "own", "c", "z"), "\(result.text)")
    }

    /// An update makes groups of tags if the last import did, whatever else the command says.
    @Test(arguments: [nil, "Store"]) func groupsAreKept(_ service: String?) throws {
        let document = Self.document.replacing(
            "operationId: getOrder", with: "operationId: getOrder\n      tags: [orders]")
        let project = try Project(document)
        #expect(!(try project.text()).contains("groups:"))
        try FileManager.default.removeItem(at: project.folder.url.appendingPathComponent("shop.contract.yaml"))
        #expect(try project.run(document, groups: true).written != nil)
        #expect(try project.text().contains("group: orders"))
        let newer = document.replacing("operationId: placeOrder", with: "operationId: placeOrder\n      tags: [orders]")
        let report = try project.run(newer, update: true, service: service)
        #expect(report.written != nil, "\(report.findings.map(\.message))")
        let text = try project.text()
        #expect(text.components(separatedBy: "group: orders").count == 3, "\(text)")
    }

    @Test func whatIsEditedIsNotRemoved() throws {
        let project = try Project()
        try project.edit(("get: /orders\n", "get: /orders\n    priority: low\n"))
        let without =
            String(Self.document[..<Self.document.range(of: "    get:\n      operationId: listOrders")!.lowerBound])
            + String(Self.document[Self.document.range(of: "components:")!.lowerBound...])
        #expect(try project.update(without).first?.contains("which was edited here and is kept") == true)
        #expect(try project.text().contains("listOrders"))
    }

    @Test func linesMayEndAsOnWindows() throws {
        let project = try Project()
        try project.folder.write(try project.text().replacing("\n", with: "\r\n"), to: "shop.contract.yaml")
        let newer = Self.document.replacing("maxLength: 100", with: "maxLength: 7").replacing(
            "409: {description: Sold out.}", with: "409: {description: Sold out.}\n        423: {description: Held.}")
        #expect(try project.update(newer) == [])
        let text = try project.text()
        #expect(text.contains("length: ..7") && text.contains("locked:\r\n"))
        #expect(!text.replacing("\r\n", with: "").contains("\n"))
    }

    /// What several places share is not changed through one of them.
    @Test func anAliasStays() throws {
        let project = try Project()
        try project.edit(
            (
                "    doc: No such order.\n    category: nonRetryable\n    when: {status: 404}\n",
                "    doc: &none No such order.\n    category: nonRetryable\n    when: {status: 404}\n"
            ),
            ("doc: Sold out.", "doc: *none"))
        let conflicts = try project.update(Self.document.replacing("Sold out.", with: "Nothing is left."))
        #expect(conflicts.count == 1 && conflicts[0].contains("alias"))
        #expect(try project.text().contains("doc: &none No such order.") && project.text().contains("doc: *none"))
    }

    /// A contract that cannot be read is not touched.
    @Test func aBrokenContractIsNotTouched() throws {
        let project = try Project()
        try project.folder.write("errand: 1\nservice: [Shop\n", to: "shop.contract.yaml")
        let report = try project.run(Self.document, update: true)
        #expect(report.outcome == .couldNotRun && report.written == nil)
        #expect(try project.text() == "errand: 1\nservice: [Shop\n")
    }

    @Test func nothingIsWrittenWithoutABase() throws {
        let project = try Project()
        let before = try project.text()
        try FileManager.default.removeItem(at: project.folder.url.appendingPathComponent(".errand"))
        let report = try project.run(Self.document, update: true)
        #expect(report.outcome == .couldNotRun)
        #expect(report.findings.map(\.rule) == ["openapi-update-without-base"])
        #expect(try project.text() == before)
    }

    /// Random edits of people and of the document: an edit that the document does not touch survives, a change that people do
    /// not touch comes in, and a second update does nothing.
    @Test func randomEdits() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let edits: [(old: String, new: String)] = [
            ("    doc: Sold out.\n", "    doc: Ours.\n"), ("version: 1.0.0", "version: 1.0.0\nstability: beta"),
            ("get: /orders/{id:int}", "get: /orders/{id:int}\n    priority: low"),
            ("get: /orders\n", "get: /orders # ours\n"),
            ("  State:\n    enum: [open, paid]\n", "  State: {enum: [open, paid], doc: Ours}\n"),
            ("listOrders", "orders"),
            ("endpoints:\n", "endpoints:\n  ping: {get: /ping, response: none}\n\n"), ("placeOrder", "buy"),
            ("notFound", "noSuchOrder"), ("    id: int\n", "    id: {type: int, doc: Ours}\n"), ("Order", "Purchase"),
            ("timeout: 20s", "timeout: 5s"),
        ]
        let changes: [(old: String, new: String, wanted: String)] = [
            ("maxLength: 100", "maxLength: 7", "length: ..7"),
            ("enum: [open, paid]", "enum: [open, paid, late]", "late"),
            (
                "409: {description: Sold out.}", "409: {description: Sold out.}\n        423: {description: Held.}",
                "locked:"
            ),
            (
                "        id: {type: integer}\n", "        id: {type: integer}\n        weight: {type: number}\n",
                "weight: double?"
            ),
            (
                "  /orders:\n",
                "  /carts:\n    get: {operationId: listCarts, responses: {200: {description: Fine}}}\n  /orders:\n",
                "listCarts:"
            ),
            ("version: 1.0.0", "version: 1.1.0", "version: 1.1.0"),
        ]
        for _ in 0..<60 {
            let project = try Project()
            var text = try project.text()
            let chosen = edits.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
            for (old, new) in chosen where text.contains(old) { text = text.replacing(old, with: new) }
            if Bool.random(using: &random) { text = "# A team's own comment.\n" + text }
            try project.folder.write(text, to: "shop.contract.yaml")
            var document = Self.document
            var wanted: [String] = []
            for (old, new, word) in changes.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
                document = document.replacing(old, with: new)
                wanted.append(word)
            }
            let report = try project.run(document, update: true)
            let merged = try project.text()
            let context = Comment(rawValue: "seed \(seed)\n\(chosen)\n\(wanted)\n\(merged)")
            let conflicts = report.findings.filter { $0.rule == "openapi-update-conflict" }.map(\.message).joined()
            #expect(!report.findings.contains { $0.severity == .error }, context)
            for word in wanted {
                #expect(merged.contains(word) || !conflicts.isEmpty, context)
            }
            for (_, new) in chosen where text.contains(new) {
                let line = new.split(separator: "\n").last.map(String.init) ?? new
                let kept = line.split(separator: "[")[0]
                #expect(merged.contains(kept), context)
            }
            if wanted.isEmpty { #expect(merged == text, context) }
            #expect(merged.hasPrefix("# A team's") == text.hasPrefix("# A team's"), context)
            _ = try project.run(document, update: true)
            #expect(try project.text() == merged, context)
        }
    }

    /// New lists and maps are spelled as by a first import, so that the next update does not take them for an edit.
    @Test(arguments: [
        "{type: array, items: {type: object, additionalProperties: true}}",
        "{type: array, items: {type: array, maxItems: 3, items: {type: object, additionalProperties: true}}}",
        "{type: object, additionalProperties: {type: array, items: {type: array, items: {type: string}}}}",
        "{type: object, additionalProperties: {type: object, additionalProperties: {type: integer}}}",
        "{type: array, items: {type: [string, 'null'], maxLength: 5}}", "{type: array, items: {type: integer}}",
    ])
    func newListsAndMaps(schema: String) throws {
        let field = "state: {$ref: \"#/components/schemas/State\"}"
        for required in ["[id]", "[id, m]"] {
            let project = try Project()
            let newer = Self.document.replacing(field, with: field + "\n        m: \(schema)").replacing(
                "required: [id]", with: "required: \(required)")
            #expect(try project.update(newer) == [])
            let text = try project.text()
            let first = try Project(newer).text().split(separator: "\n").filter {
                $0.contains(" m: ") || $0.contains("alias: ")
            }
            #expect(!first.isEmpty && first.allSatisfy { text.contains($0) }, "\(first)\n\(text)")
            let contract = project.folder.path("shop.contract.yaml")
            let files = ContractFiles(ProjectBoundary(naming: [contract]))
            let analysis = ContractAnalyzer(provider: files).analyze(contract)
            #expect(analysis.findings.filter { $0.severity == .error }.map(\.message) == [])
            #expect(try project.update(newer) == [])
            #expect(try project.text() == text)
        }
    }
}
