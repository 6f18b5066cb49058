import AuthClient
import Foundation
import FriendsClient
import TestServices
import Testing

/// Each error that the two contracts of the social network declare.
@Suite(.serialized) struct FriendsErrorTests {
    @Test func noSuchUserEverywhere() async throws {
        let network = try await Network.start()
        let (friends, gone) = (
            network.friends, WantedContext("noSuchUser", .nonRetryable, status: 404, says: "no such user")
        )
        let get = try await friends.failure(of: Friends.GetUser(userID: 99))
        if case .noSuchUser = get {} else { throw Unexpected(get) }
        get.expect(gone)
        let owner = try await friends.failure(of: Friends.GetOwner(userID: 99))
        if case .noSuchUser = owner {} else { throw Unexpected(owner) }
        owner.expect(gone)
        let list = try await friends.failure(of: Friends.ListFriends(userID: 99))
        if case .noSuchUser = list {} else { throw Unexpected(list) }
        list.expect(gone)
        let add = try await friends.failure(of: Friends.AddFriend(userID: 99))
        if case .noSuchUser = add {} else { throw Unexpected(add) }
        add.expect(gone, at: network.friendsService.url + "/friendships")
        let change = try await friends.failure(of: Friends.ChangeFriend(userID: 99, closeness: .friend))
        if case .noSuchUser = change {} else { throw Unexpected(change) }
        change.expect(gone)
        await network.end()
    }

    @Test func alreadyFriendsAndInvalidFields() async throws {
        let network = try await Network.start()
        let known = try await network.friends.failure(of: Friends.AddFriend(userID: 2))
        if case .alreadyFriends = known {} else { throw Unexpected(known) }
        known.expect(WantedContext("alreadyFriends", .nonRetryable, status: 409, says: "friends already"))

        let invalid = try await network.friends.failure(of: Friends.ChangeProfile(email: .value("nowhere")))
        guard case .invalidFields(let details) = invalid else { throw Unexpected(invalid) }
        #expect(details.data?.fields == ["e_mail": "has no @"])
        invalid.expect(WantedContext("invalidFields", .nonRetryable, status: 422, says: "not valid"))

        await network.friendsService.script(
            .body(#"{"message":"no","fields":["x"]}"#, status: 422), on: "POST /profile/photo")
        let photo = try await network.friends.failure(of: Friends.ChangePhoto(photo: FilePart([1], fileName: "x")))
        guard case .invalidFields(let misfit) = photo else { throw Unexpected(photo) }
        #expect(misfit.data == nil && misfit.serverMessage == "no")
        await network.end()
    }

    @Test func underRepairAndTheRedeclaredRejected() async throws {
        let network = try await Network.start()
        await network.friendsService.script(.body(#"{"message":"soon"}"#, status: 503), times: 3, on: "GET /users")
        let repair = try await network.friends.failure(of: Friends.ListUsers())
        if case .underRepair = repair {} else { throw Unexpected(repair) }
        repair.expect(WantedContext("underRepair", .retryable, status: 503, says: "soon", attempts: 3))
        await network.friendsService.script(.body(#"{"message":"teapot"}"#, status: 418), on: "GET /users")
        let rejected = try await network.friends.fault(of: Friends.ListUsers())
        #expect(rejected.kind == .rejected && rejected.context.message == "That did not work.")
        rejected.expect(WantedContext("rejected", .nonRetryable, status: 418, says: "teapot"))
        await network.end()
    }

    @Test func theAuthServersOwnErrors() async throws {
        let network = try await Network.start(isLoggedIn: false)
        let wrong = try await network.auth.failure(of: Auth.LogIn(user: "ada", password: "hunter22"))
        if case .wrongPassword = wrong {} else { throw Unexpected(wrong) }
        wrong.expect(
            WantedContext(
                "wrongPassword", .nonRetryable, status: 401, code: "wrong_password",
                says: "the server says wrong_password"))
        let locked = try await network.auth.failure(of: Auth.LogIn(user: "locked", password: "x"))
        guard case .accountLocked(let details) = locked else { throw Unexpected(locked) }
        #expect(details.data?.lockedUntil == Date(timeIntervalSince1970: 1_900_000_000))
        let revoked = try await network.auth.failure(of: Auth.RefreshSession(refreshToken: "nonsense"))
        if case .grantRevoked = revoked {} else { throw Unexpected(revoked) }
        revoked.expect(
            WantedContext(
                "grantRevoked", .nonRetryable, status: 400, code: "invalid_grant", says: "the server says invalid_grant"
            ))
        let taken = try await network.auth.failure(
            of: Auth.RegisterPerson(handle: "grace", name: "Grace", password: "12345678"))
        if case .nameTaken = taken {} else { throw Unexpected(taken) }
        await network.session.begin(SessionTokens(access: "nonsense"))
        let expired = try await network.auth.failure(of: Auth.WhoAmI())
        guard case .sessionExpired(let context) = expired else { throw Unexpected(expired) }
        #expect(context.code == "invalid_token" && context.status == 401)
        await network.end()
    }
}
