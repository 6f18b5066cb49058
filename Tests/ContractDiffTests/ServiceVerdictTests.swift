import ContractDiff
import Foundation
import Testing

/// The verdicts of what requests have in common, and of connections.
@Suite struct ServiceVerdictTests {
    private static let shop = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        common:
          headers: {X-Version: {const: "1"}}
        credentials: {apiKey: {header: X-Api-Key}}
        signing: {algorithm: hmac-sha256, over: sortedParameters, key: appKey, into: {header: sign}}
        rateLimit: {reset: X-Reset, unit: seconds}
        endpoints:
          order:
            post: /orders
            credentials: apiKey
            body: {item: int}
            response: {number: int}
            effect: {keyed: {header: X-Key, lifetime: 24h}}

        """

    @Test(
        arguments: [
            ("{const: \"1\"}", "{const: \"2\"}", "common.headers.X-Version.const", [0, 2, 0], "oldApp"),
            (
                "{X-Version: {const: \"1\"}}", "{X-Version: {const: \"1\"}, X-Tenant: string}",
                "common.headers.X-Tenant",
                [2, 2, 0], "oldApp"
            ),
            (
                "{X-Version: {const: \"1\"}}", "{X-Version: {const: \"1\"}, X-Trace: {each: uuid}}",
                "common.headers.X-Trace", [0, 2, 0], "oldApp"
            ),
            ("X-Api-Key", "X-Key-Of-App", "credentials.apiKey.header", [0, 2, 0], "both"),
            ("hmac-sha256", "hmac-sha1", "signing.algorithm", [0, 2, 0], "both"),
            ("key: appKey", "key: secret", "signing.key", [2, 0, 0], nil),
            ("X-Reset", "X-Until", "rateLimit.reset", [0, 0, 1], "oldApp"),
            ("header: X-Key", "header: X-Idempotency", "endpoints.order.effect.keyed.header", [0, 2, 2], "both"),
            ("lifetime: 24h", "lifetime: 1h", "endpoints.order.effect.keyed.lifetime", [0, 0, 1], "oldApp"),
            ("https://shop.example", "https://shop.test", "servers.main.url", [0, 2, 0], "oldApp"),
        ] as [(String, String, String, [Int], String?)])
    func theServiceHasItsVerdicts(_ old: String, _ new: String, _ path: String, _ levels: [Int], _ direction: String?)
        throws
    {
        try #require(Self.shop.contains(old))
        try Self.expect(Self.shop, Self.shop.replacing(old, with: new), path, levels, direction)
    }

    private static let live = """
        errand: 1
        service: Live
        servers: {main: wss://live.example}
        connection:
          kind: type
          ping: {every: 20s}
        events:
          moved: {frame: room.moved, data: {to: string}}
          closed: {frame: room.closed}
        endpoints:
          follow:
            frame: room.follow
            effect: read
            body: {room: string}
            response: {name: string}
            delivery: stream
          leave:
            frame: room.leave
            effect: idempotent
            body: {room: string}
            response: none

        """

    @Test(
        arguments: [
            ("kind: type", "kind: op", "connection.kind", [0, 2, 0], "both"),
            ("every: 20s", "every: 10s", "connection.ping.every", [0, 0, 1], "both"),
            ("  closed: {frame: room.closed}\n", "", "events.closed", [2, 0, 2], "oldApp"),
            ("events:\n", "events:\n  opened: {frame: room.opened}\n", "events.opened", [0, 0, 0], nil),
            ("room.moved", "room.renamed", "events.moved.frame", [0, 2, 0], "oldApp"),
            ("to: string", "to: string, by: string", "events.moved.data.by", [0, 1, 0], "newApp"),
            ("frame: room.leave", "frame: room.exit", "endpoints.leave.frame", [0, 2, 0], "both"),
            (
                "delivery: stream", "delivery: {stream: frames, end: room.end}", "endpoints.follow.delivery.end",
                [0, 2, 0], "both"
            ),
            ("    delivery: stream\n", "", "endpoints.follow.delivery", [2, 2, 0], "both"),
        ] as [(String, String, String, [Int], String?)])
    func aConnectionHasItsVerdicts(_ old: String, _ new: String, _ path: String, _ levels: [Int], _ direction: String?)
        throws
    {
        try #require(Self.live.contains(old))
        try Self.expect(Self.live, Self.live.replacing(old, with: new), path, levels, direction)
    }

    private static func expect(
        _ old: String, _ new: String, _ path: String, _ levels: [Int], _ direction: String?
    ) throws {
        let pair = try ContractPair(old, new)
        let change = try #require(pair.change(at: path), "\(pair.listing)")
        #expect(change.verdict.columns.map(\.judgment.level.rawValue) == levels, "\(pair.listing)")
        #expect(change.verdict.direction?.rawValue == direction, "\(pair.listing)")
        #expect(change.range != nil)
    }

    /// A server that becomes the first one takes the requests of apps that name none.
    @Test func theFirstServerIsTheUsualOne() throws {
        let servers = "servers: {main: https://shop.example, test: https://test.example}"
        let old = Self.shop.replacing("servers: {main: https://shop.example}", with: servers)
        let new = old.replacing(servers, with: "servers: {test: https://test.example, main: https://shop.example}")
        let pair = try ContractPair(old, new)
        #expect(pair.changes.map(\.path) == ["servers"], "\(pair.listing)")
        #expect(pair.changes.first?.verdict.behavior.level == .breaks)
        #expect(pair.changes.first?.verdict.direction == .newApp)
    }
}
