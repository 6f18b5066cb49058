@testable import ErrandRuntime

/// A contract with streams, by hand.
struct Feed: ServiceClient {
    var binding: ServiceBinding

    init(_ dispatcher: Dispatcher, server: String = "https://feed.example", session: Session = .begun) {
        binding = ServiceBinding(Feed.service, server: server, on: dispatcher, session: session)
    }

    static let service = ServiceDescription(
        name: "Feed", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        errors: [ErrorDescription("overloaded", .retryable), ErrorDescription("moved", .nonRetryable)])

    enum Failure: CommandFailure {
        case overloaded(FailureContext)
        case moved(FailureContext)
        case fault(CommandFault)

        init(_ fault: CommandFault) { self = .fault(fault) }
        init?(declared error: DeclaredName, _ match: ErrorMatch) {
            switch error {
            case "overloaded": self = .overloaded(match.context)
            case "moved": self = .moved(match.context)
            default: return nil
            }
        }

        var context: FailureContext {
            switch self {
            case .overloaded(let context), .moved(let context): context
            case .fault(let fault): fault.context
            }
        }
    }

    static func describe(
        _ name: String, _ stream: StreamDescription, effect: Effect = .read, session: SessionUse = .none
    ) -> EndpointDescription {
        EndpointDescription(
            service, name, effect == .read ? .get : .post, effect: effect, session: session,
            envelope: EnvelopeDescription(success: .withoutError, code: "error.code", error: "error"),
            response: .stream, stream: stream,
            table: [
                .error("overloaded", applied: .never, code: "busy"),
                .error("moved", applied: .never, isEndpointSpecific: true, code: "moved"),
            ])
    }

    struct Watch: StreamCommand {
        typealias Service = Feed
        typealias Failure = Feed.Failure
        typealias Element = Int
        static let endpoint = Feed.describe("watch", StreamDescription(.events, failures: ["error"]))
        func encode(into request: inout RequestEncoder) { request.path("/watch") }
        static func element(from reader: inout JSONReader) -> Int? { Feed.number(&reader) }
    }

    struct Ask: StreamCommand {
        typealias Service = Feed
        typealias Failure = Feed.Failure
        typealias Element = Int
        static let endpoint = Feed.describe("ask", StreamDescription(.events, end: "[DONE]"), effect: .once)
        func encode(into request: inout RequestEncoder) { request.path("/ask") }
        static func element(from reader: inout JSONReader) -> Int? { Feed.number(&reader) }
    }

    struct Lines: StreamCommand {
        typealias Service = Feed
        typealias Failure = Feed.Failure
        typealias Element = Int
        static let endpoint = Feed.describe(
            "lines", StreamDescription(.lines), session: .optional)
        func encode(into request: inout RequestEncoder) { request.path("/lines") }
        static func element(from reader: inout JSONReader) -> Int? { Feed.number(&reader) }
    }

    /// Lines whose server may be silent for a second only. On a clock without sleeps, that second passes at once.
    struct BriefLines: StreamCommand {
        typealias Service = Feed
        typealias Failure = Feed.Failure
        typealias Element = Int
        static let endpoint = Feed.describe(
            "lines", StreamDescription(.lines, idle: .seconds(1)), session: .optional)
        func encode(into request: inout RequestEncoder) { request.path("/lines") }
        static func element(from reader: inout JSONReader) -> Int? { Feed.number(&reader) }
    }

    private static let keys = JSONKeys(["n"])

    private static func number(_ reader: inout JSONReader) -> Int? {
        var number: Int?
        var fields = reader.beginObject()
        loop: while true {
            switch reader.nextField(keys, &fields) {
            case 0: number = reader.readInt()
            default: break loop
            }
        }
        return reader.isFaulted ? nil : number
    }
}
