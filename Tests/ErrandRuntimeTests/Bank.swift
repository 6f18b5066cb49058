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
            ErrorDescription("sessionExpired", .requiresLogout, applied: .never),
            ErrorDescription("serviceUnavailable", .retryable, applied: .maybe),
            ErrorDescription("wrongPassword", .nonRetryable, applied: .never),
            ErrorDescription(
                "insufficientFunds", .nonRetryable, applied: .never,
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
        public static func declared(_ error: Int, _ match: ErrorMatch) -> Self? {
            switch error {
            case 0: return .sessionExpired(match.context)
            case 1: return .serviceUnavailable(match.context)
            default: return nil
            }
        }
        public var context: FailureContext {
            switch self {
            case .sessionExpired(let context), .serviceUnavailable(let context): return context
            case .fault(let fault): return fault.context
            }
        }
        static func classify(_ answer: borrowing Answer) -> Verdict {
            if answer.transport != nil { return .unmatched }
            switch answer.code {
            case "900099": return .error(1)
            default: break
            }
            switch answer.status {
            case 401: return .error(0)
            case 502...504: return .error(1)
            default: return .unmatched
            }
        }
    }
    public enum TransferFundsFailure: CommandFailure {
        case insufficientFunds(FailureDetails<InsufficientFunds>)
        case sessionExpired(FailureContext)
        case serviceUnavailable(FailureContext)
        case unconfirmed(ErrandRuntime.Receipt)
        case fault(CommandFault)
        public static func declared(_ error: Int, _ match: ErrorMatch) -> Self? {
            switch error {
            case 0: return .sessionExpired(match.context)
            case 1: return .serviceUnavailable(match.context)
            case 3: return .insufficientFunds(match.details())
            case ErrorMatch.open: return .unconfirmed(match.receipt)
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
        public static func declared(_ error: Int, _ match: ErrorMatch) -> Self? {
            switch error {
            case 1: return .serviceUnavailable(match.context)
            case 2: return .wrongPassword(match.context)
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
            var fromAccount = 0, amount = Decimal()
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

    enum StandardEnvelope {
        static let keys = JSONKeys("data", "error"), errorKeys = JSONKeys("code", "messages")
        static func scan(_ reader: inout JSONReader, _ parts: inout EnvelopeParts) {
            var fields = reader.beginObject()
            while true {
                switch reader.nextField(keys, &fields) {
                case 0: parts.markData(&reader)
                case 1:
                    if reader.readNull() { break }
                    parts.hasError = true
                    if reader.peekKind() != .object { reader.skipValue(); break }
                    var inner = reader.beginObject()
                    inner: while true {
                        switch reader.nextField(errorKeys, &inner) {
                        case 0: parts.readCode(&reader)
                        case 1: parts.readMessage(&reader)
                        default: break inner
                        }
                    }
                default: return
                }
            }
        }
        static let description = EnvelopeDescription(scan: scan, success: .withoutError)
    }
}
