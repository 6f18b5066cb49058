import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// What the log says of clients: which of them has sent a request again.
@Suite struct ClientsTests {
    @Test func onlyTheSameClientSendsARequestAgain() throws {
        var client = MockClient(try MockFixture.engine("bank"))
        try client.logIn("ada")
        let ada = client.token
        try client.logIn("grace")
        let grace = client.token
        let failing = [("Errand-Mock", "unavailable")]
        func remark(_ token: String?, _ headers: [(String, String)] = failing) throws -> String? {
            client.token = token
            _ = try client.send("GET", "/v1/accounts/1", headers: headers)
            return client.last?.remark
        }
        #expect(try remark(ada) == nil)
        #expect(try remark(grace) == nil, "another user")
        #expect(try remark(ada)?.hasPrefix("sent again after") == true)
        #expect(try remark(ada, failing + [("User-Agent", "curl")]) == nil, "another program")
        // A new session of the same user is the same client, and its request is the one that was refused.
        client.engine.expireSessions()
        #expect(try remark(ada, []) != nil)
        try client.logIn("ada")
        #expect(try remark(client.token, [])?.hasPrefix("sent again after") == true)
    }

    @Test func onlyTheSameProgramReconnects() throws {
        var engine = try MockFixture.engine("presence") { $0.eventInterval = nil }
        func open(_ program: String) throws -> (number: Int, remark: String?) {
            let opening = FrameClient.handshake(&engine, headers: [("User-Agent", program)])
            guard case .opened(let number, _, _, let entry) = opening else {
                throw MockFixture.Broken(description: "the handshake is refused")
            }
            return (number, entry.remark)
        }
        let first = try open("app")
        _ = engine.ended(first.number, .lost, at: .zero)
        #expect(try open("web").remark == nil)
        #expect(try open("app").remark?.hasPrefix("reconnected after") == true)
        #expect(try open("app").remark == nil)
    }

    // MARK: Secrets in the log

    private static let secret = "s3cr3t-0f-ada"

    /// Clients have several spellings of a list, and of the member of a map.
    @Test func aSensitiveListIsNotPrinted() throws {
        var client = try MockFixture.client(
            "search: {get: /items, query: {name: {type: \"[string]\", sensitive: true}, page: int?}, response: none, session: none}",
            types: "", "")
        for name in ["name[]", "name%5B0%5D", "name.first"] {
            _ = try client.send("GET", "/items?page=2&\(name)=\(Self.secret)")
            let target = client.last?.target ?? ""
            #expect(target == "/items?page=2&name[…]=…", "\(name): \(target)")
        }
    }
}
