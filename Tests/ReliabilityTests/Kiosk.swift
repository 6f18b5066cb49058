import ErrandDurable
import ErrandRuntime

/// A service with a command of each kind. All of them require a session, except for those that say otherwise.
struct Kiosk: DurableClient {
    var binding: ServiceBinding

    init(on dispatcher: Dispatcher, session: Session) {
        binding = ServiceBinding(
            Self.service, server: "https://kiosk.example", on: dispatcher, session: session, refresh: Renew.self)
    }

    static let service = ServiceDescription(
        name: "Kiosk", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        identification: { WhoAmI() })

    static var durableCommands: [any DurableCommand.Type] { [Post.self, PostOnce.self] }

    static func make(
        _ name: String, _ effect: Effect, session: SessionUse = .required, share: Bool = false,
        response: ResponseKind = .none, cache: CacheRule? = nil, stream: StreamDescription? = nil, list: Bool = false,
        pagination: Pagination? = nil
    ) -> EndpointDescription {
        EndpointDescription(
            service, name, effect == .read ? .get : .post, effect: effect, session: session, list: list,
            response: response, stream: stream, pagination: pagination, share: share, cache: cache)
    }

    // MARK: Of the session

    struct Enter: LoginCommand {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = SessionTokens
        static let endpoint = make("enter", .idempotent, session: .none, response: .json)
        func encode(into request: inout RequestEncoder) { request.path("/enter") }
        static func load(from reader: inout JSONReader) -> SessionTokens? { SessionTokens(issued: reader.readString()) }
        static func tokens(from response: SessionTokens) -> SessionTokens { response }
    }

    struct Renew: RefreshCommand {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = SessionTokens
        static let endpoint = make("renew", .idempotent, session: .none, response: .json)
        init(refreshToken: String) {}
        func encode(into request: inout RequestEncoder) { request.path("/renew") }
        static func load(from reader: inout JSONReader) -> SessionTokens? { SessionTokens(issued: reader.readString()) }
        static func tokens(from response: SessionTokens) -> SessionTokens { response }
    }

    struct Leave: LogoutCommand, KioskCommand {
        static let endpoint = make("leave", .idempotent)
    }

    struct WhoAmI: IdentityCommand {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = String
        static let endpoint = make("whoAmI", .read, response: .json)
        func encode(into request: inout RequestEncoder) { request.path("/whoAmI") }
        static func load(from reader: inout JSONReader) -> String? { reader.readString() }
        static func identity(in response: String) -> String? { response }
    }

    // MARK: Plain ones

    struct Browse: KioskCommand { static let endpoint = make("browse", .read) }
    struct Fill: KioskCommand { static let endpoint = make("fill", .idempotent) }
    /// Its failure has the receipt with which it is sent again.
    struct Order: Command {
        typealias Service = Kiosk
        typealias Response = Void
        static let endpoint = make("order", .keyed)
        func encode(into request: inout RequestEncoder) { request.path("/order") }

        enum Failure: CommandFailure {
            case unconfirmed(Receipt)
            case fault(CommandFault)

            init(_ fault: CommandFault) { self = .fault(fault) }
            init?(declared error: DeclaredName, _ match: ErrorMatch) {
                guard error == ErrorMatch.open else { return nil }
                self = .unconfirmed(match.receipt)
            }

            var context: FailureContext {
                switch self {
                case .unconfirmed(let receipt): receipt.context
                case .fault(let fault): fault.context
                }
            }
        }
    }
    struct Buy: KioskCommand { static let endpoint = make("buy", .once) }
    struct Shared: KioskCommand { static let endpoint = make("shared", .read, share: true) }
    struct Cached: KioskCommand { static let endpoint = make("cached", .read, cache: CacheRule()) }
    /// Takes a token if there is one.
    struct Peek: KioskCommand { static let endpoint = make("peek", .read, session: .optional, cache: CacheRule()) }
    struct Post: KioskCommand, DurableCommand {
        static let endpoint = make("post", .keyed)
        static let durability = Durability(fingerprint: "1", lane: "posts")
    }
    struct PostOnce: KioskCommand, DurableCommand {
        static let endpoint = make("postOnce", .once)
        static let durability = Durability(fingerprint: "1")
    }

    // MARK: Those with a confirmation

    struct Pay: KioskCommand, ConfirmableCommand {
        static let endpoint = make("pay", .once)
        func confirmation(for receipt: Receipt) -> Browse? { Browse() }
        static func confirmed(by found: Void) {}
    }

    /// Has no session, unlike its confirmation.
    struct Tip: KioskCommand, ConfirmableCommand {
        static let endpoint = make("tip", .once, session: .none)
        func confirmation(for receipt: Receipt) -> Browse? { Browse() }
        static func confirmed(by found: Void) {}
    }

    // MARK: Those with more than one response

    struct Walk: PagedCommand {
        var page = 1
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = [Int]
        static let endpoint = make("walk", .read, response: .json, list: true, pagination: .page("page"))
        func encode(into request: inout RequestEncoder) {
            request.path("/walk")
            request.query("page", page)
        }
        static func load(from reader: inout JSONReader) -> [Int]? { reader.readArray { $0.readInt() } }
        func pageMark() -> PageMark? { PageMark(page) }
        func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Walk(page: $0) } }
        static func elements(of response: [Int]) -> [Int] { response }
    }

    struct Watch: StreamCommand {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Element = Int
        static let endpoint = make(
            "watch", .read, response: .stream, stream: StreamDescription(.events, idle: .seconds(30)))
        func encode(into request: inout RequestEncoder) { request.path("/watch") }
        static func element(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }

    struct Fetch: Command {
        typealias Service = Kiosk
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = make("fetch", .read, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/fetch") }
    }
}

/// A command of the kiosk without inputs and without a payload.
protocol KioskCommand: Command where Service == Kiosk, Failure == CommandFault, Response == Void {
    init()
}

extension KioskCommand {
    func encode(into request: inout RequestEncoder) {
        request.path("/")
        request.segment(Self.endpoint.name)
    }
}

extension SessionTokens {
    /// Tokens as the kiosk gives them: `-` at the end means that there is no refresh token.
    fileprivate init(issued text: String) {
        self.init(access: text, refresh: text.hasSuffix("-") ? nil : "refresh \(text)")
    }
}
