import Testing

@testable import ContractModel

/// Servers with several origins: the roles that all of them have, and the endpoints that are sent there.
@Suite struct ServerRoleTests {
    private static let servers = """
        servers:
          production: {url: "https://api.example.com/v1", upload: "https://upload.example.com"}
          local: {url: "http://127.0.0.1:{port=8080}", upload: "http://127.0.0.1:{port=8080}/upload"}

        """
    private static let session = "session: {header: X-Session}\ncommon: {headers: {X-Device: string}}\n"

    private static func resolved(_ text: String) throws -> ResolvedContract {
        let result = resolve("errand: 1\nservice: Sample\n" + text)
        return try #require(result.contract, "\(listing(result.diagnostics))")
    }

    @Test func eachServerHasAURLForEachRole() throws {
        let contract = try Self.resolved(
            Self.servers + Self.session + """
                roles:
                  upload: {sends: [session, common]}
                endpoints:
                  ask: {get: /ask, response: string}
                  addCover: {post: /covers, server: upload, body: bytes}
                """)
        #expect(
            contract.servers.map { $0.url(of: "upload")?.filled } == [
                "https://upload.example.com", "http://127.0.0.1:8080/upload",
            ])
        let role = try #require(contract.role(named: "upload"))
        #expect(role.sends(.session) && role.sends(.common) && !role.sends(.signature))
        #expect(contract.endpoints.map(\.server?.value) == [nil, "upload"])
        #expect(contract.endpoints.map(\.session) == [.required, .required])
    }

    /// Whatever belongs to the service stays with it unless the role says otherwise.
    @Test func aRoleGetsNothingThatTheContractDoesNotName() throws {
        let contract = try Self.resolved(
            Self.servers + Self.session + """
                defaults: {session: required}
                endpoints:
                  ask: {get: /ask, response: string}
                  addCover: {post: /covers, server: upload, headers: {X-Device: string}, body: bytes}
                """)
        #expect(contract.roles.map { $0.sends.count } == [0])
        #expect(contract.endpoints.map(\.session) == [.required, SessionUse.none])
    }

    @Test func rolesArePrintedAsTheyAreRead() throws {
        let text = """
            errand: 1
            service: Sample
            servers:
              main: {url: https://api.example.com, upload: https://upload.example.com}
            roles:
              upload: {sends: [session]}
            session:
              header: X-Session
            endpoints:
              addCover:
                post: /covers
                server: upload
                body: bytes

            """
        let written = try #require(
            ContractResolver(provider: MemorySource(files: ["a.contract.yaml": text])).written(path: "a.contract.yaml"))
        #expect(ContractPrinter.text(of: written).contains("upload: {sends: [session]}"))
        #expect(ContractPrinter.text(of: written).contains("main: {url: \"https://api.example.com\", upload: \"https"))
        #expect(ContractPrinter.text(of: written).contains("    server: upload\n"))
    }

    @Test(arguments: [
        ContractFixture(
            "server-role-missing", saying: "the server `local` has no URL for the role `upload`",
            part:
                "servers:\n  main: {url: \"https://a.example\", upload: \"https://b.example\"}\n  «local»: \"http://127.0.0.1\"\n"
        ),
        ContractFixture(
            "server-role-missing", saying: "no URL for the role `upload`",
            part: "servers: {«main»: \"https://a.example\"}\nroles: {upload: {}}\n"),
        ContractFixture(
            "missing-key", saying: "has no `url`", part: "servers: {«main»: {upload: \"https://b.example\"}}\n"),
        ContractFixture(
            "invalid-server", saying: "not a base URL",
            part: "servers: {main: {url: \"https://a.example\", upload: «b.example»}}\n"),
        // The role exists all the same.
        ContractFixture(
            "invalid-server", saying: "does not begin with `https://`",
            part:
                "  put: {put: /a, server: upload}\nservers: {main: {url: \"https://a.example\", upload: «\"htp://b.example\"»}}\n"
        ),
        ContractFixture(
            "server-of-other-protocol", saying: "the server `main` has a URL of WebSocket",
            part: "servers: {«main»: {url: \"https://a.example\", upload: \"wss://b.example\"}}\n"),
        ContractFixture(
            "duplicate-name", saying: "has the defaults `80` and `81`",
            part:
                "servers: {«main»: {url: \"http://127.0.0.1:{port=80}\", upload: \"http://127.0.0.1:{port=81}\"}}\n"),
        ContractFixture(
            "unknown-server-role", saying: "did you mean `upload`?",
            part:
                "  put: {put: /a, server: «uplod»}\nservers: {main: {url: \"https://a.example\", upload: \"https://b.example\"}}\n"
        ),
        ContractFixture(
            "unknown-server-role", saying: "add it to each server", part: "  put: {put: /a, server: «upload»}\n"),
        ContractFixture(
            "conflicting-keys", saying: "takes a whole URL",
            part:
                "  load: {get: \"{at:url}\", server: «upload»}\nservers: {main: {url: \"https://a.example\", upload: \"https://b.example\"}}\n"
        ),
        ContractFixture(
            "conflicting-keys", saying: "the role `upload` does not send it",
            part:
                "  put: {put: /a, server: upload, session: «required»}\nsession: {header: X-Session}\nservers: {main: {url: \"https://a.example\", upload: \"https://b.example\"}}\n"
        ),
        ContractFixture(
            "conflicting-keys", saying: "the contract has no `signing`",
            part:
                "roles: {upload: {sends: [«signature»]}}\nservers: {main: {url: \"https://a.example\", upload: \"https://b.example\"}}\n"
        ),
        ContractFixture(
            "invalid-name", saying: "cannot be a role", part: "roles: {«url»: {}}\n"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }

    /// The key of a request is beside the common parameters only where the request has them.
    @Test(arguments: [("{}", 0), ("{sends: [common]}", 1)])
    func aKeyMayHaveTheNameOfWhatItsOriginDoesNotGet(_ role: String, _ wanted: Int) {
        let text = """
            errand: 1
            service: Sample
            servers: {main: {url: "https://a.example", upload: "https://b.example"}}
            roles: {upload: \(role)}
            common: {parameters: {device: string}}
            endpoints:
              add: {post: /covers, server: upload, body: {name: string}, response: none, effect: {keyed: {field: device}}}

            """
        let (_, findings) = ContractResolver(provider: MemorySource(files: ["a.contract.yaml": text])).resolve(
            path: "a.contract.yaml")
        #expect(findings.filter { $0.rule == "name-collision" }.count == wanted, "\(findings)")
        #expect(findings.count == wanted, "\(findings)")
    }
}
