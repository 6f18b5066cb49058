import Foundation

extension BankService {
    func transferFunds(_ request: ReceivedRequest, _ body: WireJSON, key: String) async -> ServedAnswer {
        guard let from = body["fromAccount"]?.integer, let to = body["toAccount"]?.integer,
            let amountText = body["amount"]?.numberText, let amount = Decimal(string: amountText)
        else {
            await complain(request, "fields missing or of the wrong type: \(body)")
            return ServedAnswer(400)
        }
        guard let source = books[from], books[to] != nil else {
            return failure(900_004, status: 422, "no such account")
        }
        if source.status == "frozen" {
            return failure(900_006, status: 422, "frozen", data: ["account": .number(from), "since": "2026-01-31"])
        }
        if amount > source.balance {
            return failure(
                900_005, status: 422, "short of money",
                data: ["fromAccount": .number(from), "amount": .number(amountText)])
        }
        if amount >= 10_000 { return failure(900_120, status: 200, "needs approval", data: ["approver": "Grace"]) }
        let booking = books.book(from: from, to: to, amount: amount, reference: body["reference"]?.text, key: key)
        return success(json(of: booking))
    }

    func findTransfer(_ key: String) -> ServedAnswer {
        guard let booking = books.bookings.first(where: { $0.key == key }) else {
            return failure(900_040, status: 404, "no such transfer")
        }
        return success(json(of: booking))
    }

    private func json(of booking: Booking) -> WireJSON {
        .object([
            .init("fromAccount", .number(booking.fromAccount)), .init("toAccount", .number(booking.toAccount)),
            .init("amount", .number("\(booking.amount)")), .init("confirmation", .number(booking.confirmation)),
            .init("reference", booking.reference.map(WireJSON.string) ?? .null),
            .init("bookedAt", "2026-03-01T09:30:00.250Z"),
        ])
    }

    func orderStanding(_ request: ReceivedRequest, _ body: WireJSON, key: String) async -> ServedAnswer {
        guard let iban = body["iban"]?.text, let amount = body["amount"]?.numberText,
            ["week", "month", "quarter", "year"].contains(body["every"]?.text),
            let firstOn = body["firstOn"]?.text, firstOn.wholeMatch(of: #/\d{4}-\d{2}-\d{2}/#) != nil
        else {
            await complain(request, "fields missing or of the wrong type: \(body)")
            return ServedAnswer(400)
        }
        standingOrders += 1
        return success(
            [
                "id": "7b1de0a4-3c55-4b8f-9d3e-2f6f3a0c9e11", "iban": .string(iban), "amount": .number(amount),
                "firstOn": .string(firstOn), "lastOn": body["lastOn"] ?? .null,
            ], status: 201)
    }

    /// Whatever is below `/accounts/ID`.
    func answer(_ request: ReceivedRequest, about account: BankAccounts.Account) async -> ServedAnswer {
        switch request {
        case "GET /accounts/*": return read(account, request)
        case "PUT /accounts/*/nickname":
            guard let body = await object(request) else { return ServedAnswer(400) }
            books.rename(account.id, to: body["nickname"]?.text)
            return success(books[account.id]?.json ?? .null)
        case "DELETE /accounts/*":
            guard account.balance == 0 else { return failure(900_008, status: 409, "not empty") }
            books.close(account.id)
            return ServedAnswer(204)
        case "GET /accounts/*/transfers":
            let concerned = books.bookings.filter { $0.fromAccount == account.id || $0.toAccount == account.id }
            return success(.array(concerned.reversed().map(json)))
        case "POST /accounts/*/cards": return await orderCard(request, for: account)
        default: return ServedAnswer(404)
        }
    }

    /// A client may keep the account, and has to ask before it uses it again.
    private func read(_ account: BankAccounts.Account, _ request: ReceivedRequest) -> ServedAnswer {
        let tag = "\"\(books.version)\""
        var answer = request.header("If-None-Match") == tag ? ServedAnswer(304) : success(account.json)
        answer.headers += [("Cache-Control", "private, max-age=0"), ("ETag", tag)]
        return answer
    }

    private func orderCard(_ request: ReceivedRequest, for account: BankAccounts.Account) async -> ServedAnswer {
        if request.header("Idempotency-Key") != nil { await complain(request, "a key that the bank does not know") }
        guard let kind = await object(request)?["kind"]?.text, ["D", "C"].contains(kind) else {
            await complain(request, "no kind of card")
            return ServedAnswer(400)
        }
        if account.status == "frozen" {
            return failure(
                900_006, status: 422, "frozen", data: ["account": .number(account.id), "since": "2026-01-31"])
        }
        cardsOrdered += 1
        if postIsSlow { return success(["expectedOn": "2026-04-15"], status: 202) }
        return success(
            [
                "id": .number("9007199254740993"), "account": .number(account.id), "kind": .string(kind),
                "lastDigits": "4711", "validUntil": "2029-12-31",
            ], status: 201)
    }
}
