public import ErrandJSON
public import ErrandRuntime

/// A request that has reached a simulated server and may be answered by the test.
public struct SimulatedCall: Sendable {
    public let request: TransportRequest
    /// How many requests of its endpoint have come this far, this one included.
    public let number: Int

    /// The body as JSON; nil where it is none.
    public var json: JSONValue? { request.body.flatMap { try? JSONValue(parsing: $0) } }
}
