import SwiftEmitter
import Testing

/// The user's identity in a login's response, as the text that the runtime compares.
@Suite struct IdentityTests {
    @Test(arguments: [
        ("identity: user", "user: string", "identity: response.user"),
        ("identity: user", "user: string?", "identity: response.user"),
        ("identity: user", "user: int64", "identity: String(response.user)"),
        ("identity: user", "user: uint?", "identity: response.user.map { String($0) }"),
        ("identity: user", "user: uuid", "identity: response.user.uuidString"),
        ("identity: user.name", "user: Person", "identity: response.user.name"),
        ("identity: user.id", "user: Person?", "identity: (response.user?.id).map { String($0) }"),
        ("identity: user.tag", "user: Person?", "identity: response.user?.tag"),
        ("identity: {claim: sub}", "user: int", "identity: SessionTokens.claim(\"sub\", of: response.token)"),
        ("identity: {claim: \"a\\\"b\"}", "user: int", "identity: SessionTokens.claim(\"a\\\"b\", of: response.token)"),
        ("logout: logOut", "user: int", "SessionTokens(access: response.token)"),
    ])
    func isText(_ key: String, _ field: String, _ wanted: String) throws {
        let emitted = try EmittedContract(
            EmittedContract.contract(
                """
                session: {header: X-Session, login: logIn, token: token, \(key)}
                types:
                  Person: {id: int, name: string, tag: string?}
                endpoints:
                  logIn: {post: /sessions, response: {token: string, \(field)}}
                  logOut: {delete: /sessions}

                """))
        #expect(emitted.findings.isEmpty)
        #expect(
            emitted.text.contains(wanted),
            "\(emitted.text.split(separator: "\n").filter { $0.contains("SessionTokens(") })")
    }
}
