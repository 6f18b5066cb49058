import JSONTree
import Testing

@testable import MockServer

/// What clients can use up, and what they can do to a terminal.
@Suite struct BoundsTests {
    /// With a part for each path through the types, a response would have millions of members.
    @Test(.timeLimit(.minutes(1))) func typesThatContainOthersTwiceMakeNoEndlessResponse() throws {
        let types = (0..<24).map { "  T\($0): {a: T\($0 + 1), b: T\($0 + 1), c: \"[T\($0 + 1)]?\"}\n" }.joined()
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Shop
                servers: {local: "http://127.0.0.1:8080"}
                types:
                \(types)  T24: {name: string}
                endpoints:
                  get: {get: /tree, response: T0}
                """)
        var generator = SampleGenerator(contract, seed: 1, for: "get")
        let endpoint = try #require(contract.endpoints.first)
        guard case .type(let type, _, _) = endpoint.response.value else {
            throw CancellationError()
        }
        #expect(generator.value(of: type).bytes.count < 4_000_000)
    }

    /// As in documents of others, where each thing can be shown inside each other one: a first member that takes all the room would
    /// leave none to the others.
    @Test func theMembersOfAnObjectShareItsRoom() throws {
        let names = (0..<60).map { "T\($0)" }
        let types = names.map { name in
            "  \(name): {id: int, \(names.filter { $0 != name }.map { "\($0.lowercased()): \($0)?" }.joined(separator: ", "))}\n"
        }.joined()
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Shop
                servers: {local: "http://127.0.0.1:8080"}
                types:
                \(types)endpoints:
                  get: {get: /things, response: T0}
                """)
        var generator = SampleGenerator(contract, seed: 1, for: "get")
        guard case .structure(let fields)? = contract.type(named: "T0")?.form else { throw CancellationError() }
        let sample = generator.object(fields)
        #expect(names.dropFirst().allSatisfy { sample[$0.lowercased()]?.members != nil })
        #expect(sample.bytes.count < 50_000)
    }

    /// The cost of a body is that of its bytes: with a search for each member, this would take an hour.
    @Test(.timeLimit(.minutes(1)), arguments: ["application/json", "application/x-www-form-urlencoded"])
    func manyMembersTakeNoLongerEach(_ type: String) throws {
        let encoding = type == "application/json" ? "json" : "form"
        let contract = try MockFixture.contract(
            text: """
                errand: 1
                service: Shop
                servers: {local: "http://127.0.0.1:8080"}
                endpoints:
                  save: {put: /book, body: {encoding: \(encoding), fields: {title: string}}, response: {title: string}}
                """)
        var engine = MockEngine(contract)
        let names = (0..<300_000).map { "m\($0)" }
        let body =
            encoding == "json"
            ? "{\(names.map { "\"\($0)\":1" }.joined(separator: ",")),\"title\":\"a\"}"
            : names.map { "\($0)=1" }.joined(separator: "&") + "&title=a"
        let reply = engine.respond(
            to: MockRequest(
                method: "PUT", path: "/book", query: "", headers: [("Content-Type", type)], body: Array(body.utf8)),
            at: .zero)
        #expect(reply.response.status == 200)
        #expect(JSONNode.parsed(reply.response.body.bytes)?["title"] == .string("a"))
    }

    @Test func keysThatDifferOnlyAtTheirEndAreTwo() {
        let long = String(repeating: "k", count: 5_000)
        #expect(Fingerprint(long + "1") != Fingerprint(long + "2"))
        #expect(Fingerprint("ab", "c") != Fingerprint("a", "bc"))
    }

    @Test func theStoreKeepsSoManyBytes() {
        let most = 100_000
        var store = ResourceStore(mostBytes: most)
        let text = JSONNode.string(String(repeating: "a", count: 10_000))
        var sizes: [Int] = []
        for number in 0..<50 {
            store.open("/items") { [] }
            store.put(text, as: "\(number)", in: "/items", isListed: true)
            sizes.append(store.size)
        }
        for number in 0..<2_000 {
            store.open("/items") { [] }
            store.remove("\(number)", in: "/items")
            sizes.append(store.size)
        }
        #expect((most / 2...most + 20_000).contains(sizes.max() ?? 0), "\(sizes.max() ?? 0)")
        #expect(zip(sizes, sizes.dropFirst()).count { $0 > $1 } >= 4, "it starts anew several times")
        var other = ResourceStore()
        other.open("/items") { [("1", text)] }
        let size = other.size
        other.open("/items/1/parts") { [("1", text)] }
        other.put(text, as: "2", in: "/items", isListed: true)
        other.put(text, as: "2", in: "/items", isListed: true)
        other.remove("2", in: "/items")
        other.remove("1", in: "/items")
        #expect(other.size < size && other.items(in: "/items/1/parts").isEmpty, "what was removed takes no memory")
    }

    @Test func readingKeepsNothing() throws {
        var client = MockClient(try MockFixture.engine("bank"))
        try client.logIn()
        _ = try client.send("GET", "/v1/accounts/1")
        let size = client.engine.store.size
        for number in 100..<200 { _ = try client.send("GET", "/v1/accounts/\(number)") }
        #expect(client.engine.store.size == size)
    }

    @Test func findingsAreShortAndObeyNothing() throws {
        var client = MockClient(try MockFixture.engine("bank"))
        try client.logIn()
        let name = "\\u001b[2J\\u0007" + String(repeating: "n", count: 100_000)
        let mark = String(repeating: "e\u{301}\u{301}\u{301}", count: 10_000)
        let bodies = [
            "{\"nickname\":\"a\",\"\(name)\":1}", "{\"nickname\":\"a\",\"\(mark)\":1}",
            "{\"nickname\":\"\\u001b]0;title\\u0007\(mark)\"}",
        ]
        var findings: [String] = []
        for body in bodies {
            findings += try client.send("PUT", "/v1/accounts/1/nickname", body).reply.entry.findings
        }
        findings += try client.send("GET", "/v1/accounts?\(name)=1&%1B%5B2J=2").reply.entry.findings
        findings += try client.send("GET", "/v1/accounts", headers: [("Errand-Mock", "\u{1B}[31m" + name)]).reply.entry
            .findings
        findings += try client.send("\u{1B}[1mGET", "/v1/accounts").reply.entry.findings
        #expect(findings.count >= 5)
        for finding in findings {
            #expect(finding.unicodeScalars.count <= 1_100, "\(finding.unicodeScalars.count)")
            #expect(!finding.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        }
        #expect(findings.contains { $0.contains("\\u{1B}[2J\\u{7}nnn") && $0.contains("…") }, "\(findings)")
        #expect(client.last?.method == "\\u{1B}[1mGET")
    }
}
