/// One thing to ask of a service: its inputs, and nothing else.
///
/// Commands are values. One that failed can be kept, compared and sent again as it is; where it goes,
/// with which session, and what happens when it fails is decided by the client and its dispatcher.
/// Generated code conforms to this; apps do not have to. What only some commands do is in protocols
/// of its own, below: a requirement with a default is compiled once more for each command.
public protocol Command<Service>: Sendable {
    /// The client whose contract declares the endpoint.
    associatedtype Service
    /// The value of a success: `Void` for `response: none`, `[UInt8]` for `response: bytes`.
    associatedtype Response: Sendable
    /// The endpoint's failures.
    associatedtype Failure: CommandFailure

    /// The contract's description of the endpoint.
    static var endpoint: EndpointDescription { get }

    /// Writes the inputs into a request. Called once per attempt, and without side effects.
    func encode(into request: inout RequestEncoder)

    /// Reads the payload of a success; nil if the reader is at fault.
    static func load(from reader: inout JSONReader) -> Response?
}

/// A command whose inputs the contract constrains.
public protocol CheckedCommand: Command {
    /// Holds the inputs against the contract's constraints, before anything is sent.
    func validate(_ check: inout RequestCheck)
}

/// A command for which the contract names outcomes beside the success.
public protocol OutcomeCommand: Command {
    /// The response for an outcome of the endpoint, by its name in the contract; nil if the endpoint has no outcome of this
    /// name.
    static func outcome(_ name: DeclaredName, _ match: ErrorMatch) -> Response?

    /// Takes the body of a success as it is, for `response: bytes`.
    static func load(bytes: [UInt8]) -> Response?
}

extension OutcomeCommand {
    public static func load(bytes: [UInt8]) -> Response? { nil }

    /// `outcome`, where only the runtime knows that the command has it.
    package static func anyOutcome(_ name: DeclaredName, _ match: ErrorMatch) -> Any? { outcome(name, match) }
    package static func anyResponse(bytes: [UInt8]) -> Any? { load(bytes: bytes) }
}

/// A command for whose response the contract declares headers beside its payload.
public protocol HeaderCommand: Command {
    /// The declared headers. ``Reply/declaredHeaders(of:)`` has those of a response.
    associatedtype Headers: Sendable, JSONReadable
}

extension HeaderCommand {
    /// The headers, where only the runtime knows that the command has them.
    static func anyHeaders(from reader: inout JSONReader) -> (any Sendable)? { Headers.load(from: &reader) }
}

extension Command where Response == Void {
    /// Reads nothing. A success is the complete response.
    public static func load(from reader: inout JSONReader) -> Void? {
        reader.skipValue()
        return ()
    }
}

extension Command where Response == [UInt8] {
    /// Never called: `response: bytes` takes the body as it is.
    public static func load(from reader: inout JSONReader) -> [UInt8]? { nil }
}

/// The change that a successful command makes to the session of its client.
package enum SessionChange: Sendable {
    /// Nothing.
    case none
    /// It starts a session, or renews it.
    indirect case begin(SessionTokens)
    /// It ends the session.
    case end

    /// The access token of a session that it starts or renews.
    var access: String? { if case .begin(let tokens) = self { tokens.access } else { nil } }
}

/// The command that starts a session (`session.login` in the contract).
public protocol LoginCommand: Command {
    /// The tokens in the response of a success.
    static func tokens(from response: Response) -> SessionTokens
}

extension LoginCommand {
    /// `tokens`, where only the runtime knows that the command has them.
    static func tokens(fromAny response: Any) -> SessionTokens? { (response as? Response).map(tokens) }
}

/// The command that says who is logged in (`session.identity` in the contract). The session sends it with the token of a login, before it
/// begins. `ServiceDescription.identification` makes it.
public protocol IdentityCommand: Command {
    /// The user in the response; nil if it names none.
    static func identity(in response: Response) -> String?
}

/// The command that renews a session from its refresh token (`session.refresh` in the contract).
public protocol RefreshCommand: LoginCommand {
    init(refreshToken: String)
}

/// The command that ends a session (`session.logout` in the contract).
public protocol LogoutCommand: Command {}

extension Command {
    /// The change that a success makes to the session of the client that sent the command.
    static func sessionChange(after response: Response) -> SessionChange {
        if let login = Self.self as? any LoginCommand.Type {
            return login.tokens(fromAny: response).map(SessionChange.begin) ?? .none
        }
        return Self.self is any LogoutCommand.Type ? .end : .none
    }
}

extension TransportRequest {
    /// The type of the command that the request is for; nil if the request is for none.
    package var command: (any Command.Type)? {
        // The question is asked here, which only tests do, and not for each request.
        get { (commandType as? any CarrierCommand.Type)?.carried ?? commandType as? any Command.Type }
        set { commandType = newValue }
    }
}
