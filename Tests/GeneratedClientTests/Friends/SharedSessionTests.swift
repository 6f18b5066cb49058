import AuthClient
import Foundation
import FriendsClient
import TestSeeds
import TestServices
import Testing

/// Two contracts, one session and one dispatcher: what the auth server gives is good for both.
@Suite(.serialized) struct SharedSessionTests {
    @Test func anExpiredSessionIsRefreshedOnceForBothClients() async throws {
        let asked = Tally()
        let session = Session { () -> Auth.LogIn? in
            await asked.add()
            return Auth.LogIn(user: "ada", password: "lovelace")
        }
        let network = try await Network.start(session: session)
        await network.authService.expireSessions()
        let results = await withTaskGroup(of: Bool.self) { group in
            for id in 1...8 {
                group.addTask { (try? await network.friends.getUser(userID: id).id) == id }
                group.addTask { (try? await network.auth.whoAmI().id) == 1 }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: true, count: 16))
        #expect(await network.authService.refreshes == 1)
        #expect(await network.authService.logins == 1)
        #expect(await asked.count == 0)
        #expect(session.tokens?.identity == "1", "the renewed token names the person as the first one did")
        let renewal = try #require(await network.authService.requests(on: "POST /sessions/renewal").first)
        #expect(renewal.parameter("token") == nil && renewal.parameter("refreshToken") != nil)
        await network.end()
    }

    @Test func aRevokedRefreshTokenAsksForALogin() async throws {
        let asked = Tally()
        let session = Session { () -> Auth.LogIn? in
            await asked.add()
            return Auth.LogIn(user: "ada", password: "lovelace")
        }
        let network = try await Network.start(session: session)
        await network.authService.expireSessions()
        await network.authService.revokeRefreshTokens()
        #expect(try await network.friends.getUser(userID: 2).id == 2)
        #expect(await asked.count == 1)
        #expect(await network.authService.logins == 2)
        await network.end()
    }

    @Test func withoutALoginARevokedRefreshTokenEndsTheSession() async throws {
        let network = try await Network.start()
        await network.authService.expireSessions()
        await network.authService.revokeRefreshTokens()
        let failure = try await network.friends.failure(of: Friends.GetUser(userID: 2))
        guard case .shared(.sessionExpired(let context)) = failure else { throw Unexpected(failure) }
        #expect(context.status == 401 && context.category == .requiresLogout)
        #expect((context.underlying as? any CommandFailure)?.context.name == "grantRevoked")
        #expect(network.session.tokens == nil)
        await network.end()
    }

    /// A refresh that meets a server that is down logs no user out.
    @Test func aRefreshThatMeetsNobodyKeepsTheSession() async throws {
        let network = try await Network.start()
        await network.authService.expireSessions()
        await network.authService.script(.status(503), times: 9, on: "POST /sessions/renewal")
        let failure = try await network.friends.failure(of: Friends.GetUser(userID: 2))
        #expect(failure.context.status == 401)
        #expect(network.session.tokens != nil)
        await network.authService.clearScript()
        #expect(try await network.friends.getUser(userID: 2).id == 2)
        #expect(await network.authService.refreshes == 1)
        await network.end()
    }

    /// A session whose time is over is renewed before it is refused.
    @Test func anOutdatedSessionIsRenewedBeforehand() async throws {
        let network = try await Network.start(isLoggedIn: false)
        await network.authService.setLifetime(0)
        _ = try await network.auth.logIn(user: "ada", password: "lovelace")
        await network.authService.setLifetime(3600)
        #expect(try await network.friends.getUser(userID: 2).id == 2)
        #expect(await network.authService.refreshes == 1)
        #expect(await network.friendsService.requests().count == 1, "the old token was never tried")
        await network.end()
    }

    @Test func aFriendsCommandLogsInAtTheAuthServer() async throws {
        let session = Session { Auth.LogIn(user: "ada", password: "lovelace") }
        let network = try await Network.start(session: session, isLoggedIn: false)
        #expect(try await network.friends.getUser(userID: 2).id == 2)
        #expect(await network.authService.logins == 1)
        try await network.auth.logOut()
        #expect(network.session.tokens == nil, "one logs out for both")
        await network.end()
    }
}
