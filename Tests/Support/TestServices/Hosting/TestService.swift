/// One of the services that the project's contracts describe, on a socket of its own.
///
/// It carries its contract out for real, holds the client to it (`violations`), writes down what
/// arrives (`requests`), and lets a test get in the way (`script`).
///
/// The services are written by hand, beside the mock server. They have faults that no contract names, such as a response that
/// belongs to another request. They are also a second opinion: the mock server and the client are made from the same contract,
/// so both could share a mistake.
public protocol TestService: Actor {
    nonisolated var host: ServiceHost { get }
}

extension TestService {
    public nonisolated var port: Int { host.port }

    /// The server's URL for a client.
    public nonisolated var url: String { "http://127.0.0.1:\(host.port)\(host.basePath)" }

    /// The next requests that fit meet a fault. Faults are used up in the order of their scripting.
    public func script(_ fault: ScriptedFault, times: Int = 1, on pattern: RequestPattern = "*") async {
        await host.script(fault, times: times, on: pattern)
    }

    /// Takes back the faults that no request has met.
    public func clearScript() async { await host.clearScript() }

    /// The requests that have arrived, in that order, faults included.
    public func requests(on pattern: RequestPattern = "*") async -> [ReceivedRequest] {
        await host.requests(on: pattern)
    }

    public func forgetRequests() async { await host.forgetRequests() }

    /// Where the client broke the contract; tests want this empty at their end.
    public var violations: [String] {
        get async { await host.violations }
    }

    /// Takes no more connections, and ends those there are.
    public func stop() async { await host.stop() }

    /// Comes back after `stop`, at the same port and with everything that it knew.
    public func restart() async throws { try await host.restart() }

    /// Notes a breach of the contract.
    func complain(_ request: ReceivedRequest, _ text: String) async {
        await host.complain("\(request.line): \(text)")
    }
}
