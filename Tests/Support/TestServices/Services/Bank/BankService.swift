import Foundation

/// Plays `bank.contract.yaml`. Ada (password `lovelace`) owns the accounts 1 (25000.10), 5 (80.25),
/// 7 (frozen) and 8 (empty), Grace (`hopper`) owns 9. Mallory (`letmein`) may log in and is barred.
///
/// Ten thousand and more need an approval, if the account has the money.
public actor BankService: TestService {
    /// Money that was really moved.
    public struct Booking: Sendable, Equatable {
        public var fromAccount: Int
        public var toAccount: Int
        public var amount: Decimal
        public var reference: String?
        public var key: String
        public var confirmation: Int
    }

    /// The ways in which the one envelope may arrive.
    public struct EnvelopeShape: Sendable {
        public var codeAsText = false
        public var messagesAsList = true
        public var errorFirst = false
        /// An absent error in place of `"error": null`.
        public var omitsNull = false
        public init() {}
    }

    public nonisolated let host: ServiceHost
    var books = BankAccounts()
    var tokens = Tokens(prefix: "bank")
    var keyed = KeyedAnswers()
    public internal(set) var cardsOrdered = 0
    public internal(set) var standingOrders = 0
    /// The response to a card request is 202 with a date in place of the card.
    public var postIsSlow = false
    public var shape = EnvelopeShape()

    public static func start() async throws -> BankService {
        let service = BankService(host: try await ServiceHost(basePath: "/v1"))
        await service.host.serve { [weak service] in await service?.answer($0) ?? .hangUp }
        return service
    }

    init(host: ServiceHost) { self.host = host }

    public var bookings: [Booking] { books.bookings }
    public func balance(of account: Int) -> Decimal? { books[account]?.balance }
    /// How many sessions were started.
    public var logins: Int { tokens.count }
    /// Every session ends; the next request with one is a 401.
    public func expireSessions() { tokens.revokeAll() }
    /// Lets the next requests fail with one of the bank's own codes.
    public func fail(code: Int, status: Int = 200, times: Int = 1, on pattern: RequestPattern = "*") async {
        await script(.answer(failure(code, status: status, "scripted")), times: times, on: pattern)
    }
    public func setShape(_ shape: EnvelopeShape) { self.shape = shape }
    public func setPostIsSlow(_ slow: Bool) { postIsSlow = slow }

    // MARK: Requests

    private func answer(_ request: ReceivedRequest) async -> ServedAnswer {
        if case "POST /sessions" = request { return await logIn(request) }
        let token = request.header("Authorization").flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        guard let customer = tokens.owner(of: token) else { return failure(900_000, status: 401, "no session") }
        if BankAccounts.customers[customer]?.barred == true { return failure(900_003, status: 401, "barred") }
        switch request {
        case "DELETE /sessions":
            tokens.revoke(token)
            return success(.null)
        case "GET /accounts": return await listAccounts(request, of: customer)
        case "GET /transfers/by-key/*": return findTransfer(request.segments[2])
        case "POST /transfers": return await once(request, transferFunds)
        case "POST /standing-orders": return await once(request, orderStanding)
        default: break
        }
        guard request.segments.first == "accounts", request.segments.count > 1 else { return ServedAnswer(404) }
        guard let account = books[Int(request.segments[1])] else {
            return failure(900_004, status: 404, "no such account")
        }
        return await answer(request, about: account)
    }

    private func logIn(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.header("Authorization") != nil { await complain(request, "a login carries a session") }
        guard let body = await object(request) else { return ServedAnswer(400) }
        guard let (id, customer) = BankAccounts.customers.first(where: { $0.value.login == body["user"]?.text }),
            customer.password == body["password"]?.text
        else { return failure(900_001, status: 401, "wrong password") }
        return success(["token": .string(tokens.make(for: id)), "customer": .number(id)])
    }

    private func listAccounts(_ request: ReceivedRequest, of customer: Int) async -> ServedAnswer {
        guard let page = request.queryValue("page").flatMap({ Int($0) }) else {
            await complain(request, "no page")
            return ServedAnswer(400)
        }
        let accounts = books.accounts(of: customer, status: request.queryValue("status"))
        return success(.array(accounts.dropFirst((page - 1) * 20).prefix(20).map(\.json)))
    }

    /// The body, which has to be JSON and to say so.
    func object(_ request: ReceivedRequest) async -> WireJSON? {
        if request.mediaType != "application/json" {
            await complain(request, "content type \(request.mediaType ?? "none")")
        }
        guard let json = request.json, json.members != nil else {
            await complain(request, "body is no JSON object")
            return nil
        }
        return json
    }

    /// Carries a keyed request out, or repeats its first response.
    private func once(
        _ request: ReceivedRequest, _ carryOut: (ReceivedRequest, WireJSON, String) async -> ServedAnswer
    ) async -> ServedAnswer {
        guard let key = request.header("Idempotency-Key"), !key.isEmpty else {
            await complain(request, "no idempotency key")
            return ServedAnswer(400)
        }
        switch keyed.lookUp(key, fingerprint: request.bodyText) {
        case .replay(let answer): return answer
        case .misused:
            await complain(request, "one key for two commands")
            return ServedAnswer(400)
        case .new: break
        }
        guard let body = await object(request) else { return ServedAnswer(400) }
        let answer = await carryOut(request, body, key)
        keyed.keep(answer, for: key, fingerprint: request.bodyText)
        return answer
    }

    // MARK: Answers

    func success(_ data: WireJSON, status: Int = 200) -> ServedAnswer {
        let data = WireJSON.Member("data", data)
        if shape.omitsNull { return .json(.object([data]), status: status) }
        return .json(
            .object(shape.errorFirst ? [.init("error", .null), data] : [data, .init("error", .null)]), status: status)
    }

    func failure(_ code: Int, status: Int, _ message: String, data: WireJSON = .null) -> ServedAnswer {
        let error = WireJSON.Member(
            "error",
            [
                "code": shape.codeAsText ? .string("\(code)") : .number(code),
                "messages": shape.messagesAsList ? [.string(message)] : .string(message),
            ])
        let data = WireJSON.Member("data", data)
        return .json(.object(shape.errorFirst ? [error, data] : [data, error]), status: status)
    }
}
