import Testing

@testable import SwiftEmitter

/// The number of files follows the contract's size, and what is declared does not depend on it.
@Suite struct ShardTests {
    @Test(arguments: [0, 1, 24, 25, 48, 49, 1000]) func everyDeclarationIsInOneFile(_ count: Int) {
        let elements = Array(0..<count)
        for files in [nil, 1, 4, 64] {
            let shards = ShardPlan.split(elements, into: files)
            #expect(shards.flatMap { $0 } == elements)
            if let files { #expect(shards.count == files) } else { #expect(!shards.contains { $0.isEmpty }) }
        }
        #expect(ShardPlan.split(elements, into: nil).allSatisfy { $0.count <= ShardPlan.size })
    }

    @Test func aSmallClientHasNoEmptyFiles() throws {
        let emitted = try EmittedContract(EmittedContract.contract("endpoints: {a: {get: /a}}\n"))
        #expect(emitted.files.map(\.path) == ["Shop/Shop.swift", "Shop/ShopErrors.swift", "Shop/ShopCommands1.swift"])
    }

    @Test(arguments: [1, 3, 8]) func theDeclarationsAreTheSame(_ shards: Int) throws {
        let types = (0..<60).map { "Type\($0): {a: int}" }.joined(separator: ", ")
        let contract = EmittedContract.contract("types: {\(types)}\nendpoints: {a: {get: /a}}\n")
        let split = try EmittedContract(contract, options: EmitterOptions(shards: shards))
        #expect(split.files.count == 2 + 2 * shards)
        let whole = try EmittedContract(contract)
        func declarations(_ emitted: EmittedContract) -> [Substring] {
            emitted.text.split(separator: "\n").filter { $0.contains("public ") && !$0.contains("import ") }
        }
        #expect(declarations(split) == declarations(whole))
    }
}
