import ErrandTesting
import Foundation

@testable import ErrandRuntime

/// A service whose server redirects, by hand.
struct Relay: ServiceClient {
    var binding: ServiceBinding

    init(_ transport: ScriptedTransport, interceptors: [any Interceptor] = [], session: Session = .begun) {
        binding = ServiceBinding(
            Self.service, server: "https://home.example/v1",
            on: Dispatcher(
                transport: transport, interceptors: interceptors,
                settings: DispatcherSettings(retry: RetryRule(attempts: 3)),
                environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))),
            session: session, common: { $0.header("X-Device", "device-canary") })
    }

    static let service = ServiceDescription(
        name: "Relay", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        errors: [
            ErrorDescription("found", .nonRetryable), ErrorDescription("busy", .retryable),
            ErrorDescription("cut", .retryable), ErrorDescription("full", .nonRetryable),
        ])

    private static let table: DecisionTable = [
        .error("cut", applied: .never, transport: [.lost, .refused]),
        .error("found", applied: .never, isEndpointSpecific: true, status: 302),
        .error("busy", applied: .never, status: 503),
        .error("full", applied: .never, isEndpointSpecific: true, status: 409),
    ]

    enum Failure: CommandFailure {
        case named(String, FailureContext)
        case fault(CommandFault)

        init(_ fault: CommandFault) { self = .fault(fault) }
        init?(declared error: DeclaredName, _ match: ErrorMatch) {
            if error == ErrorMatch.open { return nil }
            self = .named("\(error)", match.context)
        }

        var context: FailureContext {
            switch self {
            case .named(_, let context): context
            case .fault(let fault): fault.context
            }
        }
    }

    struct Read: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "read", .get, effect: .read, session: .optional, response: .bytes)
        func encode(into request: inout RequestEncoder) {
            request.path("/file")
            request.header("X-Plain", "plain-canary")
            request.header("Accept", "image/png")
        }
    }

    /// Reads whose contract says how many redirects are followed.
    struct Direct: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "direct", .get, effect: .read, redirects: 0, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
    struct Winding: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "winding", .get, effect: .read, redirects: 7, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }

    /// A read with a row for 302.
    struct Find: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "find", .get, effect: .read, response: .bytes, table: Relay.table)
        func encode(into request: inout RequestEncoder) { request.path("/find") }
    }

    /// A body for any URL, with a header that the contract has for it.
    struct Put: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "put", .put, effect: .idempotent, session: .optional, response: .bytes)
        let url: URL
        func encode(into request: inout RequestEncoder) {
            request.wholeURL(url)
            request.header("x-amz-acl", "private", sensitive: true)
            request.beginBody(.form)
            request.field("a", "b")
        }
    }

    /// A read whose question is in its body.
    struct Search: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "search", .query, effect: .read, session: .optional, response: .bytes)
        func encode(into request: inout RequestEncoder) {
            request.path("/search")
            request.header("X-Plain", "plain-canary")
            request.beginBody(.form)
            request.field("a", "b")
        }
    }

    struct Once: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "once", .post, effect: .once, session: .optional, response: .bytes, table: Relay.table)
        func encode(into request: inout RequestEncoder) { request.path("/once") }
    }

    struct Keyed: ErrandRuntime.Command {
        typealias Service = Relay
        typealias Failure = Relay.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Relay.service, "keyed", .post, effect: .keyed, session: .optional, response: .bytes, table: Relay.table)
        func encode(into request: inout RequestEncoder) { request.path("/keyed") }
    }
}
