#if HAS_ASYNC_HTTP_CLIENT
import ErrandConnections
import ErrandRuntime
import ErrandWebSocket
import FlowClient

/// A client of a connection, over SwiftNIO.
struct ErrandFrames: Contender {
    private let feed: Feed

    init?(_ server: String) {
        guard let transport = try? WebSocketTransport() else { return nil }
        feed = Feed(
            binding: ServiceBinding(
                Feed.service, server: "ws" + server.dropFirst(4) + "/frames",
                on: Dispatcher(transport: NoHTTP(), settings: DispatcherSettings(messageTransport: transport)),
                session: Session()))
    }

    func carryOut(_ job: Job) async throws -> Int {
        // The first small job.
        let count = job.name == .frames ? job.count : 1_000
        return try await job.reader.sum(feed.stream(Feed.Follow(count: count))) { $0.event?.id ?? 0 }
    }
}

private struct NoHTTP: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        throw TransportFault(.refused, evidence: .notSent)
    }
}

/// Written as the generated Swift of a contract.
private struct Feed: ServiceClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "Feed", version: "1", connection: ConnectionDescription(.persistent, payload: "data"))

    struct Follow: UnpositionedCommand {
        let count: Int
        typealias Service = Feed
        typealias Failure = CommandFault
        typealias Response = OpenedStream
        typealias Event = Flow.Tick
        static let endpoint = EndpointDescription(
            Feed.service, "follow", frame: FrameDescription("follow", replies: .many, reply: "tick"), effect: .read,
            response: .stream, stream: StreamDescription(.frames, end: "end"))
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            request.field("count", count)
        }
        static func event(from reader: inout JSONReader) -> Flow.Tick? { Flow.Tick.load(from: &reader) }
    }
}
#endif
