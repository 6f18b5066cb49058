@_exported public import ErrandRuntime
@_exported public import ErrandURLSession
public import Foundation

// What the generator prints for the bank contract, by hand: the seam as the emitter's author sees it.

/// Transfers between a customer's own accounts.
public struct Bank: ServiceClient {
    public var binding: ServiceBinding
    public init(
        _ server: Server = .production, on dispatcher: ErrandRuntime.Dispatcher = .standard,
        session: ErrandRuntime.Session = ErrandRuntime.Session()
    ) {
        binding = ServiceBinding(Self.service, server: server.url, on: dispatcher, session: session)
    }
    /// Where the service runs.
    public struct Server: Sendable {
        public let url: String
        public init(url: String) { self.url = url }
        public static let production = Server(url: "https://api.bank.example/v1")
        public static func local(port: String = "8080") -> Server {
            Server(url: "http://127.0.0.1:\(port)/v1")
        }
    }
    public static let service = ServiceDescription(
        name: "Bank", version: "1.0.0",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        errors: [
            ErrorDescription("sessionExpired", .requiresLogout),
            ErrorDescription("serviceUnavailable", .retryable),
            ErrorDescription("wrongPassword", .nonRetryable),
            ErrorDescription(
                "insufficientFunds", .nonRetryable,
                message: "There is not enough money in this account."),
        ],
        sensitive: ["token", "password", "owner"])
}

extension Bank {
    /// What the commands that declare no errors of their own fail with.
    public enum Failure: CommandFailure {
        case sessionExpired(FailureContext)
        case serviceUnavailable(FailureContext)
        case fault(CommandFault)
        public static func declared(_ error: DeclaredName, _ match: ErrorMatch) -> Self? {
            switch error {
            case "sessionExpired": return .sessionExpired(match.context)
            case "serviceUnavailable": return .serviceUnavailable(match.context)
            default: return nil
            }
        }
        public var context: FailureContext {
            switch self {
            case .sessionExpired(let context), .serviceUnavailable(let context): return context
            case .fault(let fault): return fault.context
            }
        }
    }
    public enum TransferFundsFailure: CommandFailure {
        case insufficientFunds(FailureDetails<InsufficientFunds>)
        case sessionExpired(FailureContext)
        case serviceUnavailable(FailureContext)
        case unconfirmed(ErrandRuntime.Receipt)
        case fault(CommandFault)
        public static func declared(_ error: DeclaredName, _ match: ErrorMatch) -> Self? {
            switch error {
            case "sessionExpired": return .sessionExpired(match.context)
            case "serviceUnavailable": return .serviceUnavailable(match.context)
            case "insufficientFunds": return .insufficientFunds(match.details())
            case "unconfirmed": return .unconfirmed(match.receipt)
            default: return nil
            }
        }
        public var context: FailureContext {
            switch self {
            case .insufficientFunds(let details): return details.context
            case .sessionExpired(let context), .serviceUnavailable(let context): return context
            case .unconfirmed(let receipt): return receipt.context
            case .fault(let fault): return fault.context
            }
        }
    }
    public enum LogInFailure: CommandFailure {
        case serviceUnavailable(FailureContext)
        case wrongPassword(FailureContext)
        case fault(CommandFault)
        public static func declared(_ error: DeclaredName, _ match: ErrorMatch) -> Self? {
            switch error {
            case "serviceUnavailable": return .serviceUnavailable(match.context)
            case "wrongPassword": return .wrongPassword(match.context)
            default: return nil
            }
        }
        public var context: FailureContext {
            switch self {
            case .serviceUnavailable(let context), .wrongPassword(let context): return context
            case .fault(let fault): return fault.context
            }
        }
    }

    public struct InsufficientFunds: JSONReadable, Sendable {
        public var fromAccount: Int
        public var amount: Decimal
        static let keys = JSONKeys("fromAccount", "amount", required: 0b11)
        public static func load(from reader: inout JSONReader) -> Self? {
            var fromAccount = 0
            var amount = Decimal()
            var fields = reader.beginObject()
            loop: while true {
                switch reader.nextField(keys, &fields) {
                case 0: fromAccount = reader.readInt()
                case 1: amount = reader.readDecimal()
                default: break loop
                }
            }
            guard !reader.isFaulted else { return nil }
            return Self(fromAccount: fromAccount, amount: amount)
        }
    }

    enum Envelopes {
        static let standard = EnvelopeDescription(
            success: .withoutError,
            data: "data",
            code: "error.code",
            error: "error",
            message: "error.messages")
    }

    enum DecisionTables {
        static let inherited: DecisionTable = [
            .error("serviceUnavailable", applied: .maybe, code: "900099"),
            .error("sessionExpired", applied: .never, status: 401),
            .error("serviceUnavailable", applied: .maybe, status: .range(502...504)),
        ]
    }
}
