import AsyncHTTPClient
import BankClient
import CheckoutService
import Foundation
import Hummingbird
import Logging
import NIOCore

/// Runs a router on a free port of this machine, and says on which.
func start(_ router: Router<BasicRequestContext>) async throws -> Int {
    let (ports, announce) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "rehearsal")
    logger.logLevel = .error
    let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in announce.yield(channel.localAddress?.port ?? 0) }, logger: logger)
    Task { try await application.runService(gracefulShutdownSignals: []) }
    for await port in ports { return port }
    throw CancellationError()
}

let bank = PracticeBank()
let bankPort = try await start(bank.router())
var logger = Logger(label: "checkout")
logger.logLevel = .info
let checkout = Checkout(
    bank: Bank.Server(url: "http://127.0.0.1:\(bankPort)/v1"),
    login: { Bank.LogIn(user: "shop", password: "s3cret") }, logger: logger)
let port = try await start(checkout.router())

var failures = 0
/// Says what is so, or that it is not.
@MainActor func expect(_ isSo: Bool, _ claim: String) {
    print(isSo ? "  ✓ \(claim)" : "  ✗ not so: \(claim)")
    if !isSo { failures += 1 }
}

/// Sends an order, and waits for the response for this long.
func order(_ amount: Int, waiting milliseconds: Int?) async throws -> (status: Int, text: String, time: Duration) {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/checkout")
    request.method = .POST
    if let milliseconds { request.headers.add(name: "x-envoy-expected-rq-timeout-ms", value: "\(milliseconds)") }
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(string: #"{"fromAccount":1,"toAccount":5,"amount":\#(amount)}"#))
    let begun = ContinuousClock.now
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let text = String(buffer: try await response.body.collect(upTo: 1 << 16))
    return (Int(response.status.code), text, .now - begun)
}

print("twenty orders at once")
let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
    for _ in 0..<20 { group.addTask { try await order(500, waiting: nil).status } }
    var statuses: [Int] = []
    for try await status in group { statuses.append(status) }
    return statuses
}
expect(statuses.allSatisfy { $0 == 201 }, "all are paid")
expect(await bank.logins == 1, "the service logged in once")
expect(await bank.keys.count == 20, "each has an idempotency key of its own")

print("an order that the bank refuses")
let refused = try await order(900_000, waiting: nil)
expect(
    refused.status == 402 && refused.text.contains("not enough money"), "402, in the contract's words: \(refused.text)")

print("an order whose sender waits eight seconds")
_ = try await order(500, waiting: 8_000)
let told = await bank.waits.last ?? 0
expect(told > 1_000 && told <= 8_000, "the bank is told to be done in \(told) ms")

print("the bank takes twenty seconds, and the sender waits for one and a half")
await bank.be(slow: .seconds(20))
let before = await bank.waits.count
let late = try await order(500, waiting: 1_500)
expect(late.status == 504, "504")
expect(late.time < .seconds(15), "after \(late.time / .milliseconds(1)) ms, not after twenty seconds")
expect(
    await bank.waits.count == before + 1, "the bank was asked once: a request that no caller waits for is not repeated")

exit(failures == 0 ? 0 : 1)
