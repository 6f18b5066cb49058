import FlyingFox
import Foundation

actor PracticeBank {
    private var tokens: Set<String> = []
    private var balances = [1: Decimal(1_250), 5: Decimal(0)]
    private var transfers: [[String: Any]] = []
    /// The responses to idempotency keys; nil for a refused command.
    private var answers: [String: Data?] = [:]

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let body = (try? await request.bodyData) ?? Data()
        let fields = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        let path = request.path
        if request.method == .POST, path.hasSuffix("/sessions") { return logIn(fields) }
        let token = request.headers[HTTPHeader("Authorization")]?.dropFirst("Bearer ".count)
        guard let token, tokens.contains(String(token)) else { return failure(401, 900_000) }
        if request.method == .DELETE {
            tokens.remove(String(token))
            return HTTPResponse(statusCode: .noContent)
        }
        if path.hasSuffix("/accounts") { return success(balances.sorted { $0.key < $1.key }.map(account)) }
        if path.hasSuffix("/transfers"), request.method == .GET { return success(transfers) }
        if request.method == .POST {
            return transfer(fields, key: request.headers[HTTPHeader("Idempotency-Key")] ?? "")
        }
        return failure(404, 900_040)
    }

    private func logIn(_ fields: [String: Any]) -> HTTPResponse {
        guard fields["user"] as? String == "ada", fields["password"] as? String == "lovelace" else {
            return failure(401, 900_001)
        }
        let token = UUID().uuidString
        tokens.insert(token)
        return success(["token": token])
    }

    private func transfer(_ fields: [String: Any], key: String) -> HTTPResponse {
        if let known = answers[key], let answer = known { return json(200, answer) }
        // The first try is turned away: nothing was done, so it is sent again under the same key.
        guard answers.keys.contains(key) else {
            answers[key] = Data?.none
            return failure(503, 0)
        }
        guard let from = fields["fromAccount"] as? Int, let to = fields["toAccount"] as? Int,
            let amount = (fields["amount"] as? NSNumber)?.decimalValue, let balance = balances[from],
            balances[to] != nil
        else { return failure(422, 900_004) }
        if amount >= 10_000 { return envelope(200, ["error": ["code": 900_120], "data": ["approver": "Grace"]]) }
        if amount > balance {
            return envelope(422, ["error": ["code": 900_005], "data": ["fromAccount": from, "amount": amount]])
        }
        balances[from, default: 0] -= amount
        balances[to, default: 0] += amount
        let booked: [String: Any] = [
            "fromAccount": from, "toAccount": to, "amount": amount, "confirmation": 232_348_844 + transfers.count,
        ]
        transfers.insert(booked, at: 0)
        let answer = data(["data": booked])
        answers[key] = answer
        return json(200, answer)
    }

    private func account(_ number: Int, _ balance: Decimal) -> [String: Any] {
        [
            "id": number, "owner": "Ada Lovelace", "balance": balance, "status": "active",
            "openedAt": "2019-05-04T08:00:00Z", "nickname": number == 1 ? "Savings" : "Holidays",
        ]
    }

    private func success(_ value: Any) -> HTTPResponse { envelope(200, ["data": value]) }
    private func failure(_ status: Int, _ code: Int) -> HTTPResponse { envelope(status, ["error": ["code": code]]) }
    private func envelope(_ status: Int, _ object: [String: Any]) -> HTTPResponse { json(status, data(object)) }
    private func data(_ object: [String: Any]) -> Data {
        (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    }
    private func json(_ status: Int, _ body: Data) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: ""), headers: [.contentType: "application/json"], body: body)
    }
}
