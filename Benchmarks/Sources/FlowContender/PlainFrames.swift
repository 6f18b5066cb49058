#if HAS_ASYNC_HTTP_CLIENT
import ErrandJSON
import FlowClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The code that an engineer would write by hand over SwiftNIO, with the parsing of the generated client.
struct PlainFrames: Contender {
    private typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    func carryOut(_ job: Job) async throws -> Int {
        // The first small job.
        let count = job.name == .frames ? job.count : 1_000
        guard let port = job.server.split(separator: ":").last.flatMap({ Int($0) }) else { throw Problem("no port") }
        guard let channel = try await Self.open(port) else { throw Problem("no WebSocket") }
        return try await channel.executeThenClose { inbound, outbound in
            let request = #"{"type":"follow","id":"1","data":{"count":\#(count)}}"#
            try await outbound.write(
                WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: request)))
            var sum = 0
            for try await frame in inbound {
                switch frame.opcode {
                case .text:
                    let message = try JSON.scan(Array(frame.data.readableBytesView), TickFrame.load)
                    guard message.id == "1" else { throw Problem("a frame of \(message.id)") }
                    guard let tick = message.tick else { return sum }
                    sum += tick.id
                case .ping:
                    try await outbound.write(
                        WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.data))
                default: throw Problem("a frame of another kind")
                }
            }
            throw Problem("no end")
        }
    }

    private static func open(_ port: Int) async throws -> Frames? {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader<Frames?>(upgradePipelineHandler: { channel, _ in
                        channel.eventLoop.makeCompletedFuture { try Frames(wrappingChannelSynchronously: channel) }
                    })
                    var headers = HTTPHeaders()
                    headers.add(name: "Host", value: "127.0.0.1:\(port)")
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: .init(
                            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                                upgradeRequestHead: HTTPRequestHead(
                                    version: .http1_1, method: .GET, uri: "/frames", headers: headers),
                                upgraders: [upgrader],
                                notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(nil) })))
                }
            }
            .get()
    }
}

/// A frame with a tick, or the end of the ticks.
private struct TickFrame {
    let id: String
    let tick: Flow.Tick?
    static let keys = JSONKeys(["type", "id", "data"], optional: ["type", "id", "data"])

    static func load(from reader: inout JSONReader) -> TickFrame? {
        var (kind, id) = ("", "")
        var tick: Flow.Tick?
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: kind = reader.readString()
            case 1: id = reader.readString()
            case 2: tick = Flow.Tick.load(from: &reader)
            default:
                guard !reader.isFaulted, kind == "end" || (kind == "tick" && tick != nil) else { return nil }
                return TickFrame(id: id, tick: tick)
            }
        }
    }
}
#endif
