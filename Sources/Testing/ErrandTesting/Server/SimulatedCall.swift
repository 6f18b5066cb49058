public import ErrandJSON
public import ErrandRuntime

/// A request that has reached a simulated server, and to which the test may respond.
public struct SimulatedCall: Sendable {
    public let request: TransportRequest
    /// How many requests of its endpoint have come this far, this one included.
    public let number: Int

    /// The body as JSON; nil if it isn't JSON.
    public var json: JSONValue? { request.body.flatMap { try? JSONValue(parsing: $0) } }
}
