import ContractChecks
import Diagnostics
import Testing

/// How much a session without an identity weighs: it depends on what another user's token could do.
@Suite struct SessionIdentityTests {
    private static let contract = """
        errand: 1
        service: Sample
        servers: {main: https://sample.example}
        session: {header: X-Session, login: logIn, token: token, logout: logOut}
        errors:
          sessionExpired: {category: requiresLogout, message: Please log in., when: {status: 401}}
        defaults: {timeout: 10s, deadline: 40s, errors: [sessionExpired]}
        endpoints:
          logIn:
            post: /sessions
            body: {user: string, password: {type: string, sensitive: true}}
            response: {token: {type: string, sensitive: true}, user: int}
            effect: idempotent
          logOut: {delete: /sessions, response: none}
          getBalance: {get: /balance, response: {amount: decimal}}

        """
    private static let writing = contract + "  setLimit: {put: /limit, body: {amount: decimal}, response: none}\n"

    private func weight(_ text: String, _ settings: RuleSettings = RuleSettings()) -> [String] {
        LintRunner(settings: settings).run(examine(text)).map { "\($0.rule) \($0.severity)" }
    }

    @Test func commandsThatWriteMakeItAWarning() {
        #expect(weight(Self.writing) == ["session-without-identity warning"])
        #expect(weight(Self.contract) == ["session-without-identity note"])
        #expect(weight(Self.contract.replacing("token: token,", with: "token: token, identity: user,")) == [])
    }

    @Test func aSettingOfTheProjectCounts() {
        var settings = RuleSettings()
        settings.levels = ["session-without-identity": .error]
        #expect(weight(Self.writing, settings) == ["session-without-identity error"])
        #expect(weight(Self.contract, settings) == ["session-without-identity error"])
        settings.levels = ["session-without-identity": .off]
        #expect(weight(Self.writing, settings) == [])
    }
}
