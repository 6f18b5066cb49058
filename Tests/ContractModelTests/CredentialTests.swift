import Testing

@testable import ContractModel

/// The app's credentials: where requests carry them, and which endpoints have which.
@Suite struct CredentialTests {
    private static let credentials = """
        credentials:
          admin: bearer
          audit: basic
          tenant: {header: X-Tenant}
          access: {header: X-Access, format: "Key {token}"}
          map: {query: map key}
          shelf: {cookie: shelf}

        """

    private static func resolved(_ text: String) throws -> ResolvedContract {
        let result = resolve("errand: 1\nservice: Sample\n" + text)
        return try #require(result.contract, "\(listing(result.diagnostics))")
    }

    private static func alternatives(_ contract: ResolvedContract) -> [String] {
        contract.endpoints.map { $0.credentials.map(\.text).joined(separator: ", ") }
    }

    @Test func eachHasAPlaceInTheRequest() throws {
        let contract = try Self.resolved(
            Self.credentials + """
                endpoints:
                  ask: {get: /ask, credentials: "admin + tenant + access + map + shelf", response: string}
                  tell: {get: /tell, credentials: audit, response: string}
                """)
        #expect(
            contract.credentials.map(\.placement) == [
                .bearer, .basic, .header(name: "X-Tenant", prefix: "", suffix: ""),
                .header(name: "X-Access", prefix: "Key ", suffix: ""), .query("map key"), .cookie("shelf"),
            ])
        #expect(Self.alternatives(contract) == ["admin + tenant + access + map + shelf", "audit"])
    }

    @Test func anEndpointReplacesTheDefault() throws {
        let contract = try Self.resolved(
            Self.credentials + """
                defaults: {credentials: [tenant, none]}
                endpoints:
                  one: {get: /one, response: string}
                  two: {get: /two, credentials: [admin, audit + map], response: string}
                  three: {get: /three, credentials: none, response: string}
                  four: {get: "{at:url}", response: bytes}
                """)
        #expect(Self.alternatives(contract) == ["tenant, none", "admin, audit + map", "", ""])
    }

    /// Whatever belongs to the service stays with it unless the role says otherwise.
    @Test(arguments: [("session", ["tenant", ""]), ("credentials", ["tenant", "tenant"])])
    func aRoleGetsThemIfItSaysSo(_ content: String, _ wanted: [String]) throws {
        let contract = try Self.resolved(
            Self.credentials + """
                servers: {main: {url: "https://a.example", upload: "https://b.example"}}
                roles: {upload: {sends: [\(content)]}}
                session: {header: X-Session}
                defaults: {credentials: tenant}
                endpoints:
                  one: {get: /one, response: string}
                  two: {get: /two, server: upload, response: string}
                """)
        #expect(Self.alternatives(contract) == wanted)
    }

    @Test func theyArePrintedAsTheyAreRead() throws {
        let text = """
            errand: 1
            service: Sample

            credentials:
              admin: bearer
              audit: basic
              access: {header: X-Access, format: "Key {token}"}

            endpoints:
              ask:
                get: /ask
                credentials: [admin, audit + access, none]

            """
        let written = try #require(
            ContractResolver(provider: MemorySource(files: ["a.contract.yaml": text])).written(path: "a.contract.yaml"))
        #expect(ContractPrinter.text(of: written) == text)
    }

    private static let session = "session: {header: Authorization, format: \"Bearer {token}\"}\n"

    @Test(arguments: [
        ContractFixture(
            "unknown-credential", saying: "did you mean `admin`?",
            part: "  two: {get: /two, credentials: «admn»}\ncredentials: {admin: bearer}\n"),
        ContractFixture(
            "unknown-credential", saying: "there is no credential `tenant`",
            part: "  two: {get: /two, credentials: «admin + tenant»}\ncredentials: {admin: bearer}\n"),
        ContractFixture(
            "unknown-credential", saying: "declare it under `credentials`",
            part: "defaults: {credentials: «tenant»}\n"),
        ContractFixture(
            "conflicting-keys", saying: "write `none` last",
            part: "  two: {get: /two, credentials: [none, «admin»]}\ncredentials: {admin: bearer}\n"),
        ContractFixture(
            "conflicting-keys", saying: "its URL may be on any host",
            part: "  two: {get: \"{at:url}\", credentials: «admin»}\ncredentials: {admin: bearer}\n"),
        ContractFixture(
            "conflicting-keys", saying: "the role `upload` does not send them",
            part:
                "  two: {put: /a, server: upload, credentials: «admin»}\ncredentials: {admin: bearer}\nservers: {main: {url: \"https://a.example\", upload: \"https://b.example\"}}\n"
        ),
        ContractFixture(
            "conflicting-keys", saying: "the contract has no `credentials`",
            part:
                "roles: {upload: {sends: [«credentials»]}}\nservers: {main: {url: \"https://a.example\", upload: \"https://b.example\"}}\n"
        ),
        ContractFixture(
            "duplicate-name", saying: "the alternative `admin` is listed twice",
            part: "  two: {get: /two, credentials: [admin, «admin»]}\ncredentials: {admin: bearer}\n"),
        ContractFixture(
            "name-collision", saying: "the session's token in the place of the credential `admin`",
            part: "  two: {get: /two, credentials: «admin»}\ncredentials: {admin: bearer}\n" + session),
        ContractFixture(
            "name-collision", saying: "the credential `admin` in the place of the credential `audit`",
            part: "  two: {get: /two, credentials: «admin + audit»}\ncredentials: {admin: bearer, audit: basic}\n"),
        ContractFixture(
            "name-collision", saying: "the field `tenant` in the place",
            part:
                "  two: {get: /two, headers: {tenant: {type: string, wire: x-tenant}}, credentials: «key»}\ncredentials: {key: {header: X-Tenant}}\n"
        ),
        ContractFixture(
            "name-collision", saying: "the field `sid` in the place",
            part: "  two: {get: /two, cookies: {sid: string}, credentials: «key»}\ncredentials: {key: {cookie: sid}}\n"),
        ContractFixture(
            "name-collision", saying: "the session's token in the place of the credential `key`",
            part:
                "  two: {get: /two, credentials: «key»}\ncredentials: {key: {cookie: sid}}\nsession: {header: Cookie, format: \"sid={token}\"}\n"
        ),
        ContractFixture(
            "name-collision", saying: "the idempotency key in the place",
            part:
                "  two: {post: /two, effect: keyed, credentials: «key»}\ncredentials: {key: {header: Idempotency-Key}}\n"
        ),
        ContractFixture(
            "invalid-name", saying: "is a word of the language", part: "credentials: {«session»: bearer}\n"),
        ContractFixture(
            "invalid-name", saying: "cannot name a credential", part: "credentials: {«my key»: bearer}\n"),
        ContractFixture(
            "invalid-value", saying: "does not name credentials",
            part: "  two: {get: /two, credentials: «\"admin or tenant\"»}\ncredentials: {admin: bearer}\n"),
        ContractFixture(
            "conflicting-keys", saying: "a credential travels in one place",
            part: "credentials: {key: {header: X-Key, «query»: key}}\n"),
        ContractFixture(
            "missing-key", saying: "write `header: X-Api-Key`", part: "credentials: {key: «{}»}\n"),
        ContractFixture(
            "conflicting-keys", saying: "only valid with `header`",
            part: "credentials: {key: {query: key, «format»: \"Key {token}\"}}\n"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }

    /// The session is no obstacle where the endpoint has none.
    @Test func aCredentialCanReplaceTheSession() throws {
        let contract = try Self.resolved(
            Self.session + """
                credentials: {admin: bearer}
                endpoints:
                  one: {get: /one, response: string}
                  two: {get: /two, session: none, credentials: admin, response: string}
                """)
        #expect(contract.endpoints.map(\.session) == [.required, SessionUse.none])
        #expect(Self.alternatives(contract) == ["", "admin"])
    }
}
