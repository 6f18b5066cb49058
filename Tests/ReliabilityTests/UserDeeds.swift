import BankClient
import ErrandRuntime

/// Something that a user gives, with a key.
struct Gift: Command {
    var user: Int
    typealias Service = Bank
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "gift", .post, effect: .keyed, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) {
        request.path("/gifts/")
        request.segment(user)
    }

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

/// A list of a user's, without an end.
struct Walk: PagedCommand {
    var user: Int
    var page = 1
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = [Int]
    static let endpoint = EndpointDescription(
        Bank.service, "walk", .get, effect: .read, session: .required, list: true, pagination: .page("page"))
    func encode(into request: inout RequestEncoder) {
        request.path("/walks/")
        request.segment(user)
        request.query("page", page)
    }
    static func load(from reader: inout JSONReader) -> [Int]? { reader.readArray { $0.readInt() } }
    func pageMark() -> PageMark? { PageMark(page) }
    func turned(to mark: PageMark) -> Self? { mark.value(as: Int.self).map { Walk(user: user, page: $0) } }
    static func elements(of response: [Int]) -> [Int] { response }
}

/// A stream of a user's: each event says whose it is.
struct Watch: StreamCommand {
    var user: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Element = Int
    static let endpoint = EndpointDescription(
        Bank.service, "watch", .get, effect: .read, session: .required, response: .stream,
        stream: StreamDescription(.events, idle: .seconds(30)))
    func encode(into request: inout RequestEncoder) {
        request.path("/watches/")
        request.segment(user)
    }
    static func element(from reader: inout JSONReader) -> Int? { reader.readInt() }
}

/// A user logs in, and the contract doesn't identify the user.
struct EnterUnnamed: LoginCommand {
    var user: Int
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = String
    static let endpoint = EndpointDescription(Bank.service, "enterUnnamed", .post, effect: .idempotent)
    func encode(into request: inout RequestEncoder) {
        request.path("/login/")
        request.segment(user)
    }
    static func load(from reader: inout JSONReader) -> String? { reader.readString() }
    static func tokens(from response: String) -> SessionTokens { SessionTokens(access: response) }
}
