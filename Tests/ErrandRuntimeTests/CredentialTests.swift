import ErrandTesting
import Foundation
import Synchronization
import Testing

@testable import ErrandRuntime

/// What the app gives once: in which place of a request it is, which alternative a client takes, and who never sees it.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct CredentialTests {
    private static let values: [String: String?] = [
        "admin": "canary-admin", "audit": "ada:canary-audit", "tenant": "canary-tenant", "access": "canary-access",
        "key": "canary key&", "shelf": "canary-shelf", "page": "canary-page",
        // A key in the place of the user.
        "user": "canary-user:",
    ]
    private static let canaries = [
        "canary", JSONText.of(Array("ada:canary-audit".utf8)), "canary%20key%26", "canary+key%26",
    ]

    private func library(
        _ transport: ScriptedTransport, _ values: [String: String?] = values, observer: (any CommandObserver)? = nil
    ) async -> Library {
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        return Library(transport, session, values, observer)
    }

    private func send(_ ask: Ask, _ values: [String: String?] = values) async throws -> TransportRequest {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        _ = try await library(transport, values).send(ask)
        return try #require(transport.requests.last)
    }

    private func expectSilence(_ value: Any, _ location: SourceLocation = #_sourceLocation) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] {
            for canary in Self.canaries where text.contains(canary) {
                Issue.record("\(canary) in: \(text)", sourceLocation: location)
            }
        }
    }

    // MARK: Places

    @Test func eachPlaceHasItsValue() async throws {
        let request = try await send(Ask([["admin", "tenant", "access", "key", "shelf", "page"]]))
        #expect(request.headers["Authorization"] == "Bearer canary-admin")
        #expect(request.headers["X-Tenant"] == "canary-tenant")
        #expect(request.headers["X-Access"] == "<canary-access>")
        #expect(request.headers["Cookie"] == "shelf=canary-shelf; page=canary-page")
        #expect(request.url == "https://library.example/v1/ask?a%20key=canary%20key%26")
    }

    /// A request has one header `Cookie` at most (RFC 6265 section 5.4), whatever is in it.
    @Test func allCookiesTravelInOneHeader() throws {
        var encoder = RequestEncoder(
            method: .get, base: "https://library.example", isSigned: false, wallTime: Date(),
            chance: DispatcherEnvironment(generator: SeededGenerator(seed: 7)).chance)
        encoder.path("/ask")
        encoder.cookie("theme", "light")
        encoder.add("token", at: SessionPlacement(header: "Cookie", prefix: "sid=", suffix: ""))
        encoder.add(GivenCredential(name: "shelf", value: "7", placement: .cookie("shelf")))
        let cookies = encoder.headers.fields.filter { $0.name == "Cookie" }.map(\.value)
        #expect(cookies == ["theme=light; sid=token; shelf=7"])
    }

    @Test func userAndPasswordAreSentInBase64() async throws {
        let request = try await send(Ask([["audit"]]))
        #expect(request.headers["Authorization"] == "Basic YWRhOmNhbmFyeS1hdWRpdA==")
    }

    /// The session's token is no part of the choice.
    @Test func theSessionGoesWithEachAlternative() async throws {
        let one = try await send(Ask([["missing"], ["tenant"]], session: .required))
        #expect(one.headers["X-Session"] == "token" && one.headers["X-Tenant"] == "canary-tenant")
        let none = try await send(Ask([["missing"], []], session: .required))
        #expect(none.headers["X-Session"] == "token" && none.headers["X-Tenant"] == nil)
        let alone = try await send(Ask([["tenant"]]))
        #expect(alone.headers["X-Session"] == nil && alone.headers["X-Tenant"] == "canary-tenant")
    }

    @Test func anEndpointWithoutCredentialsCarriesNone() async throws {
        let request = try await send(Ask([]))
        #expect(["Authorization", "X-Tenant", "Cookie"].allSatisfy { request.headers[$0] == nil })
        #expect(request.url == "https://library.example/v1/ask")
    }

    // MARK: Alternatives

    @Test(
        arguments: [
            (["admin": "a", "tenant": "t"], "Bearer a", nil), (["tenant": "t", "audit": "u:p"], "Basic dTpw", "t"),
            (["admin": "", "tenant": "t", "audit": "u:p"], "Basic dTpw", "t"), (["tenant": "t"], nil, nil),
        ] as [([String: String?], String?, String?)])
    func theFirstAlternativeThatIsGivenIsTaken(_ given: [String: String?], _ proof: String?, _ tenant: String?)
        async throws
    {
        let request = try await send(Ask([["admin"], ["audit", "tenant"], []]), given)
        #expect(request.headers["Authorization"] == proof && request.headers["X-Tenant"] == tenant)
    }

    @Test(arguments: [[:], ["admin": nil], ["tenant": "t", "admin": ""]] as [[String: String?]])
    func withoutOneNothingIsSent(_ given: [String: String?]) async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let library = await library(transport, given)
        let fault = try await library.fault(of: Ask([["admin"], ["audit", "tenant"]]))
        #expect(fault.kind == .invalidRequest && fault.context.applied == .never)
        #expect(fault.context.brokenFields.map(\.name) == ["credentials"])
        #expect(fault.context.brokenFields.first?.reason.contains("admin, or audit and tenant") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("audit", "canary-no-colon"), ("shelf", "canary; other=1"), ("shelf", "canary\u{E4}"),
        ("tenant", "canary\r\nX: 1"),
        ("admin", "canary\0"),
    ])
    func aValueThatItsPlaceCannotHaveIsNotSent(_ name: String, _ value: String) async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let fault = try await library(transport, [name: value]).fault(of: Ask([[name]]))
        #expect(fault.kind == .invalidRequest && fault.context.brokenFields.count == 1)
        expectSilence(fault)
        #expect(transport.requests.isEmpty)
    }

    @Test func aCallersHeaderCannotTakeThePlace() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
        let library = await library(transport).with { $0.headers = ["x-tenant": "mine"] }
        let fault = try await library.fault(of: Ask([["tenant"]]))
        #expect(fault.kind == .invalidRequest && transport.requests.isEmpty)
    }

    // MARK: Other origins

    @Test func aRedirectToAnotherOriginTakesNoneAlong() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            switch Origin(request.url)?.host {
            case "library.example":
                TransportResponse(status: 302, headers: ["Location": "https://other.example/v1/ask"], body: [])
            default: .json(200, "")
            }
        }
        let ask = Ask([["admin", "tenant", "access", "key", "shelf", "page"]])
        _ = try await library(transport).send(ask)
        let last = try #require(transport.requests.last)
        #expect(transport.requests.count == 2 && last.url == "https://other.example/v1/ask")
        for field in last.headers.fields {
            for canary in Self.canaries { #expect(!field.value.contains(canary), "\(field.name)") }
        }
    }

    /// A whole URL, and a role that does not send them.
    @Test func otherOriginsOfTheContractGetNone() async throws {
        let whole = try await send(Ask([["tenant", "key"]], url: "https://other.example/a"))
        #expect(whole.url == "https://other.example/a" && whole.headers["X-Tenant"] == nil)
        let bare = try await send(Ask([["tenant", "key"]], server: ServerRole("upload")))
        #expect(bare.url == "https://upload.example/ask" && bare.headers["X-Tenant"] == nil)
        let trusted = try await send(Ask([["tenant"]], server: ServerRole("upload", credentials: true)))
        #expect(trusted.url == "https://upload.example/ask" && trusted.headers["X-Tenant"] == "canary-tenant")
    }

    // MARK: Secrecy

    /// A server that repeats everything that it was sent, in its message and its body.
    @Test(arguments: [["admin", "tenant", "access", "key", "shelf"], ["audit"], ["user"]])
    func whatAServerRepeatsIsBlanked(_ names: [String]) async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            // It has decoded the password.
            let password = names == ["audit"] ? "canary-audit" : names == ["user"] ? "canary-user" : ""
            let sent = request.headers.fields.map(\.value).joined(separator: " ") + " \(password) " + request.url
            return .json(422, #"{"message":"\#(sent)"}"#)
        }
        let lines = Mutex<[String]>([])
        let log = ConsoleLog { line in lines.withLock { $0.append(line) } }
        let library = await library(transport, observer: log)
        let failure = try await library.fault(of: Ask([names]))
        #expect(transport.requests.count == 1)
        expectSilence(failure)
        expectSilence(library)
        expectSilence(library.binding.route)
        expectSilence(library.binding.route.credentials.values.sorted { $0.name < $1.name })
        for line in lines.withLock({ $0 }) { expectSilence(line) }
        #expect(!lines.withLock { $0.isEmpty })
    }
}

/// A service with credentials in every place, by hand.
private struct Library: ServiceClient {
    var binding: ServiceBinding

    init(
        _ transport: ScriptedTransport, _ session: Session, _ credentials: [String: String?],
        _ observer: (any CommandObserver)?
    ) {
        binding = ServiceBinding(
            Self.service, server: "https://library.example/v1", roles: ["upload": "https://upload.example"],
            on: Dispatcher(
                transport: transport, observers: observer.map { [$0] } ?? [],
                settings: DispatcherSettings(retry: RetryRule(attempts: 1)),
                environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))),
            session: session, credentials: credentials)
    }

    static let service = ServiceDescription(
        name: "Library", version: "1", session: SessionPlacement(header: "X-Session", prefix: "", suffix: ""),
        credentials: [
            "admin": .header("Authorization", prefix: "Bearer "), "audit": .basic, "tenant": .header("X-Tenant"),
            "access": .header("X-Access", prefix: "<", suffix: ">"), "key": .query("a key"),
            "shelf": .cookie("shelf"), "page": .cookie("page"), "user": .basic, "missing": .header("X-Missing"),
        ], sensitive: ["a key"])
}

/// A request whose endpoint a test describes.
private struct Ask {
    var credentials: [[String]]
    var session = SessionUse.none
    var server: ServerRole?
    var url: String?

    init(_ credentials: [[String]], session: SessionUse = .none, server: ServerRole? = nil, url: String? = nil) {
        self.credentials = credentials
        self.session = session
        self.server = server
        self.url = url
    }

    struct Command: ErrandRuntime.Command {
        typealias Service = Library
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Library.service, "ask", .get, effect: .read, response: .bytes)

        let url: String?

        func encode(into request: inout RequestEncoder) {
            if let url = url.flatMap({ URL(string: $0) }) { request.wholeURL(url) } else { request.path("/ask") }
        }
    }
}

extension Library {
    /// Carries out a request as its endpoint says, which a command has once for all of its values.
    fileprivate func send(_ ask: Ask) async throws(CommandFault) -> [UInt8] {
        let command = Ask.Command(url: ask.url)
        let endpoint = EndpointDescription(
            Self.service, "ask", .get, effect: .read, session: ask.session, credentials: ask.credentials,
            server: ask.server, response: .bytes)
        return try await CommandExecution(
            command: command, endpoint: endpoint, route: binding.route, session: binding.session, role: .ordinary,
            options: binding.options
        ).perform(command).value
    }

    fileprivate func fault(of ask: Ask) async throws -> CommandFault {
        do {
            _ = try await send(ask)
        } catch {
            return error
        }
        throw Succeeded()
    }

    private struct Succeeded: Error {}
}
