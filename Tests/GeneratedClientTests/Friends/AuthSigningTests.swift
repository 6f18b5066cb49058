import AuthClient
import Foundation
import TestServices
import Testing

/// The auth server works every signature out anew; a wrong one is a breach, and a 400.
@Suite(.serialized) struct AuthSigningTests {
    @Test(arguments: [
        "plain", " spaces around ", "ünï\u{308}cødé \u{1F469}\u{200D}\u{1F4BB}", "a=b&c=d?e/f+g%20h", "\u{0}\t\"'\\",
        "=&=",
    ])
    func signsWhateverIsSent(name: String) async throws {
        let network = try await Network.start()
        let person = try await network.auth.registerPerson(handle: "zoe", name: name, password: "pass & wörd")
        #expect(person.name == name)
        _ = try await network.auth.whoAmI()
        let requests = await network.authService.requests()
        #expect(requests.count == 3)
        for request in requests {
            let rule = Signature.Rule(algorithm: .hmacSHA256, key: AuthService.clientSecret)
            #expect(request.header("X-Signature") == Signature.of(request.parameters, by: rule))
        }
        await network.end()
    }

    @Test func signsAnEmptyValue() async throws {
        let network = try await Network.start(isLoggedIn: false)
        let failure = try await network.auth.failure(of: Auth.LogIn(user: "", password: ""))
        if case .wrongPassword = failure {} else { throw Unexpected(failure) }
        let request = try #require(await network.authService.requests().first)
        #expect(request.parameter("user") == "" && request.parameter("password") == "")
        await network.end()
    }

    /// Nonce, time and signature are made anew, the key is not.
    @Test func signsEachAttemptAnew() async throws {
        let network = try await Network.start(isLoggedIn: false)
        await network.authService.script(.loseAnswer, on: "POST /people")
        let person = try await network.auth.registerPerson(handle: "zoe", name: "Zoë", password: "12345678")
        #expect(person.id == 3)
        #expect(await network.authService.registered == 1)
        let requests = await network.authService.requests(on: "POST /people")
        #expect(requests.count >= 2)
        #expect(Set(requests.map { $0.parameter("nonce") }).count == requests.count)
        #expect(Set(requests.map { $0.header("X-Signature") }).count == requests.count)
        #expect(Set(requests.map { $0.header("Idempotency-Key") }).count == 1)
        await network.end()
    }

    @Test func aWrongSecretIsRefused() async throws {
        let service = try await AuthService.start()
        let auth = Auth(
            .init(url: service.url), on: .brisk(), common: .init(clientID: AuthService.clientID), clientSecret: "wrong")
        let failure = try await auth.fault(of: Auth.LogIn(user: "ada", password: "lovelace"))
        #expect(failure.kind == .rejected && failure.context.status == 400 && failure.context.code == "bad_request")
        #expect(await service.violations.count == 1, "the server does look")
        await service.stop()
    }
}
