import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// Single values with a default, which documents of others have for constants.
@Suite struct SampleDefaultTests {
    private static let contract = """
        errand: 1
        service: Payments
        servers: {local: "http://127.0.0.1:8080"}
        types:
          Status: {enum: [open, paid]}
          Charge: {object: string = charge, id: string, kind: Tag = gift, status: Status = open, count: int = 7}
          Tag: {alias: string, length: 1..9}
        endpoints:
          get: {get: /charge, response: Charge}
          list: {get: /charges, response: "[Charge]"}

        """

    @Test func aTextHasItsDefault() throws {
        let contract = try MockFixture.contract(text: Self.contract)
        guard case .structure(let fields)? = contract.type(named: "Charge")?.form else { throw CancellationError() }
        for seed in UInt64(1)...5 {
            var generator = SampleGenerator(contract, seed: seed, for: "get")
            let sample = generator.object(fields)
            #expect(sample["object"] == .string("charge"))
            #expect(sample["kind"] == .string("gift"))
            #expect(sample["id"] != nil && sample["id"] != .string("charge"))
        }
    }

    /// An enum has other values, too, so that an app meets them.
    @Test func theDefaultOfAnEnumIsOneValueOfMany() throws {
        let contract = try MockFixture.contract(text: Self.contract)
        guard case .structure(let fields)? = contract.type(named: "Charge")?.form else { throw CancellationError() }
        let samples = (UInt64(1)...20).map { seed in
            var generator = SampleGenerator(contract, seed: seed, for: "get")
            return generator.object(fields)
        }
        #expect(samples.contains { $0["status"] == .string("paid") })
        #expect(samples.allSatisfy { $0["count"] == .number("7") })
    }
}
