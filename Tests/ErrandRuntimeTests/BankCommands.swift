import Foundation

extension Bank {
    /// Starts a session.
    public struct LogIn: ErrandRuntime.Command, Redacted {
        public var user: String, password: String
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
        public typealias Service = Bank
        public typealias Failure = LogInFailure
        public struct Response: JSONReadable, Sendable, Redacted {
            public var token: String
            static let keys = JSONKeys("token", required: 0b1)
            public static func load(from reader: inout JSONReader) -> Self? {
                var token = ""
                var fields = reader.beginObject()
                loop: while true {
                    switch reader.nextField(keys, &fields) {
                    case 0: token = reader.readString()
                    default: break loop
                    }
                }
                return reader.isFaulted ? nil : Self(token: token)
            }
            public var customMirror: Mirror { Mirror(self, children: ["token": Redaction.mark]) }
        }
        public static let endpoint = EndpointDescription(
            Bank.service, "logIn", .post, effect: .idempotent, session: .none, timeout: .seconds(20),
            deadline: .seconds(60), envelope: Envelopes.standard, response: .json,
            table: [
                .error("wrongPassword", applied: .never, own: true, status: 401, code: "900001"),
                .error("serviceUnavailable", applied: .maybe, code: "900099"),
                .error("serviceUnavailable", applied: .maybe, status: .range(502...504)),
            ])
        public func encode(into request: inout RequestEncoder) {
            request.path("/sessions")
            request.beginBody(.json)
            request.field("user", user)
            request.field("password", password, sensitive: true)
        }
        public static func load(from reader: inout JSONReader) -> Response? {
            Response.load(from: &reader)
        }
        public var customMirror: Mirror {
            Mirror(self, children: ["user": user, "password": Redaction.mark])
        }
    }

    public struct LogOut: ErrandRuntime.Command {
        public init() {}
        public typealias Service = Bank
        public typealias Failure = Bank.Failure
        public typealias Response = Void
        public static let endpoint = EndpointDescription(
            Bank.service, "logOut", .delete, effect: .idempotent, session: .required,
            timeout: .seconds(20), deadline: .seconds(60), envelope: Envelopes.standard,
            response: .none, table: Bank.DecisionTables.inherited)
        public func encode(into request: inout RequestEncoder) { request.path("/sessions") }
    }

    public struct ListAccounts: CheckedCommand {
        public var status: AccountStatus?, page: Int
        public init(status: AccountStatus? = nil, page: Int = 1) {
            self.status = status
            self.page = page
        }
        public typealias Service = Bank
        public typealias Failure = Bank.Failure
        public typealias Response = [Bank.Account]
        public static let endpoint = EndpointDescription(
            Bank.service, "listAccounts", .get, effect: .read, session: .required,
            timeout: .seconds(20), deadline: .seconds(60), envelope: Envelopes.standard,
            list: true, response: .json, table: Bank.DecisionTables.inherited)
        public func encode(into request: inout RequestEncoder) {
            request.path("/accounts")
            if let status { request.query("status", status.rawValue) }
            request.query("page", page)
        }
        public func validate(_ check: inout RequestCheck) { check.range("page", page, 1...) }
        public static func load(from reader: inout JSONReader) -> Response? {
            [Bank.Account].load(from: &reader)
        }
    }

    /// The same, where one bad account does not lose the list.
    public struct ListAccountsLeniently: ErrandRuntime.Command {
        public typealias Service = Bank
        public typealias Failure = Bank.Failure
        public typealias Response = [Bank.Account]
        public static let endpoint = EndpointDescription(
            Bank.service, "listAccountsLeniently", .get, effect: .read, session: .optional,
            envelope: Envelopes.standard, list: true, table: Bank.DecisionTables.inherited)
        public func encode(into request: inout RequestEncoder) { request.path("/accounts") }
        public static func load(from reader: inout JSONReader) -> Response? {
            reader.readArraySkippingInvalid { Bank.Account.load(from: &$0) }
        }
    }

    /// Moves money between two accounts.
    public struct TransferFunds: CheckedCommand, OutcomeCommand {
        public var fromAccount: Int, toAccount: Int, amount: Decimal
        public init(fromAccount: Int, toAccount: Int, amount: Decimal) {
            self.fromAccount = fromAccount
            self.toAccount = toAccount
            self.amount = amount
        }
        public typealias Service = Bank
        public typealias Failure = TransferFundsFailure
        public enum Response: Sendable {
            case completed(Bank.Transfer)
            case needsApproval(NeedsApproval?)
        }
        public static let endpoint = EndpointDescription(
            Bank.service, "transferFunds", .post, effect: .keyed, session: .required,
            timeout: .seconds(20), deadline: .seconds(60), envelope: Envelopes.standard,
            response: .json,
            table: [
                .outcome("needsApproval", code: "900120"),
                .error("insufficientFunds", applied: .never, own: true, code: "900005"),
                .error("serviceUnavailable", applied: .maybe, code: "900099"),
                .error("sessionExpired", applied: .never, status: 401),
                .error("serviceUnavailable", applied: .maybe, status: .range(502...504)),
            ])
        public func encode(into request: inout RequestEncoder) {
            request.path("/transfers")
            request.beginBody(.json)
            request.field("fromAccount", fromAccount)
            request.field("toAccount", toAccount)
            request.field("amount", amount)
        }
        public func validate(_ check: inout RequestCheck) { check.range("amount", amount, 1...500) }
        public static func load(from reader: inout JSONReader) -> Response? {
            Bank.Transfer.load(from: &reader).map(Response.completed)
        }
        public static func outcome(_ name: DeclaredName, _ match: ErrorMatch) -> Response? {
            name == "needsApproval" ? .needsApproval(match.data(NeedsApproval.load(from:))) : nil
        }
    }
    public func logIn(user: String, password: String) async throws(LogInFailure) -> LogIn.Response {
        try await send(LogIn(user: user, password: password))
    }
    public func logOut() async throws(Failure) { try await send(LogOut()) }
    public func listAccounts(
        status: AccountStatus? = nil, page: Int = 1
    ) async throws(Failure) -> [Bank.Account] {
        try await send(ListAccounts(status: status, page: page))
    }
    /// Moves money between two accounts.
    public func transferFunds(
        fromAccount: Int, toAccount: Int, amount: Decimal
    ) async throws(TransferFundsFailure) -> TransferFunds.Response {
        try await send(TransferFunds(fromAccount: fromAccount, toAccount: toAccount, amount: amount))
    }
}
extension Bank.LogIn: LoginCommand {
    public static func tokens(from response: Response) -> SessionTokens {
        SessionTokens(access: response.token)
    }
}
extension Bank.LogOut: LogoutCommand {}
