import ErrandDurable
import ErrandRuntime

/// A service with a durable command that has a key, in a lane, and with one that must take effect at most once.
struct Office: DurableClient {
    var binding: ServiceBinding

    init(server: String, on dispatcher: Dispatcher, session: Session) {
        binding = ServiceBinding(Self.service, server: server, on: dispatcher, session: session)
    }

    static let service = ServiceDescription(
        name: "Office", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""))
    static var durableCommands: [any DurableCommand.Type] { [Letter.self, Stamp.self] }

    struct Letter: Posting {
        static let endpoint = make("letter", .keyed)
        static let durability = Durability(fingerprint: "1", lane: "letters")
        let text: String
        init(_ text: String) { self.text = text }
    }

    struct Stamp: Posting {
        static let endpoint = make("stamp", .once)
        static let durability = Durability(fingerprint: "1")
        let text: String
        init(_ text: String) { self.text = text }
    }

    private static func make(_ name: String, _ effect: Effect) -> EndpointDescription {
        EndpointDescription(service, name, .post, effect: effect, session: .required, response: .none)
    }
}

/// A command that posts a text.
protocol Posting: DurableCommand where Service == Office, Failure == CommandFault, Response == Void {
    var text: String { get }
}

extension Posting {
    func encode(into request: inout RequestEncoder) {
        request.path("/post/")
        request.segment(Self.endpoint.name)
        request.header("X-Text", text)
        request.beginBody(.json)
        request.field("text", text)
    }
}
