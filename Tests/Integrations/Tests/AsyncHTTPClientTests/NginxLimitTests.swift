import ErrandAsyncHTTPClient
import ErrandRuntime
import Testing

/// nginx refuses what is too fast with 503 and a page of its own, and the service gets nothing of it.
@Suite(.serialized, .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"), .timeLimit(.minutes(3)))
struct NginxLimitTests {
    /// A contract that knows the page by its text says that it proves something, so a command that must not be repeated is sent again.
    @Test(arguments: NginxTests.Carrier.allCases)
    func whatItsLimiterRefusesIsSentAgain(_ carrier: NginxTests.Carrier) async throws {
        let server = try await NginxServer(answer: "{}")
        let desk = try Desk(server, carrier)
        for number in 1...3 { try await desk.send(Desk.File(), "command \(number)") }
        let statuses = try await server.stop().map(\.status)
        #expect(statuses.count { $0 == "200" } == 3, "\(statuses)")
        #expect(statuses.contains("503"), "it refused none: \(statuses)")
    }

    /// By its status alone, a 503 proves nothing: other gateways send it for what the service has carried out.
    @Test(arguments: NginxTests.Carrier.allCases)
    func itsStatusAloneProvesNothing(_ carrier: NginxTests.Carrier) async throws {
        let server = try await NginxServer(answer: "{}")
        let desk = try Desk(server, carrier)
        var names: [String] = []
        for _ in 1...3 {
            if case .failure(let failure) = await desk.result(of: Desk.FileByStatus()) {
                names.append(failure.context.name)
            }
        }
        #expect(!names.isEmpty && names.allSatisfy { $0 == "unconfirmed" }, "\(names)")
    }
}

/// A service with commands that must not be sent twice.
private struct Desk: ServiceClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "Desk", version: "1",
        errors: [ErrorDescription("limited", .retryable), ErrorDescription("busy", .retryable)])

    init(_ server: NginxServer, _ carrier: NginxTests.Carrier) throws {
        binding = ServiceBinding(
            Self.service, server: server.url, on: Dispatcher(transport: try carrier.transport(to: server)),
            session: Session())
    }

    func send(_ command: File, _ story: String) async throws {
        // A random pause may be short, and nginx asks for none.
        let patient = with { $0.attempts = 50 }
        guard case .failure(let failure) = await patient.result(of: command) else { return }
        Issue.record("\(story): \(failure)")
    }

    private static func endpoint(_ name: String, _ table: DecisionTable) -> EndpointDescription {
        EndpointDescription(service, name, .post, effect: .once, response: .none, table: table)
    }

    struct File: Command {
        typealias Service = Desk
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = Desk.endpoint(
            "file",
            [.error("limited", applied: .never, status: 503, values: [.text("*Service Temporarily Unavailable*")])])
        func encode(into request: inout RequestEncoder) { request.path("/limited") }
    }

    struct FileByStatus: Command {
        typealias Service = Desk
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = Desk.endpoint("fileByStatus", [.error("busy", status: 503)])
        func encode(into request: inout RequestEncoder) { request.path("/limited") }
    }
}
