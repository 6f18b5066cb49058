import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// The room of a sample is for what has values inside it.
@Suite struct SampleRoomTests {
    private static func rooms(also field: String = "") throws -> [JSONNode] {
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Live
                servers: {local: "http://127.0.0.1:8080"}
                types:
                  Person: {id: int, name: string, signature: string?, friends: "[string]?"}
                  Room: {id: int, title: string, host: Person, cover: string?, tags: "[string]?"\(field)}
                  Page: {rooms: {type: "[Room]", items: 80..80}}
                endpoints:
                  list: {get: /rooms, response: Page}

                """)
        guard case .structure(let fields)? = contract.type(named: "Page")?.form else { throw CancellationError() }
        var generator = SampleGenerator(contract, seed: 1, for: "list")
        guard case .array(let rooms)? = generator.object(fields)["rooms"] else { throw CancellationError() }
        return rooms
    }

    @Test func anotherScalarLeavesTheOtherMembersAsTheyWere() throws {
        let (before, after) = (try Self.rooms(), try Self.rooms(also: ", added: string?, next: int?"))
        #expect(before.count == 80 && after.count == 80)
        for (old, new) in zip(before, after) {
            #expect(new["added"] != nil)
            for member in old.members ?? [] { #expect(new[member.name] == member.value, "\(member.name)") }
        }
        #expect(before.allSatisfy { $0["host"]?["signature"] != nil && $0["tags"] != nil })
    }
}
