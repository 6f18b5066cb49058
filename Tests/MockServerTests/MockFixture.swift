import ContractModel
import Foundation
import JSONTree

@testable import MockServer

/// Contracts for the engine, from the repository or from a text.
enum MockFixture {
    struct Broken: Error, CustomStringConvertible { let description: String }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The shipped contracts over HTTP.
    static let shipped = ["auth", "bank", "conversations", "friends", "live", "video"]

    static func contract(_ name: String) throws -> ResolvedContract {
        try resolve(Folder(), "contracts/\(name).contract.yaml")
    }

    static func contract(text: String) throws -> ResolvedContract {
        try resolve(Text(text: text), "shop.contract.yaml")
    }

    static func engine(_ name: String, seed: UInt64 = 0, _ change: (inout MockSettings) -> Void = { _ in }) throws
        -> MockEngine
    {
        var settings = MockSettings()
        settings.seed = seed
        change(&settings)
        return MockEngine(try contract(name), settings)
    }

    /// A client of a service with these endpoints, one in a line.
    static func client(_ endpoints: String, types: String, _ more: String) throws -> MockClient {
        let lines = endpoints.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        let text = """
            errand: 1
            service: Shop
            servers: {local: "http://127.0.0.1:8080"}
            \(more)
            types: {\(types)}
            endpoints:
            \(lines)
            """
        return MockClient(MockEngine(try MockFixture.contract(text: text)))
    }

    private static func resolve(_ provider: any SourceProvider, _ path: String) throws -> ResolvedContract {
        let examination = ContractResolver(provider: provider).examine(path: path)
        guard let contract = examination.resolved else {
            throw Broken(description: examination.findings.map(\.message).joined(separator: "\n"))
        }
        return contract
    }

    private struct Folder: SourceProvider {
        func read(_ path: String) -> SourceReading {
            guard let data = try? Data(contentsOf: root.appendingPathComponent(path)) else {
                return .failure(rule: .missingFile, message: "no \(path)", help: nil)
            }
            return .bytes(Array(data))
        }
    }

    private struct Text: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }
}

/// A client of the engine that says what it sends and reads what comes back.
struct MockClient {
    var engine: MockEngine
    var now = Duration.zero
    var token: String?
    private(set) var last: LogEntry?

    init(_ engine: MockEngine) { self.engine = engine }

    /// The status and the body of a response.
    struct Answer {
        let status: Int
        let json: JSONNode
        let reply: MockReply
        var finding: String? { reply.response.header(MockEngine.findingHeader) }
    }

    mutating func send(
        _ method: String, _ target: String, _ body: String? = nil, headers: [(String, String)] = []
    ) throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var all: [(name: String, value: String)] = headers.map { ($0.0, $0.1) }
        if let token { all.append(("Authorization", "Bearer \(token)")) }
        if body != nil { all.append(("Content-Type", "application/json")) }
        now += .milliseconds(10)
        let reply = engine.respond(
            to: MockRequest(
                method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: all,
                body: Array((body ?? "").utf8)), at: now)
        last = reply.entry
        let bytes = reply.response.body.bytes
        let json = bytes.isEmpty ? JSONNode.null : (try? JSONParser.parse(bytes)) ?? .string("not JSON")
        return Answer(status: reply.response.status, json: json, reply: reply)
    }

    /// Logs in at the bank.
    mutating func logIn(_ user: String = "ada") throws {
        let answer = try send("POST", "/v1/sessions", "{\"user\":\"\(user)\",\"password\":\"lovelace\"}")
        token = answer.json["data"]?["token"]?.scalarText
    }
}
