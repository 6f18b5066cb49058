import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A response that a gateway of the contract has made itself proves that the service did nothing, and so does no other.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct GatewayTests {
    /// The page of HAProxy 2.6.12 while no server takes a request.
    private static let page =
        "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n"
    private static let haproxy = GatewayRules([
        .init(
            503, .text("*No server is available to handle this request.*"),
            "HAProxy makes this 503 when no server takes the request")
    ])
    private static let behindNginx = GatewayRules(
        haproxy.refusals, repeats: [GatewayRepeat(except: ["POST", "LOCK", "PATCH"])])

    private static func refusing(_ body: String, first: Int = 1) -> ScriptedTransport {
        .scripted { _, count in
            count <= first
                ? TransportResponse(status: 503, headers: ["Content-Type": "text/html"], body: Array(body.utf8))
                : .json(200, "{}")
        }
    }

    @Test func aOnceCommandIsSentAgain() async throws {
        let transport = Self.refusing(Self.page)
        _ = try await Counter(transport, [.url: Self.haproxy]).send(Counter.Take())
        #expect(transport.requests.count == 2)
    }

    @Test func theLastFailureSaysWhy() async throws {
        let transport = Self.refusing(Self.page, first: 9)
        let failure = await Counter(transport, [.url: Self.haproxy]).failure(of: Counter.Take())
        #expect(failure?.context.applied == .never && failure?.kind == .unavailable, "\(String(describing: failure))")
        #expect((failure?.context.underlying as? GatewayRefusal)?.reason.hasPrefix("HAProxy makes this 503") == true)
        #expect(failure?.description.contains("no server takes the request") == true)
        #expect(transport.requests.count == 3)
    }

    /// Another page, another role, no entry, a method that nginx repeats: the command stays open.
    @Test(arguments: [
        ("<h1>503 Service Unavailable</h1>", [Counter.Place.url: haproxy], false), (page, [:], false),
        (page, [.role: haproxy], false), (page, [.url: behindNginx], true),
        ("{\"text\": \"No server is available to handle this request.\"}", [.url: haproxy], false),
    ])
    func anythingElseProvesNothing(body: String, rules: [Counter.Place: GatewayRules], deletes: Bool) async throws {
        let transport = Self.refusing(body, first: 9)
        let counter = Counter(transport, rules)
        let failure =
            deletes ? await counter.failure(of: Counter.Drop()) : await counter.failure(of: Counter.Take())
        #expect(failure?.kind == .unconfirmed && failure?.context.applied == .maybe, "\(String(describing: failure))")
        #expect(transport.requests.count == 1)
    }

    /// nginx does not repeat a POST, so the same page in the same chain proves something about it.
    @Test func aPostPassesNginxOnce() async throws {
        let transport = Self.refusing(Self.page)
        _ = try await Counter(transport, [.url: Self.behindNginx]).send(Counter.Take())
        #expect(transport.requests.count == 2)
    }

    /// What a redirect leads to has other gateways, and the first place has acted already.
    @Test func theResponseOfAnotherPlaceProvesNothing() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            request.url.hasSuffix("/take")
                ? .json(307, "", ["Location": "https://home.example/v1/elsewhere"])
                : TransportResponse(status: 503, headers: ["Content-Type": "text/html"], body: Array(Self.page.utf8))
        }
        let failure = await Counter(transport, [.url: Self.haproxy]).failure(of: Counter.Take())
        #expect(failure?.kind == .unconfirmed, "\(String(describing: failure))")
        #expect(transport.requests.count == 2)
    }

    /// The page is that of the gateway, so it does not tell what became of the attempt before, whatever the contract calls it.
    @Test func anEarlierAttemptStaysOpen() async throws {
        let transport = ScriptedTransport.scripted { _, number throws(TransportFault) in
            if number == 1 { throw TransportFault(.lost, evidence: .sent) }
            return TransportResponse(status: 503, headers: ["Content-Type": "text/html"], body: Array(Self.page.utf8))
        }
        let failure = await Counter(transport, [.url: Self.haproxy]).failure(of: Counter.Pay())
        #expect(failure?.kind == .unconfirmed && failure?.context.applied == .maybe, "\(String(describing: failure))")
        #expect(transport.requests.count == 2)
    }

    /// Only the slash is another one, so that a 307 is followed. The response is still that of another place.
    @Test func afterARedirectNothingIsProved() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            request.url.hasSuffix("/take")
                ? .json(307, "", ["Location": "https://home.example/v1/take/"])
                : TransportResponse(status: 503, headers: ["Content-Type": "text/html"], body: Array(Self.page.utf8))
        }
        let failure = await Counter(transport, [.url: Self.haproxy]).failure(of: Counter.Take())
        #expect(failure?.kind == .unconfirmed, "\(String(describing: failure))")
    }

    /// An interceptor that sends requests elsewhere, or lets a gateway repeat them.
    enum Detour: Interceptor, CaseIterable {
        case none, otherOrigin, otherMethod, key

        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            var request = request
            switch self {
            case .none: break
            case .otherOrigin: request.url = "https://other.example/v1/take"
            case .otherMethod: request.method = .put
            case .key: request.headers.set("Idempotency-Key", "mine")
            }
            return try await next(request)
        }
    }

    @Test(arguments: Detour.allCases) func whatAnInterceptorHasSentCounts(_ detour: Detour) async throws {
        let transport = Self.refusing(Self.page)
        let rules = GatewayRules(Self.haproxy.refusals, repeats: [GatewayRepeat(bodiless: true, keyed: true)])
        let counter = Counter(transport, [.url: rules], interceptors: [detour])
        let failure = await counter.failure(of: Counter.Take())
        #expect(failure?.kind == (detour == .none ? nil : .unconfirmed), "\(String(describing: failure))")
        #expect(transport.requests.count == (detour == .none ? 2 : 1))
    }

    @Test(arguments: [
        (GatewayRepeat(except: ["POST"]), "DELETE", true, false, true),
        (GatewayRepeat(except: ["POST"]), "POST", true, true, false),
        (GatewayRepeat(bodiless: true), "POST", false, false, true),
        (GatewayRepeat(bodiless: true), "POST", true, false, false),
        (GatewayRepeat(["PUT"], bodiless: true), "PUT", false, false, true),
        (GatewayRepeat(["PUT"], bodiless: true), "POST", false, false, false),
        (GatewayRepeat(bodiless: true, keyed: true), "POST", false, true, true),
        (GatewayRepeat(bodiless: true, keyed: true), "POST", false, false, false),
        (GatewayRepeat(bodiless: true, keyed: true), "POST", true, true, false),
    ])
    func whatIsRepeated(_ rule: GatewayRepeat, method: String, hasBody: Bool, hasKey: Bool, wanted: Bool) {
        #expect(rule.contains(method, hasBody: hasBody, hasKey: hasKey) == wanted)
    }
}

/// A service with commands that must arrive once.
struct Counter: ServiceClient {
    enum Place: String { case url, role }

    var binding: ServiceBinding

    init(
        _ transport: ScriptedTransport, _ gateways: [Place: GatewayRules], interceptors: [any Interceptor] = []
    ) {
        binding = ServiceBinding(
            Self.service, server: "https://home.example/v1", roles: ["role": "https://other.example"],
            gateways: Dictionary(uniqueKeysWithValues: gateways.map { ($0.rawValue, $1) }),
            on: Dispatcher(
                transport: transport, interceptors: interceptors,
                settings: DispatcherSettings(retry: RetryRule(attempts: 3)),
                environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))),
            session: Session())
    }

    static let service = ServiceDescription(
        name: "Counter", version: "1", errors: [ErrorDescription("closed", .nonRetryable)])

    func failure<C: ErrandRuntime.Command>(
        of command: C
    ) async -> CommandFault? where C.Failure == Failure, C.Service == Counter {
        do throws(Failure) {
            _ = try await send(command)
            return nil
        } catch {
            return error.fault
        }
    }

    struct Failure: CommandFailure {
        let fault: CommandFault
        init(_ fault: CommandFault) { self.fault = fault }
        init?(declared error: DeclaredName, _ match: ErrorMatch) {
            if error == ErrorMatch.open { return nil }
            fault = CommandFault(.rejected, match.context)
        }
        var context: FailureContext { fault.context }
    }

    struct Take: ErrandRuntime.Command {
        typealias Service = Counter
        typealias Failure = Counter.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Counter.service, "take", .post, effect: .once, session: .none, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/take") }
    }

    struct Pay: ErrandRuntime.Command {
        typealias Service = Counter
        typealias Failure = Counter.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Counter.service, "pay", .post, effect: .keyed, session: .none, response: .bytes,
            table: [.error("closed", isEndpointSpecific: true, status: 503)])
        func encode(into request: inout RequestEncoder) { request.path("/pay") }
    }

    struct Drop: ErrandRuntime.Command {
        typealias Service = Counter
        typealias Failure = Counter.Failure
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Counter.service, "drop", .delete, effect: .once, session: .none, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/drop") }
    }
}
