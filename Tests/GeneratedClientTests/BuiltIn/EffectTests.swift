import BankClient
import Foundation
import FriendsClient
import LiveClient
import TestSeeds
import TestServices
import Testing
import VideoClient

/// The contract's effect, compared with the requests that arrive.
@Suite(.serialized) struct EffectTests {
    /// The method's default: a request that may be sent twice is repeated, on each path that loses the response.
    @Test(arguments: [ScriptedFault.loseAnswer, .cutBody(after: 3), .status(502), .status(504)])
    func idempotentCommandsAreSentAgain(fault: ScriptedFault) async throws {
        let network = try await Network.start(on: .withoutReuse())
        await network.friendsService.script(fault, on: "PUT /friendships/*")
        #expect(try await network.friends.changeFriend(userID: 2, closeness: .family).closeness == .family)
        #expect(await network.friendsService.requests(on: "PUT /friendships/*").count == 2)

        await network.friendsService.script(fault, on: "POST /profile/photo")
        _ = try await network.friends.changePhoto(photo: FilePart([1, 2, 3], fileName: "x.jpg"))
        #expect(await network.friendsService.photo == [1, 2, 3])
        #expect(await network.friendsService.requests(on: "POST /profile/photo").count == 2, "a POST that says so")
        await network.end()
    }

    /// `once` is sent again if the response shows that nothing was done.
    @Test func onceIsSentAgainWhereNothingWasDone() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.throttled(retryAfter: "0"), on: "POST /accounts/*/cards")
        await service.fail(code: 900_099, on: "POST /accounts/*/cards")
        _ = try await bank.orderCard(accountID: 1)
        #expect(await service.cardsOrdered == 1)
        #expect(await service.requests(on: "POST /accounts/*/cards").count == 3)
        #expect(await service.requests(on: "POST /accounts/*/cards").allSatisfy { $0.header("Idempotency-Key") == nil })
        await service.end()
    }

    /// A session that ended does not prevent an order: the order was refused, not carried out.
    @Test func onceIsReplayedAfterALogin() async throws {
        let service = try await BankService.start()
        let session = Session { Bank.LogIn(user: "ada", password: "lovelace") }
        let bank = try await Bank.asAda(service, session: session)
        await service.expireSessions()
        _ = try await bank.orderCard(accountID: 1)
        _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 1)
        #expect(await service.cardsOrdered == 1)
        #expect(await service.bookings.count == 1)
        await service.end()
    }

    /// An order whose first attempt may have been booked, and whose second meets the end of the session.
    @Test func aKeyOutlivesTheSession() async throws {
        let service = try await BankService.start()
        let session = Session { Bank.LogIn(user: "ada", password: "lovelace") }
        let bank = try await Bank.asAda(service, session: session)
        await service.script(.loseAnswer, on: "POST /transfers")
        await service.script(.unauthorized, on: "POST /transfers")
        _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 7)
        #expect(await service.bookings.map(\.amount) == [7])
        #expect(await Set(service.requests(on: "POST /transfers").map { $0.header("Idempotency-Key") }).count == 1)
        await service.end()
    }

    /// The refusal of an old session that comes late finds a new one, and starts no second login.
    @Test func aLateRefusalOnlyReplays() async throws {
        let service = try await BankService.start()
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Bank.LogIn(user: "ada", password: "lovelace")
        }
        let bank = try await Bank.asAda(service, session: session)
        await service.script(.delay(.milliseconds(500), then: .unauthorized), on: "GET /accounts/1")
        await service.expireSessions()
        async let late = bank.getAccount(accountID: 1)
        while await service.requests(on: "GET /accounts/1").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await bank.listAccounts().count == 4)
        #expect(try await late.id == 1)
        #expect(await asked.count == 1)
        #expect(await service.logins == 2)
        await service.end()
    }

    /// Live has no row for a 401: the built-in `unauthenticated` ends the session, or renews it.
    @Test func unauthenticatedWhereNoRowNamesIt() async throws {
        let service = try await LiveService.start()
        let session = Session()
        let live = try await Live.asAda(service, session: session)
        await service.script(.unauthorized, on: "GET /rooms")
        let failure = try await live.fault(of: Live.ListRooms())
        #expect(failure.kind == .unauthenticated)
        failure.expect(WantedContext("unauthenticated", .requiresLogout, status: 401))
        #expect(session.tokens == nil)

        let renewing = Session { Live.LogIn(phone: "123456", code: "1234") }
        let other = try await Live.asAda(service, session: renewing)
        await service.script(.unauthorized, on: "POST /room/*/gifts")
        _ = try await other.sendGift(roomID: 1, giftID: 1)
        #expect(await service.giftsSent == 1)
        await service.end()
    }

    @Test func serversAreTheContracts() {
        #expect(Bank.Server.production.url == "https://api.bank.example/v1")
        #expect(Bank.Server.local().url == "http://127.0.0.1:8080/v1")
        #expect(Live.Server.local(port: "9").url == "http://127.0.0.1:9/app")
        #expect(Video.Server.production.url == "https://api.video.example/v2")
    }
}
