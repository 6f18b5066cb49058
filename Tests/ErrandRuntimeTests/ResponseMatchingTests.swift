import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Rows that name headers, or the text of a body that is no JSON.
@Suite struct ResponseMatchingTests {
    private static let table: DecisionTable = [
        .error("told", values: [.text("busy", at: "error.kind"), .header("X-Why", "*")]),
        .error("away", status: 503, values: [.text("*connection failure*")]),
        .error("page", values: [.text("<html>*")]),
        .error("usedUp", status: 403, values: [.header("X-RateLimit-Remaining", "0")]),
        .error("limited", status: 403, values: [.header("x-ratelimit-remaining", "*")]),
    ]

    private static func name(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "") -> String? {
        let response = TransportResponse(status: status, headers: headers, body: Array(body.utf8))
        return table.row(for: response, code: "")?.verdict.name
    }

    @Test func headersAreComparedByTheirValues() {
        #expect(Self.name(403, ["x-ratelimit-remaining": "0"]) == "usedUp")
        #expect(Self.name(403, ["X-RateLimit-Remaining": " 0 "]) == "usedUp", "blanks are no part of a value")
        #expect(Self.name(403, ["X-RateLimit-Remaining": "17"]) == "limited")
        #expect(
            Self.name(403, ["X-RateLimit-Remaining": "0", "x-ratelimit-remaining": "0"]) == "limited", "it is `0, 0`")
        #expect(Self.name(403, ["X-RateLimit-Remaining": ""]) == "limited")
        #expect(Self.name(403) == nil && Self.name(429, ["X-RateLimit-Remaining": "0"]) == nil)
    }

    @Test func textsAreThoseOfBodiesThatAreNoJSON() {
        #expect(Self.name(503, [:], "reset reason: remote connection failure") == "away")
        #expect(Self.name(503, [:], #""remote connection failure""#) == nil, "it is JSON")
        #expect(Self.name(503, [:], #"{"message":"remote connection failure"}"#) == nil, "it is JSON")
        #expect(Self.name(503, [:], #"{"message":"remote connection failure"#) == "away", "it was cut")
        #expect(Self.name(503) == nil && Self.name(502, [:], "connection failure") == nil)
        #expect(Self.name(500, [:], "\r\n  <html>\n") == "page")
        let before = String(repeating: " ", count: 8_192 - "connection failure".utf8.count)
        #expect(Self.name(503, [:], before + "connection failure") == "away")
        #expect(Self.name(503, [:], " " + before + "connection failure") == nil, "it is behind the first 8 KiB")
    }

    @Test func allThatARowNamesMustMatch() {
        #expect(Self.name(400, ["X-Why": "load"], #"{"error":{"kind":"busy"}}"#) == "told")
        #expect(Self.name(400, [:], #"{"error":{"kind":"busy"}}"#) == nil)
        #expect(Self.name(400, ["X-Why": "load"], #"{"error":{"kind":"bus"}}"#) == nil)
    }

    /// A frame has its JSON, and the response to a handshake is about the connection.
    @Test func framesHaveNeither() {
        for frame in [FrameReply.handshake, .failure] {
            var response = TransportResponse(
                status: 403, headers: ["X-RateLimit-Remaining": "0"], body: Array("<html>".utf8))
            #expect(Self.table.row(for: response, code: "")?.verdict.name == "page")
            response.frame = frame
            #expect(Self.table.row(for: response, code: "") == nil)
        }
    }

    /// A rate limit that is used up is waited for, and then the command succeeds: GitHub says it with 403.
    @Test func aLimitThatIsUsedUpIsWaitedFor() async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let start = simulation.clock.now
            simulation.server.on(Hub.Count.self) { _ in
                let passed = start.duration(to: simulation.clock.now)
                if passed >= .seconds(40) { return .json(200, "7") }
                let left = Int((.seconds(40) - passed) / .seconds(1)) + 1
                return TransportResponse(
                    status: 403, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(left)"])
            }
            let hub = Hub(on: simulation.dispatcher)
            let count = await (try? hub.send(Hub.Count()))
            #expect(count == 7, "\(simulation)")
            #expect(start.duration(to: simulation.clock.now) < .seconds(50), "\(simulation)")
        }
    }

    private struct Hub: ServiceClient {
        var binding: ServiceBinding

        init(on dispatcher: Dispatcher) {
            binding = ServiceBinding(Self.service, server: "https://hub.example", on: dispatcher, session: Session())
        }

        static let service = ServiceDescription(
            name: "Hub", version: "1", errors: [ErrorDescription("usedUp", .retryable)])

        struct Count: ErrandRuntime.Command {
            typealias Service = Hub
            typealias Failure = CommandFault
            typealias Response = Int
            static let endpoint = EndpointDescription(
                Hub.service, "count", .post, effect: .once, deadline: .seconds(100), response: .json,
                table: [.error("usedUp", status: 403, values: [.header("X-RateLimit-Remaining", "0")])])
            func encode(into request: inout RequestEncoder) { request.path("/count") }
            static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
        }
    }
}
