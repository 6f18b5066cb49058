import Foundation

@testable import ErrandBackground
@testable import ErrandRuntime

/// A service that keeps things, with one command for each effect.
struct Attic: ServiceClient {
    var binding: ServiceBinding

    init(
        _ server: String = "https://attic.example", session: Session = .begun,
        interceptors: [any Interceptor] = [], transport: any Transport = NoTransport(),
        clock: some Clock<Duration> = ContinuousClock(), wallTime: @escaping @Sendable () -> Date = { Date() }
    ) {
        let rule = RetryRule(attempts: 3, base: .microseconds(10), cap: .microseconds(20))
        let environment = DispatcherEnvironment(clock: clock, wallTime: wallTime)
        binding = ServiceBinding(
            Self.service, server: server,
            on: Dispatcher(
                transport: transport, interceptors: interceptors, settings: DispatcherSettings(retry: rule),
                environment: environment),
            session: session)
    }

    static let service = ServiceDescription(
        name: "Attic", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        errors: [ErrorDescription("full", .nonRetryable), ErrorDescription("busy", .retryable)])

    private static let table: DecisionTable = [
        .error("full", applied: .never, isEndpointSpecific: true, status: 409),
        .error("busy", applied: .never, status: 503),
    ]

    enum Failure: CommandFailure {
        case full(FailureDetails<Int>)
        case busy(FailureContext)
        case unconfirmed(ErrandRuntime.Receipt)
        case fault(CommandFault)

        init(_ fault: CommandFault) { self = .fault(fault) }
        init?(declared error: DeclaredName, _ match: ErrorMatch) {
            switch error {
            case "full": self = .full(match.details { $0.readInt() })
            case "busy": self = .busy(match.context)
            case ErrorMatch.open: self = .unconfirmed(match.receipt)
            default: return nil
            }
        }

        var context: FailureContext {
            switch self {
            case .full(let details): details.context
            case .busy(let context): context
            case .unconfirmed(let receipt): receipt.context
            case .fault(let fault): fault.context
            }
        }
    }

    struct Stored: Sendable, Equatable, JSONReadable {
        var number = 0
        static func load(from reader: inout JSONReader) -> Stored? {
            var stored = Stored()
            var fields = reader.beginObject()
            while true {
                switch reader.nextField(keys, &fields) {
                case 0: stored.number = reader.readInt()
                default: return reader.isFaulted ? nil : stored
                }
            }
        }
        private static let keys = JSONKeys(["number"])
    }

    struct StoreOnce: Storing {
        static let endpoint = make("storeOnce", .once)
        var name = "box"
    }

    struct StoreKeyed: Storing {
        static let endpoint = make("storeKeyed", .keyed, keyLifetime: .seconds(86_400))
        var name = "box"
    }

    struct StoreAgain: Storing {
        static let endpoint = make("storeAgain", .idempotent)
        var name = "box"
    }

    /// Needs a login.
    struct StoreOwn: Storing {
        static let endpoint = make("storeOwn", .idempotent, session: .required)
        var name = "box"
    }

    struct Fetch: ErrandRuntime.Command {
        typealias Service = Attic
        typealias Failure = Attic.Failure
        typealias Response = [UInt8]
        var name = "box"
        static let endpoint = EndpointDescription(
            Attic.service, "fetch", .get, effect: .read, response: .bytes, table: Attic.table)
        func encode(into request: inout RequestEncoder) {
            request.path("/things/")
            request.segment(name)
        }
    }

    fileprivate static func make(
        _ name: String, _ effect: Effect, keyLifetime: Duration? = nil, session: SessionUse = .none
    ) -> EndpointDescription {
        EndpointDescription(
            service, name, .post, effect: effect, keyLifetime: keyLifetime, session: session, table: table)
    }
}

/// A command that stores a thing.
protocol Storing: ErrandRuntime.Command where Service == Attic, Failure == Attic.Failure, Response == Attic.Stored {
    var name: String { get }
    init()
}

extension Storing {
    func encode(into request: inout RequestEncoder) {
        request.path("/things/")
        request.segment(name)
        request.body(.bytes(Array("the \(name)".utf8)))
    }

    static func load(from reader: inout JSONReader) -> Attic.Stored? { Attic.Stored.load(from: &reader) }
}

/// Sends no requests. Background commands don't need the dispatcher's transport.
struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        throw TransportFault(.offline, evidence: .notSent)
    }
}
