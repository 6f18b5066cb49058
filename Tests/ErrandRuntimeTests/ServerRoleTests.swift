import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Commands whose contract sends them to another origin of the same server.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct ServerRoleTests {
    private func depot(_ transport: ScriptedTransport, _ roles: [String: String]? = nil) async -> Storehouse {
        let session = Session()
        await session.begin(SessionTokens(access: "token-canary"))
        return Storehouse(transport, session, roles ?? Storehouse.roles)
    }

    @Test func aRoleGetsOnlyWhatTheContractNames() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let depot = await depot(transport)
        _ = try await depot.send(Storehouse.AtHome())
        _ = try await depot.send(Storehouse.Bare())
        _ = try await depot.send(Storehouse.Trusted())
        let requests = transport.requests
        #expect(
            requests.map(\.url) == [
                "https://home.example/v1/file", "https://bare.example/file", "https://trusted.example/up/file",
            ])
        #expect(requests.map { $0.headers["Authorization"] } == ["Bearer token-canary", nil, "Bearer token-canary"])
        #expect(requests.map { $0.headers["X-Device"] } == ["device-canary", nil, "device-canary"])
        #expect(requests.map { $0.headers["X-Signature"] != nil } == [true, false, true])
    }

    /// To the service's own server, too: the token was for the role alone.
    @Test func aRedirectToAnotherRoleIsOneToAnotherOrigin() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            number == 1
                ? TransportResponse(status: 302, headers: ["Location": "https://home.example/v1/file"], body: [])
                : .json(200, "")
        }
        _ = try await depot(transport).send(Storehouse.Trusted())
        let last = try #require(transport.requests.last)
        #expect(last.url == "https://home.example/v1/file")
        #expect(last.headers["Authorization"] == nil && last.headers["X-Device"] == nil)
        #expect(last.headers["X-Signature"] == nil)
    }

    @Test(arguments: [[:], ["trusted": "trusted.example"]]) func aRoleWithoutAURLFailsBeforeAnythingIsSent(
        roles: [String: String]
    ) async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let depot = await depot(transport, roles)
        let result = await depot.result(of: Storehouse.Trusted())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .invalidRequest && fault.context.brokenFields.map(\.name) == ["server"])
        #expect(transport.requests.isEmpty)
        _ = try await depot.send(Storehouse.AtHome())
    }

    /// An outage of one origin says nothing about the other.
    @Test func eachOriginHasItsOwnHost() async throws {
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            if request.url.hasPrefix("https://bare.example") { throw TransportFault(.refused, evidence: .notSent) }
            return .json(200, "")
        }
        let depot = await depot(transport)
        let result = await depot.result(of: Storehouse.Bare())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.context.url == "https://bare.example/file")
        _ = try await depot.send(Storehouse.AtHome())
    }
}

/// A service with other origins, by hand.
private struct Storehouse: ServiceClient {
    var binding: ServiceBinding

    static let roles = ["bare": "https://bare.example", "trusted": "https://trusted.example/up/"]

    init(_ transport: ScriptedTransport, _ session: Session, _ roles: [String: String]) {
        binding = ServiceBinding(
            Self.service, server: "https://home.example/v1", roles: roles,
            on: Dispatcher(
                transport: transport, settings: DispatcherSettings(retry: RetryRule(attempts: 1)),
                environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))),
            session: session, common: { $0.header("X-Device", "device-canary") }, signingKey: "key-canary")
    }

    static let service = ServiceDescription(
        name: "Storehouse", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        signing: SigningRule(
            SigningRule.Algorithm { text, key in [UInt8(truncatingIfNeeded: text.count + key.count)] },
            into: .header("X-Signature")))

    enum Failure: CommandFailure {
        case fault(CommandFault)

        init(_ fault: CommandFault) { self = .fault(fault) }
        init?(declared error: DeclaredName, _ match: ErrorMatch) { return nil }

        var context: FailureContext {
            switch self {
            case .fault(let fault): fault.context
            }
        }
    }

    private static func endpoint(_ name: String, _ server: ServerRole?) -> EndpointDescription {
        EndpointDescription(
            service, name, .get, effect: .read, session: .optional, server: server, response: .bytes)
    }

    struct AtHome: ErrandRuntime.Command {
        typealias Service = Storehouse
        typealias Failure = Storehouse.Failure
        typealias Response = [UInt8]
        static let endpoint = Storehouse.endpoint("atHome", nil)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
    struct Bare: ErrandRuntime.Command {
        typealias Service = Storehouse
        typealias Failure = Storehouse.Failure
        typealias Response = [UInt8]
        static let endpoint = Storehouse.endpoint("bare", ServerRole("bare"))
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
    struct Trusted: ErrandRuntime.Command {
        typealias Service = Storehouse
        typealias Failure = Storehouse.Failure
        typealias Response = [UInt8]
        static let endpoint = Storehouse.endpoint(
            "trusted", ServerRole("trusted", session: true, common: true, signature: true))
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
}
