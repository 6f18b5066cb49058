import Foundation

@testable import ErrandRuntime

/// A service whose commands are durable, one for each effect.
struct PostOffice: DurableClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "PostOffice", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        errors: [ErrorDescription("noRoom", .nonRetryable)], sensitive: ["pin"])

    private static let table: DecisionTable = [.error("noRoom", applied: .never, isEndpointSpecific: true, status: 409)]

    static var durableCommands: [any DurableCommand.Type] {
        [SendLetter.self, PrintStamp.self, Pay.self, MoveIn.self, SayHello.self]
    }

    /// Has an idempotency key, and keeps its order.
    struct SendLetter: Posting {
        static let endpoint = make("sendLetter", .keyed, keyLifetime: .seconds(3_600))
        static let durability = Durability(fingerprint: "1", lifetime: .seconds(7_200), lane: "letters")
        var text: String
    }

    struct PrintStamp: Posting {
        static let endpoint = make("printStamp", .once)
        static let durability = Durability(fingerprint: "1")
        var text: String
    }

    /// Can be confirmed by a read.
    struct Pay: Posting, ConfirmableCommand {
        static let endpoint = make("pay", .once)
        static let durability = Durability(fingerprint: "1")
        var text: String

        func confirmation(for receipt: Receipt) -> FindPayment? { FindPayment(text: text) }
        static func confirmed(by found: Void) {}
    }

    struct FindPayment: ErrandRuntime.Command {
        typealias Service = PostOffice
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = make("findPayment", .read, .get)
        var text: String
        func encode(into request: inout RequestEncoder) {
            request.path("/payments/")
            request.segment(text)
        }
    }

    struct MoveIn: Posting {
        static let endpoint = make("moveIn", .idempotent)
        static let durability = Durability(fingerprint: "1")
        var text: String
    }

    /// Needs no login.
    struct SayHello: Posting {
        static let endpoint = make("sayHello", .keyed, session: .none)
        static let durability = Durability(fingerprint: "1")
        var text: String
        var pin: String?
    }

    static func make(
        _ name: String, _ effect: Effect, _ method: HTTPMethod = .post, keyLifetime: Duration? = nil,
        session: SessionUse = .required
    ) -> EndpointDescription {
        EndpointDescription(
            service, name, method, effect: effect, keyLifetime: keyLifetime, session: session, response: .none,
            table: table)
    }
}

/// A command that posts a text.
protocol Posting: DurableCommand where Service == PostOffice, Failure == CommandFault, Response == Void {
    var text: String { get }
    var pin: String? { get }
}

extension Posting {
    var pin: String? { nil }

    func encode(into request: inout RequestEncoder) {
        request.path("/post/")
        request.segment(Self.endpoint.name)
        request.query("q", text)
        request.header("X-Text", text)
        request.beginBody(.json)
        request.field("text", text)
        if let pin { request.field("pin", pin, sensitive: true) }
    }
}
