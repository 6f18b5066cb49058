import ErrandJSON
import ErrandTesting
import Foundation

@testable import ErrandConnections
@testable import ErrandRuntime

/// A service whose commands travel over a connection, by hand.
struct Parlor: ConnectionClient {
    var binding: ServiceBinding

    init(
        _ messages: ScriptedMessages?, session: Session = Session(), observers: [any CommandObserver] = [],
        interceptors: [any Interceptor] = [], network: any PathMonitor = AlwaysSatisfiedPath(),
        settings: DispatcherSettings = DispatcherSettings(retry: RetryRule(attempts: 3, base: .milliseconds(1))),
        responder: (any Responder)? = nil
    ) {
        var settings = settings
        settings.messageTransport = messages
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in TransportResponse(status: 500) }, network: network,
            responder: responder, interceptors: interceptors, observers: observers, settings: settings)
        self.init(on: dispatcher, session: session)
    }

    init(on dispatcher: Dispatcher, session: Session) {
        binding = ServiceBinding(
            Self.service, server: "wss://parlor.example/v1", on: dispatcher, session: session,
            common: { $0.header("X-Device", "device-canary") })
    }

    static let service = ServiceDescription(
        name: "Parlor", version: "1",
        errors: [
            ErrorDescription("maintenance", .retryable), ErrorDescription("noRoom", .nonRetryable),
            ErrorDescription("busy", .retryable), ErrorDescription("expired", .requiresLogout),
        ],
        sensitive: ["token", "password"],
        connection: ConnectionDescription(
            .persistent,
            payload: "data", failure: "error", subprotocol: "parlor.v1",
            reconnect: RetryRule(base: .milliseconds(5), cap: .milliseconds(50)), maximumPending: 64),
        attach: { Attach(token: $0) })

    static let envelope = EnvelopeDescription(success: .status, code: "code", message: "message")
    static let table: DecisionTable = [
        .error("maintenance", applied: .maybe, close: [.codes(1012...1013)]),
        .error("noRoom", applied: .never, isEndpointSpecific: true, code: "noRoom"),
        .error("busy", applied: .never, code: "busy"),
        .error("expired", applied: .never, code: "expired"),
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

    struct LogIn: LoginCommand {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        static let endpoint = EndpointDescription(
            Parlor.service, "logIn", frame: FrameDescription("login"), effect: .idempotent, envelope: Parlor.envelope,
            table: Parlor.table)
        var user = "ada"
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            request.field("user", user)
            request.field("password", "password-canary", sensitive: true)
        }
        static func load(from reader: inout JSONReader) -> String? { Parlor.text("token", &reader) }
        static func tokens(from response: String) -> SessionTokens { SessionTokens(access: response) }
    }

    struct Attach: AttachCommand {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Parlor.service, "attach", frame: FrameDescription("attach"), effect: .idempotent, envelope: Parlor.envelope,
            response: .none, table: Parlor.table)
        let token: String
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            request.field("token", token, sensitive: true)
        }
    }

    struct LogOut: LogoutCommand {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Parlor.service, "logOut", frame: FrameDescription("logout", replies: .none), effect: .idempotent,
            session: .required, response: .none, table: Parlor.table)
        func encode(into request: inout RequestEncoder) {}
    }

    /// Reads without a session.
    struct Ask: ErrandRuntime.Command {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        static let endpoint = EndpointDescription(
            Parlor.service, "ask", frame: FrameDescription("ask"), effect: .read, envelope: Parlor.envelope,
            table: Parlor.table)
        var of = 1
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            request.field("of", of)
        }
        static func load(from reader: inout JSONReader) -> Int? { Parlor.number("is", &reader) }
    }

    /// Reads with the session.
    struct Look: ErrandRuntime.Command {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        static let endpoint = EndpointDescription(
            Parlor.service, "look", frame: FrameDescription("look"), effect: .read, session: .required,
            envelope: Parlor.envelope, table: Parlor.table)
        func encode(into request: inout RequestEncoder) {}
        static func load(from reader: inout JSONReader) -> Int? { Parlor.number("is", &reader) }
    }

    struct Poke: ErrandRuntime.Command {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        static let endpoint = EndpointDescription(
            Parlor.service, "poke", frame: FrameDescription("poke"), effect: .once, envelope: Parlor.envelope,
            table: Parlor.table)
        func encode(into request: inout RequestEncoder) {}
        static func load(from reader: inout JSONReader) -> Int? { Parlor.number("is", &reader) }
    }

    struct Post: ErrandRuntime.Command {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        static let endpoint = EndpointDescription(
            Parlor.service, "post", frame: FrameDescription("post"), effect: .keyed, key: .field("key"),
            envelope: Parlor.envelope, table: Parlor.table)
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            request.field("text", "hello")
        }
        static func load(from reader: inout JSONReader) -> Int? { Parlor.number("is", &reader) }
    }

    /// Expects no reply.
    struct Wave: ErrandRuntime.Command {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Parlor.service, "wave", frame: FrameDescription("wave", replies: .none), effect: .once, response: .none,
            table: Parlor.table)
        func encode(into request: inout RequestEncoder) {}
    }

    /// A subscription with positions.
    struct Follow: ResumableCommand {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        typealias Element = Int
        static let endpoint = EndpointDescription(
            Parlor.service, "follow", frame: FrameDescription("follow", replies: .many), effect: .read,
            envelope: Parlor.envelope, response: .stream,
            stream: StreamDescription(.frames, end: "closed", cancel: "unfollow"), table: Parlor.table)
        var since: Int?
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            if let since { request.field("since", since) }
        }
        static func element(from reader: inout JSONReader) -> Int? { Parlor.number("seq", &reader) }
        static func position(of element: Int) -> StreamPosition? { StreamPosition(element) }
        func resuming(after position: StreamPosition) -> Self { Follow(since: position.number) }
    }

    /// A subscription without positions.
    struct Watch: UnpositionedCommand {
        typealias Service = Parlor
        typealias Failure = Parlor.Failure
        static let endpoint = EndpointDescription(
            Parlor.service, "watch", frame: FrameDescription("watch", replies: .many), effect: .read,
            envelope: Parlor.envelope, response: .stream, stream: StreamDescription(.frames), table: Parlor.table)
        func encode(into request: inout RequestEncoder) {}
        static func event(from reader: inout JSONReader) -> Int? { Parlor.number("seq", &reader) }
    }

    struct Notice: ServerEvent, Equatable {
        typealias Service = Parlor
        static let kind = "notice"
        let text: String
        static func load(from reader: inout JSONReader) -> Notice? { Parlor.text("text", &reader).map(Notice.init) }
    }

    private static func member<Value>(
        _ name: String, _ reader: inout JSONReader, _ read: (inout JSONReader) -> Value?
    ) -> Value? {
        let keys = JSONKeys([name], optional: [name])
        var found: Value?
        var fields = reader.beginObject()
        while reader.nextField(keys, &fields) == 0 { found = read(&reader) }
        return reader.isFaulted ? nil : found
    }

    static func number(_ name: String, _ reader: inout JSONReader) -> Int? { member(name, &reader) { $0.readInt() } }
    static func text(_ name: String, _ reader: inout JSONReader) -> String? {
        member(name, &reader) { $0.readString() }
    }
}
