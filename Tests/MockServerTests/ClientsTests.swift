import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// What the server knows of its clients: their sessions, however many there are, and which of them has sent a request again.
@Suite struct ClientsTests {
    @Test func theOldestIsForgotten() {
        var map = RecentMap<Int, String>(most: 3)
        for number in 0..<3 { map[number] = "\(number)" }
        map[0] = "again"
        #expect(map[0] == "again" && map.keys == [0, 1, 2])
        map[1] = nil
        map[3] = "3"
        #expect(map.count == 3 && map.keys == [0, 2, 3], "what was removed makes room")
        map[4] = "4"
        #expect(map[0] == nil && map.keys == [2, 3, 4])
        map[2] = nil
        map[2] = "anew"
        map[5] = "5"
        #expect(map.keys == [4, 2, 5] && map[2] == "anew", "what comes back is the latest")
        for number in 10..<1_000 { map[number] = "\(number)" }
        #expect(map.keys == [997, 998, 999])
        map.removeAll()
        #expect(map.count == 0 && map.keys.isEmpty && map[999] == nil)
    }

    private func token(_ desk: inout SessionDesk, _ user: Int) -> String {
        desk.issueAccess(user: user, identity: "\(user)", claim: nil, lifetime: nil, at: .zero)
    }

    /// Each user is another one, also after more of them than the server remembers.
    @Test func usersStayTwoWithManySessions() {
        var desk = SessionDesk(seed: 1)
        var numbers: Set<Int> = []
        for name in 0..<(SessionDesk.mostTokens + 100) { numbers.insert(desk.user(named: Fingerprint("\(name)"))) }
        #expect(numbers.count == SessionDesk.mostTokens + 100)
        let last = Fingerprint("\(SessionDesk.mostTokens + 99)")
        let known = desk.user(named: last)
        #expect(known == SessionDesk.mostTokens + 100, "a user who comes back is the same one")
    }

    @Test func aTokenThatWasRevokedStaysRefused() {
        var desk = SessionDesk(seed: 1)
        func isTaken(_ token: String) -> Bool { desk.takes(token, at: .zero, isForeign: true) }
        for number in 0..<(SessionDesk.mostTokens + 10) { desk.revoke("foreign-\(number)") }
        #expect(!isTaken("foreign-\(SessionDesk.mostTokens + 9)"))
        for number in 0..<(SessionDesk.mostTokens + 10) { _ = isTaken("other-\(number)") }
        desk.expireAll()
        #expect(!isTaken("other-\(SessionDesk.mostTokens + 9)") && !isTaken("other-100"))
        #expect(isTaken("new"))
    }

    /// Tokens that were used up are no reason to forget one that is still good.
    @Test func aRefreshTokenOutlastsThoseThatWereUsed() {
        var desk = SessionDesk(seed: 1)
        let (mine, access) = (desk.issueRefresh(user: 1), token(&desk, 1))
        for _ in 0..<(SessionDesk.mostTokens + 10) {
            let other = desk.issueRefresh(user: 2)
            let user = desk.takeRefresh(other)
            #expect(user == 2)
            desk.revoke(token(&desk, 2))
        }
        let users = [desk.takeRefresh(mine), desk.takeRefresh(mine)]
        #expect(users == [1, nil])
        let isTaken = desk.takes(access, at: .zero, isForeign: false)
        #expect(isTaken)
    }

    // MARK: The log

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
