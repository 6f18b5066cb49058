import Diagnostics
import Testing

/// Overlays change a document before it is imported.
@Suite struct OverlayTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: 1.0.0}
        servers: [{url: https://dev.shop.example, description: Dev}, {url: https://shop.example}]
        paths:
          /orders:
            parameters: []
            get:
              operationId: listOrders
              tags: [orders, internal]
              parameters: [{name: page, in: query, schema: {type: integer}}, {name: debug, in: query, schema: {type: boolean}}]
              responses:
                '200': {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
                '400': {description: Bad}
            post:
              operationId: placeOrder
              x-internal: true
              responses: {'200': {description: Fine}, '409': {description: Sold out.}}
          /admin/reset: {post: {operationId: reset, x-internal: true, responses: {'200': {description: Fine}, '400': {description: Bad}}}}
        components:
          schemas:
            Order: {type: object, required: [id], properties: {id: {type: integer}, note: {type: string}, size: {type: string}}}
        """

    private static func overlay(_ actions: String, version: String = "1.1.0", more: String = "") -> String {
        "overlay: \(version)\ninfo: {title: Changes, version: 1.0.0}\n\(more)actions:\n" + actions
    }

    private func imported(
        _ actions: String..., version: String = "1.1.0", document: String = OverlayTests.document, more: String = ""
    ) -> ImportedDocument {
        var files = ["api.yaml": document]
        for (number, actions) in actions.enumerated() {
            files["\(number).yaml"] = Self.overlay(actions, version: version, more: more)
        }
        return ImportedDocument(files: files, overlays: actions.indices.map { "\($0).yaml" })
    }

    /// Each part of the queries, by what is left when it selects what is removed.
    @Test(arguments: [
        ("$.paths['/orders'].get", "placeOrder reset"), ("$[\"paths\"][\"/orders\"]['get', 'post']", "reset"),
        ("$.paths.*[?@['x-internal'] == true]", "listOrders"), ("$.paths[?@.get]", "reset"),
        ("$.paths[?(!@.get)]", "listOrders placeOrder"),
        ("$.paths.*[?(@.operationId != 'reset' && @.operationId)]", "reset"),
        ("$..[?@.operationId=='reset' || @.tags[0] == \"orders\"]", "placeOrder"), ("$.paths[*].post", "listOrders"),
        ("$.paths[?@.get.tags[?@ == 'internal']].get", "placeOrder reset"), ("$.paths..post", "listOrders"),
        ("$.paths[?(@.post.responses['409'])]", "reset"), ("$ .paths[ '/admin/reset' ]", "listOrders placeOrder"),
        ("$.paths.*[?@.tags[-1] == 'internal']", "placeOrder reset"),
    ])
    func queriesSelectOperations(_ query: String, _ left: String) {
        let document = imported("  - {target: \(PlainText.quoted(query)), remove: true}\n")
        #expect(document.problems == [])
        let names = ["listOrders", "placeOrder", "reset"].filter { document.contract.contains("  \($0):\n") }
        #expect(names.joined(separator: " ") == left, "\(document.findings)")
    }

    /// What is not read is named with its place.
    @Test(arguments: [
        ("paths", "`paths` is not read: a query begins with `$`", 1),
        ("$.paths./orders.get", "`/orders` cannot follow a dot", 9),
        ("$.paths.*.x-internal", "`x-internal` cannot follow a dot", 11),
        ("$.paths[get]", "`get` is no selector", 9), ("$.servers[0:2]", "the slice `0:2` is not read", 11),
        ("$.paths[?length(@.get) == 1]", "the function `length` is not read", 10),
        ("$.paths[?@.get.count > 3]", "`> 3]` is not read: a filter has paths, and the comparisons `==` and `!=`", 22),
        (
            "$.paths[?(@.get.summary =~ /List/)]",
            "`=~ /List/)]` is not read: a filter has paths, and the comparisons `==` and `!=`", 25
        ),
        ("$.paths[?@.* == 'x']", "a comparison needs the path of one node", 10),
        ("$.paths[?@.get == @.post]", "`@.post]` is not read: a comparison needs a text in quotes, or a constant", 19),
        ("$..[?@['x-beta'] == true]^", "`^` is not read", 26), ("$.paths['/orders", "the quote has no end", 9),
        ("$.paths[?('a' in @.tags)]", "`'a' in @.tags)]` is not read: a filter begins with `@`", 11),
        ("$.", "the query ends too early", 1),
    ])
    func whatIsNotReadIsNamed(_ query: String, _ message: String, _ column: Int) throws {
        let document = imported("  - remove: true\n    target: \(query)\n")
        #expect(document.result.contract == nil)
        let finding = try #require(document.result.findings.first)
        #expect(document.findings == ["openapi-overlay-invalid: \(message)"])
        let range = try #require(finding.range)
        #expect(range.file == "0.yaml" && range.start.line == 5 && range.start.column == 12 + column)
    }

    /// Mappings are merged at every depth, lists are appended, and other values are replaced.
    @Test func updatesMerge() {
        let document = imported(
            """
              - target: $.components.schemas.Order
                update: {required: [note], properties: {note: {type: integer}, gift: {type: boolean}}}
              - target: $.paths['/orders'].get.parameters
                update: {name: size, in: query, schema: {type: integer}}
              - target: $.paths['/orders'].get.parameters
                update: [{name: sort, in: query, schema: {type: string}}]
              - target: $.paths['/orders'].get.operationId
                update: findOrders
              - {target: "$.servers[?@.description == 'Dev']", remove: true}
              - {target: "$.paths['/orders'].get.parameters[?@.name == 'debug']", remove: true}

            """)
        #expect(document.problems == [])
        #expect(document.block("Order:") == "Order:\n  id: int\n  note: int\n  size: string?\n  gift: bool?")
        let endpoint = document.block("findOrders:")
        #expect(
            endpoint.contains("page: int?") && endpoint.contains("size: int?") && endpoint.contains("sort: string?"))
        #expect(!endpoint.contains("debug") && !document.contract.contains("dev.shop.example"))
    }

    /// The actions of all overlays see what those before them have made.
    @Test func overlaysAreAppliedInTheirOrder() {
        let document = imported(
            "  - {target: $.paths, update: {/carts: {}}}\n  - {target: \"$.paths['/carts']\", copy: \"$.paths['/orders']\"}\n"
                + "  - {target: \"$.paths['/orders']\", remove: true}\n",
            "  - {target: \"$.paths['/carts'].get\", update: {operationId: listCarts}}\n")
        #expect(document.problems == [])
        #expect(document.block("listCarts:").contains("get: /carts") && !document.contract.contains("/orders"))
    }

    /// A copy is a part of its own: a change of it does not change the original, nor the type of the original.
    @Test func aCopyIsAPartOfItsOwn() {
        let document = imported(
            """
              - {target: $.components.schemas, update: {Gift: {}, Draft: {}}}
              - {target: "$.components.schemas['Gift', 'Draft']", copy: $.components.schemas.Order}
              - {target: $.components.schemas.Gift.properties.note, update: {type: integer}}
              - target: $.paths
                update:
                  /gifts: {get: {operationId: getGift, responses: {'200': {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Gift'}}}}}}}
                  /drafts: {get: {operationId: getDraft, responses: {'200': {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}}}}

            """)
        #expect(document.problems == [])
        #expect(document.block("Order:").contains("note: string?") && document.block("Gift:").contains("note: int?"))
        #expect(document.block("Draft:").contains("note: string?") && document.block("getDraft:").contains("Draft"))
    }

    /// A finding about a part from an overlay points into the overlay, with the pointer in the document.
    @Test func findingsPointIntoTheOverlay() throws {
        let document = imported(
            "  - target: $.paths.*.get\n    update:\n      sumary: All of them\n      callbacks: {done: {}}\n")
        let unknown = try #require(document.result.findings.first { $0.rule == "openapi-keyword-unknown" })
        #expect(unknown.file == "0.yaml" && unknown.range?.start.line == 6)
        #expect(unknown.notes.map(\.message) == ["JSON pointer: #/paths/~1orders/get/sumary"])
        #expect(document.result.findings.contains { $0.rule == "openapi-feature-lost" && $0.file == "0.yaml" })
    }

    @Test func aTargetThatSelectsNothingIsAWarning() throws {
        let document = imported("  - {target: \"$.paths['/order']\", remove: true}\n")
        let finding = try #require(document.result.findings.first { $0.rule == "openapi-overlay-unmatched" })
        #expect(finding.message == "`$.paths['/order']` selects nothing" && finding.severity == .warning)
        #expect(document.problems == [])
    }

    /// The errors of all overlays are reported together, and nothing is imported.
    @Test func theErrorsOfAllOverlaysAreReportedTogether() {
        let document = imported(
            "  - {target: $.info, remove: maybe}\n  - {remove: true}\n  - {target: $.info, description: Nothing}\n",
            "  - {target: $.info, copy: $.servers, update: {}}\n  - {target: [$.info], remove: true}\n  - {target: $.a-b, copy: $.c-d}\n"
        )
        #expect(document.result.contract == nil)
        #expect(
            document.findings.map { $0.replacing("openapi-overlay-invalid: ", with: "") } == [
                "`remove` is true or false", "an action needs a `target`",
                "an action needs `update`, `copy` or `remove: true`",
                "an action has `update` or `copy`, and not both", "`target` is a query, and not a list",
                "`c-d` cannot follow a dot", "`a-b` cannot follow a dot",
            ])
    }

    @Test(arguments: [
        ("  - {target: $.info, update: [a]}\n", "a list cannot be merged into a mapping of the document"),
        (
            "  - {target: $, update: {paths: {/orders: {get: Nothing}}}}\n",
            "text cannot be merged into a mapping of the document"
        ),
        ("  - {target: $, remove: true}\n", "the root cannot be removed"),
        ("  - {target: $.info, copy: $.servers.*}\n", "`copy` selects 2 nodes, and not one"),
        (
            "  - {target: \"$['info', 'servers']\", update: {}}\n",
            "the targets are not all mappings, all lists or all values"
        ),
    ])
    func whatCannotBeAppliedIsAnError(_ action: String, _ message: String) {
        let document = imported(action)
        #expect(document.result.contract == nil && document.findings == ["openapi-overlay-invalid: \(message)"])
    }

    @Test func versionsKeysAndOtherDocuments() {
        #expect(
            imported("  - {target: $.info, copy: $.info}\n", version: "1.0.0").findings == [
                "openapi-overlay-invalid: `copy` needs version 1.1"
            ])
        #expect(
            imported("", version: "1.2.0").findings.first?.contains("is not an overlay of version 1.0 or 1.1") == true)
        #expect(imported("  []\n").findings == ["openapi-overlay-invalid: the overlay has no list `actions`"])
        let other = imported(
            "  - {target: $.info, update: {title: Store}, updat: 1, x-why: {}}\n",
            more: "extend: 1\nextends: v2/api.yaml\n")
        #expect(other.result.service == "Store")
        #expect(
            other.findings.filter { $0.contains("overlay") } == [
                "openapi-keyword-unknown: there is no key `extend` in an overlay",
                "openapi-overlay-elsewhere: the overlay is for `v2/api.yaml`, and is applied to `api.yaml`",
                "openapi-keyword-unknown: there is no key `updat` in an action of an overlay",
            ])
        for name in ["./api.yaml", "https://shop.example/docs/api.yaml"] {
            let same = imported("  - {target: $.info, update: {title: Store}}\n", more: "extends: \(name)\n")
            #expect(!same.findings.contains { $0.contains("overlay") }, "\(name)")
        }
        let missing = ImportedDocument(files: ["api.yaml": Self.document], overlays: ["a.yaml", "b.yaml"])
        #expect(missing.result.contract == nil && missing.findings.count == 2)
    }

    /// Merge keys of YAML are resolved in the document and in the overlay.
    @Test func mergeKeysAreResolved() {
        let document = imported(
            "  - target: $.paths['/b'].get\n    update: {<<: {summary: Ours}}\n  - {target: \"$.paths['/b'].get.deprecated\", remove: true}\n",
            document: """
                openapi: 3.1.0
                info: {title: Shop, version: 1.0.0}
                paths:
                  /a: {get: &get {operationId: getA, deprecated: true, responses: {'400': {description: Bad}}}}
                  /b: {get: {<<: *get, operationId: getB}}
                """)
        #expect(document.problems == [])
        #expect(document.block("getA:").contains("deprecated: true") && !document.block("getB:").contains("deprecated"))
        #expect(document.block("getB:").contains("doc: Ours"), "\(document.contract)")
    }

    /// No overlay makes the import run without end, or fill the memory.
    @Test(arguments: [
        String(repeating: "  - {target: $.info, update: {x-a: {}}}\n  - {target: $.info.x-a, copy: $}\n", count: 60)
            .replacing(
                "$.info.x-a", with: "\"$.info['x-a']\""),
        String(repeating: "  - {target: '$..[?@..[?@..a]]', remove: true}\n", count: 400),
        "  - {target: '$" + String(repeating: "[?@", count: 100) + String(repeating: "]", count: 100)
            + "', remove: true}\n",
        "  - {target: $.info, update: " + String(repeating: "{a: ", count: 198) + "1"
            + String(repeating: "}", count: 198) + "}\n",
    ])
    func whatOverlaysTakeIsBounded(_ actions: String) {
        let clock = ContinuousClock()
        let duration = clock.measure {
            let document = ImportedDocument(
                files: ["api.yaml": Self.document, "0.yaml": Self.overlay(actions)], overlays: ["0.yaml"],
                mostOverlaySteps: 200_000)
            #expect(document.result.contract == nil, "\(document.findings.prefix(3))")
            #expect(document.result.findings.contains { $0.severity == .error })
        }
        #expect(duration < .seconds(60))
    }
}

/// A text of YAML in single quotes.
private enum PlainText {
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
