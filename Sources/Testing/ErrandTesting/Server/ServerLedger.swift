public import ErrandRuntime

/// Something that a simulated server has done.
public struct LedgerEntry: Sendable {
    /// Its place among all entries, from 1.
    public let number: Int
    /// When, in virtual time from the start.
    public let moment: Duration
    /// Service and endpoint as the contract names them: `Bank.transferFunds`.
    public let endpoint: String
    /// POST for a frame, which has no method.
    public let method: HTTPMethod
    public let url: String
    /// The idempotency key that it came with.
    public let idempotencyKey: String?
    /// The body, or the payload of a frame.
    public let body: [UInt8]?
    /// The number of the connection that the request came over, from 1; nil over HTTP.
    public let connection: Int?

    /// The body as text; empty without a body.
    public var text: String { String(decoding: body ?? [], as: UTF8.self) }
}
