import ErrandDurable
import ErrandRuntime
import Foundation

/// A service with durable commands, whose server answers in the process.
struct MailRoom: DurableClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "MailRoom", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""))
    static var durableCommands: [any DurableCommand.Type] { [Keyed.self, Once.self, Waiting.self] }

    init(user: String = "ada") {
        binding = ServiceBinding(
            Self.service, server: "https://mail.example", on: Dispatcher(transport: Server()),
            session: Session(tokens: SessionTokens(access: "token", identity: user)))
    }

    struct Keyed: Posting {
        static let endpoint = make("keyed", .keyed)
        static let durability = Durability(fingerprint: "1")
    }

    struct Once: Posting {
        static let endpoint = make("once", .once)
        static let durability = Durability(fingerprint: "1")
    }

    struct Waiting: Posting {
        static let endpoint = make("waiting", .keyed)
        static let durability = Durability(fingerprint: "1")
    }

    private static func make(_ name: String, _ effect: Effect) -> EndpointDescription {
        EndpointDescription(service, name, .post, effect: effect, session: .required, response: .none)
    }

    /// About what a short message has.
    static let inputs = [UInt8](repeating: 0x61, count: 300)

    /// A command that waits for a date far away.
    static func intent(_ service: String) -> KeptIntent {
        let now = Date()
        return KeptIntent(
            number: 0, id: UUID(), service: service, endpoint: "waiting", fingerprint: "1", effect: .keyed,
            owner: "user:ada", lane: nil, submitted: now, expires: now + 100_000, key: UUID().uuidString,
            isSealed: false,
            progress: IntentProgress(
                state: .waiting, reason: .failedForNow, since: now, failures: 1, nextAttempt: now + 50_000))
    }

    private struct Server: Transport {
        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
            TransportResponse(status: 204)
        }
    }
}

/// A command that posts a short message.
protocol Posting: DurableCommand where Service == MailRoom, Failure == CommandFault, Response == Void {}

extension Posting {
    func encode(into request: inout RequestEncoder) {
        request.path("/messages")
        request.beginBody(.json)
        request.field("text", String(repeating: "a", count: 200))
    }
}
