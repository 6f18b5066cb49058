import Foundation

@testable import ErrandDurable
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
        [SendLetter.self, PrintStamp.self, Pay.self, MoveIn.self, SayHello.self, Look.self, Sign.self]
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

    struct Look: Posting {
        static let endpoint = make("look", .read)
        static let durability = Durability(fingerprint: "1")
        var text: String
    }

    /// Has a response in an envelope that tells failures. It gets an optional input in a later version of the app.
    struct Sign: DurableCommand {
        typealias Service = PostOffice
        typealias Failure = CommandFault
        typealias Response = Int
        static let endpoint = EndpointDescription(
            service, "sign", .put, effect: .idempotent, session: .required,
            envelope: EnvelopeDescription(success: .withoutError, data: "number", code: "error.code", error: "error"))
        static let durability = Durability(fingerprint: "2 1 a")
        var text: String
        var color: String?

        func encode(into request: inout RequestEncoder) {
            request.path("/sign")
            request.header("X-Text", text)
            request.beginBody(.json)
            request.field("text", text)
            if let color { request.field("color", color) }
        }

        static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
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
