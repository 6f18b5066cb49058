import Testing

@testable import RecordedTraffic

/// Recorded successes of endpoints that say which status a success has.
@Suite struct StatusTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        errors: {closed: {category: nonRetryable, when: {status: 409}, message: No.}}
        endpoints:
          addBook:
            post: /books
            body: {title: string}
            response: {id: int}
            status: 201
            errors: [closed]
            outcomes: {later: {when: {status: 202}}}
          orderBook: {post: /orders, body: {title: string}, response: {id: int}}
        """

    private static func found(_ statuses: [Int], path: String = "/books") throws -> [String] {
        let entries = statuses.map {
            Recordings.entry("POST", "https://shop.example" + path, $0, #"{"id":1}"#, sent: #"{"title":"Dune"}"#)
        }
        return Recordings.judge(Recordings.har(entries), by: [try Recordings.contract(contract)]).lines
            .filter { $0.contains("undeclared-status") }
    }

    @Test func anotherStatusIsOneFindingForEachStatus() throws {
        let found = try Self.found([200, 201, 203, 200, 200])
        #expect(
            found == [
                "warning undeclared-status: `addBook` succeeds with HTTP 200, and the contract says `status: 201` (in 3 entries, the first is `entries[0]`)",
                "warning undeclared-status: `addBook` succeeds with HTTP 203, and the contract says `status: 201` (in `entries[2]`)",
            ])
    }

    @Test(arguments: [[201], [202], [206], [409], [418]])
    func theStatusAnOutcomeAndAFailureAreNone(_ statuses: [Int]) throws {
        #expect(try Self.found(statuses) == [])
    }

    @Test func anEndpointWithoutTheKeyHasAnyStatus() throws {
        #expect(try Self.found([200, 201, 203], path: "/orders") == [])
    }
}
