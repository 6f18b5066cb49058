import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// Fields with an example, and with the default of a single value.
@Suite struct SampleExampleTests {
    private static let contract = """
        errand: 1
        service: Payments
        servers: {local: "http://127.0.0.1:8080"}
        types:
          Status: {enum: {open: o, paid: p}}
          Charge:
            id: {type: string, example: ch_1}
            code: {type: string, example: "12"}
            account: {type: string, default: none, example: main}
            status: {type: Status, example: p}
            tags: {type: [string], example: [new, old]}
            owner: {type: Owner?, example: {fullName: Ada}}
            isLive: bool = true
            count: int = 7
            share: decimal = 0.50
          Owner: {fullName: {type: string, wire: full_name}}
        endpoints:
          get: {get: "/charges/{id}", response: Charge}
          list: {get: /charges, response: "[Charge]"}
          all: {get: /all, response: {charges: [Charge], next: {type: string?, example: page-2}}}
          add: {post: /charges, body: {amount: {type: int, example: 500}}, response: Charge, effect: once}

        """

    private func payload(_ name: String) throws -> JSONNode {
        let contract = try MockFixture.contract(text: Self.contract)
        let endpoint = try #require(contract.endpoints.first { $0.name.value == name })
        return try #require(PayloadMaker(contract: contract, seed: 3).payload(of: endpoint))
    }

    @Test func aFieldHasItsExample() throws {
        let charge = try payload("get")
        #expect(charge["id"] == .string("ch_1"))
        #expect(charge["code"] == .string("12"))
        #expect(charge["account"] == .string("main"))
        #expect(charge["status"] == .string("p"))
        #expect(charge["tags"] == .array([.string("new"), .string("old")]))
        #expect(charge["owner"] == .object([.init("full_name", .string("Ada"))]))
    }

    @Test func aNumberAndATruthValueHaveTheirDefault() throws {
        let charge = try payload("get")
        #expect(charge["isLive"] == .bool(true))
        #expect(charge["count"] == .number("7"))
        #expect(charge["share"] == .number("0.50"))
    }

    /// With the same id, an app would show one of them.
    @Test func theElementsOfAListKeepTheirOwnIDs() throws {
        for elements in [try payload("list").elements ?? [], try payload("all")["charges"]?.elements ?? []] {
            #expect(elements.allSatisfy { $0["id"] != .string("ch_1") && $0["code"] == .string("12") })
            #expect(Set(elements.compactMap { $0["id"]?.scalarText }).count == elements.count)
        }
        #expect(try payload("all")["next"] == .string("page-2"))
    }

    @Test func theItemsOfACollectionKeepTheirOwnIDs() throws {
        var client = MockClient(MockEngine(try MockFixture.contract(text: Self.contract)))
        let items = try client.send("GET", "/charges").json.elements ?? []
        #expect(items.count > 1)
        #expect(Set(items.compactMap { $0["id"]?.scalarText }).count == items.count)
    }

    @Test func aRequestHasTheExamplesOfItsInputs() throws {
        let contract = try MockFixture.contract(text: Self.contract)
        let endpoint = try #require(contract.endpoints.first { $0.name.value == "add" })
        let request = RequestSample(contract, seed: 0, token: "", refresh: "").request(of: endpoint, base: "")
        #expect(request.map { String(decoding: $0.body, as: UTF8.self) } == "{\"amount\":500}")
    }
}
