import ContractModel
import Diagnostics
import SwiftEmitter
import Testing

/// Which endpoints are generated, and under which names, where `errand.yaml` has a say.
@Suite struct CustomizationTests {
    static let text = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        session: {header: Authorization, login: logIn, token: token}
        envelopes:
          plain: {data: data, code: code}
          other: {data: payload}
        errors:
          soldOut: {category: nonRetryable, when: {code: 7}, data: {item: item_rec}}
          barred: {category: nonRetryable, when: {code: 8}, data: {reason: Reason}}
        defaults: {envelope: plain}
        types:
          item_rec: {item_no: int, parts: "[Part]"}
          Part: {name: string, color: Color?}
          Color: {enum: [red, green]}
          Reason: {text: string}
          Pet: {union: {by: kind, cases: {dog: Dog}}}
          Dog: {name: string}
        endpoints:
          logIn: {post: /sessions, body: {user: string}, response: {token: string}}
          listItems: {get: "/items/{shelf}", query: {page_no: int?}, response: "[item_rec]"}
          buyItem:
            post: /orders
            body: {item_no: int}
            response: {order: string}
            errors: [soldOut]
            confirm: {endpoint: findOrder, with: {key: idempotencyKey}}
            effect: keyed
          findOrder: {get: "/orders/{key}", response: {order: string}}
          listPets: {get: /pets, response: "[Pet]", envelope: other, errors: [barred]}
        """

    private struct Source: SourceProvider {
        func read(_ path: String) -> SourceReading { .bytes(Array(CustomizationTests.text.utf8)) }
    }

    private func contract() throws -> ResolvedContract {
        let resolved = ContractResolver(provider: Source()).resolve(path: "shop.contract.yaml")
        return try #require(resolved.contract, "\(resolved.diagnostics)")
    }

    private func located(_ text: String, line: Int = 1) -> Located<String> {
        let start = SourcePosition(line: line, column: 1, offset: 0)
        return Located(text, at: SourceRange(file: "errand.yaml", start: start, end: start))
    }

    private func selected(_ names: [String]) throws -> (contract: ResolvedContract, diagnostics: [Diagnostic]) {
        ContractCustomization(endpoints: names.map { located($0) }).apply(to: try contract())
    }

    @Test func whatAnEndpointNeedsComesWithIt() throws {
        let items = try selected(["listItems"]).contract
        #expect(items.endpoints.map(\.name.value) == ["logIn", "listItems"])
        #expect(items.types.map(\.name.value) == ["item_rec", "Part", "Color"])
        #expect(items.errors.isEmpty)
        #expect(items.envelopes.map(\.name.value) == ["plain"])
    }

    @Test func anErrorsDataAndTheConfirmingReadComeToo() throws {
        let orders = try selected(["buyItem"]).contract
        #expect(orders.endpoints.map(\.name.value) == ["logIn", "buyItem", "findOrder"])
        #expect(orders.errors.map(\.name.value) == ["soldOut"])
        #expect(orders.types.map(\.name.value) == ["item_rec", "Part", "Color"])
        let pets = try selected(["listPets"]).contract
        #expect(pets.types.map(\.name.value) == ["Reason", "Pet", "Dog"])
        #expect(pets.envelopes.map(\.name.value) == ["plain", "other"])
    }

    @Test func anUnknownEndpointIsFound() throws {
        let result = try selected(["listItms", "zzz"])
        #expect(result.diagnostics.map(\.rule) == ["unknown-endpoint", "unknown-endpoint"])
        #expect(result.diagnostics.first?.help == "did you mean `listItems`?")
        #expect(result.diagnostics.last?.help?.contains("logIn, listItems") == true)
        #expect(result.diagnostics.first?.file == "errand.yaml")
    }

    @Test func namesReachEveryDeclaration() throws {
        let names = SwiftNames([
            .types: [SwiftNames.Entry(located("item_rec"), is: located("Item"))],
            .errors: [SwiftNames.Entry(located("soldOut"), is: located("outOfStock"))],
            .endpoints: [SwiftNames.Entry(located("listItems"), is: located("items"))],
            .fields: [
                SwiftNames.Entry(located("item_rec.item_no"), is: located("number")),
                SwiftNames.Entry(located("listItems.page_no"), is: located("page")),
                SwiftNames.Entry(located("listItems.shelf"), is: located("board")),
                SwiftNames.Entry(located("buyItem.item_no"), is: located("item")),
                SwiftNames.Entry(located("soldOut.item"), is: located("what")),
            ],
        ])
        let tailored = ContractCustomization(names: names).apply(to: try contract())
        #expect(tailored.diagnostics.isEmpty)
        let emitted = ClientEmitter(templates: try #require(TemplateCatalog.load(overrides: [:]).catalog)).emit(
            tailored.contract)
        #expect(emitted.diagnostics.isEmpty)
        let text = emitted.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        for wanted in ["struct Item:", "case outOfStock", "func items(", "board: ", "buyItem(item: ", "var what: "] {
            #expect(text.contains(wanted), "\(wanted)")
        }
        for wire in ["\"item_no\"", "\"page_no\""] { #expect(text.contains(wire), "\(wire)") }
        #expect(!text.contains("ItemRec"))
    }

    @Test func namesOfNothingAreFoundAndBadOnesRefused() throws {
        let names = SwiftNames([
            .types: [
                SwiftNames.Entry(located("Prt"), is: located("Piece")),
                SwiftNames.Entry(located("Part"), is: located("let", line: 4)),
            ],
            .fields: [SwiftNames.Entry(located("Part.nam"), is: located("title"))],
        ])
        let tailored = ContractCustomization(names: names).apply(to: try contract())
        #expect(tailored.diagnostics.map(\.message) == ["`Shop` has no type `Prt`", "`Shop` has no field `Part.nam`"])
        #expect(tailored.diagnostics.map(\.help) == ["did you mean `Part`?", "did you mean `Part.name`?"])
        let findings = ClientEmitter.findings(in: tailored.contract)
        #expect(findings.map(\.rule) == ["swift-name-invalid"])
        #expect(findings.first?.range?.start.line == 4)
    }

    /// A selection keeps the connection, the command that presents the token, and the events with their types.
    @Test func aSelectionKeepsTheConnection() throws {
        struct Source: SourceProvider {
            let text = """
                errand: 1
                service: Shop
                servers: {main: "wss://shop.example"}
                connection: {payload: data}
                session: {login: logIn, attach: attach, token: token}
                types: {News: {text: string}, Item: {id: int}}
                endpoints:
                  logIn: {frame: login, session: none, response: {token: string}, effect: idempotent}
                  attach: {frame: attach, session: none, body: {token: {type: string, sensitive: true}}, effect: idempotent}
                  getItem: {frame: item, response: Item, effect: read}
                  buyItem: {frame: buy, response: Item, effect: once}
                events:
                  news: {frame: news, data: News, swift: Headline}
                  closing: {frame: closing, data: {at_time: int}}
                """
            func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
        }
        let resolved = ContractResolver(provider: Source()).resolve(path: "shop.contract.yaml")
        let contract = try #require(resolved.contract, "\(resolved.diagnostics)")
        let names = SwiftNames([
            .types: [SwiftNames.Entry(located("closing"), is: located("Closing"))],
            .fields: [SwiftNames.Entry(located("closing.at_time"), is: located("time"))],
        ])
        let tailored = ContractCustomization(endpoints: [located("buyItem")], names: names).apply(to: contract)
        #expect(tailored.diagnostics.isEmpty)
        #expect(tailored.contract.endpoints.map(\.name.value) == ["logIn", "attach", "buyItem"])
        #expect(tailored.contract.types.map(\.name.value) == ["News", "Item"])
        let emitted = ClientEmitter(templates: try #require(TemplateCatalog.load(overrides: [:]).catalog)).emit(
            tailored.contract)
        let text = emitted.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        for wanted in [
            "connection: ConnectionDescription(.persistent, payload: \"data\")", "attach: { Attach(token: $0) }",
            "extension Shop.Headline: ServerEvent", "extension Shop.Closing: ServerEvent", "let time: Int",
            "JSONKeys([\"at_time\"",
        ] { #expect(text.contains(wanted), "\(wanted)") }
    }

    @Test func theContractsOwnSwiftNameComesFirst() throws {
        var contract = try contract()
        contract.endpoints[1].swiftName = located("everything")
        let names = SwiftNames([.endpoints: [SwiftNames.Entry(located("listItems"), is: located("items"))]])
        #expect(
            ContractCustomization(names: names).apply(to: contract).contract.endpoints[1].swiftName?.value
                == "everything")
    }
}
