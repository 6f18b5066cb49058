import Foundation
import HTTPTypes
import Hummingbird

/// A bank that is as slow as it is told to be.
actor PracticeBank {
    private(set) var logins = 0
    /// How long each transfer that came was waited for, in milliseconds, as its sender said.
    private(set) var waits: [Int] = []
    private(set) var keys: Set<String> = []
    /// Transfers whose sender had gone before the bank responded.
    private(set) var abandoned = 0
    var delay = Duration.zero

    func be(slow delay: Duration) { self.delay = delay }

    nonisolated func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("v1/sessions") { _, _ in await self.logIn() }
        router.post("v1/transfers") { request, _ in try await self.transfer(request) }
        return router
    }

    private func logIn() -> Response {
        logins += 1
        return Self.json(.ok, #"{"data":{"token":"t"}}"#)
    }

    private func transfer(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 16)
        if let name = HTTPField.Name("x-envoy-expected-rq-timeout-ms"),
            let wait = request.headers[name].flatMap(Int.init)
        {
            waits.append(wait)
        }
        if let name = HTTPField.Name("idempotency-key"), let key = request.headers[name] { keys.insert(key) }
        do { try await Task.sleep(for: delay) } catch {
            abandoned += 1
            throw error
        }
        if String(buffer: body).contains("900000") {
            return Self.json(
                .unprocessableContent, #"{"error":{"code":900005},"data":{"fromAccount":1,"amount":900000}}"#)
        }
        return Self.json(.ok, #"{"data":{"fromAccount":1,"toAccount":5,"amount":500,"confirmation":4711}}"#)
    }

    private static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
