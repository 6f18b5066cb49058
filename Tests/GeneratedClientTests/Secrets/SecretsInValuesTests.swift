import AuthClient
import BankClient
import ConversationsClient
import ErrandRuntime
import Foundation
import FriendsClient
import LiveClient
import TestServices
import Testing
import VideoClient

/// Commands, models, clients and sessions hold secrets, and print none of them.
@Suite(.serialized) struct SecretsInValuesTests {
    @Test func commandsAreRedacted() throws {
        let firstOn = try #require(CalendarDate("2026-05-01"))
        let commands: [any ErrandRuntime.Command] = [
            Bank.LogIn(user: "ada", password: "canary"),
            Bank.OrderStanding(iban: "canary", amount: 1, every: .week, firstOn: firstOn),
            Video.LogIn(email: "canary", password: "canary"),
            Conversations.LogIn(userName: "ada", password: "canary"),
            Auth.LogIn(user: "ada", password: "canary"), Auth.RefreshSession(refreshToken: "canary"),
            Auth.RegisterPerson(handle: "h", name: "n", password: "canary"),
            Live.LogIn(phone: "canary", code: "canary"), Friends.ChangeProfile(email: .value("canary")),
        ]
        for command in commands {
            let printed =
                Printed.everything(of: command) + Printed.everything(of: [command])
                + Printed.everything(of: Optional(command))
            #expect(!printed.contains("canary"), "\(type(of: command))")
            #expect(printed.contains(Redaction.mark), "\(type(of: command))")
        }
        #expect(Printed.everything(of: Bank.LogIn(user: "ada", password: "x")).contains("ada"), "the rest is told")
    }

    @Test func modelsAreRedactedHoweverDeepTheyStand() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let reply = try await bank.reply(to: Bank.ListAccounts())
        #expect(reply.value.first?.owner == "Ada Lovelace", "the app reads it as it is")
        #expect(!Printed.everything(of: reply).contains("Lovelace"))
        #expect(!Printed.everything(of: ["accounts": reply.value]).contains("Lovelace"))
        guard case .completed(let card) = try await bank.orderCard(accountID: 1) else { throw Unexpected("no card") }
        #expect(!Printed.everything(of: Bank.OrderCard.Response.completed(card)).contains("4711"))
        await service.end()

        let messages = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(messages)
        let conversations = try await messenger.listConversations()
        #expect(conversations.last?.members.last?.displayName == "Kurt")
        #expect(!Printed.everything(of: conversations).contains("Kurt"), "display names are sensitive")
        await messages.end()

        let network = try await Network.start()
        let friends = try await network.friends.listFriends(userID: 1)
        let printed = Printed.everything(of: friends)
        #expect(printed.contains("user3") && !printed.contains("Émilie") && !printed.contains("@example.org"))
        await network.end()
    }

    @Test func sessionsAndTokensAreRedacted() async throws {
        let network = try await Network.start()
        let tokens = try #require(network.session.tokens)
        let refresh = try #require(tokens.refresh)
        let grant = try await network.auth.logIn(user: "ada", password: "lovelace")
        let printed =
            Printed.everything(of: tokens) + Printed.everything(of: grant)
            + Printed.everything(of: network.session) + Printed.everything(of: SessionChange.begin(tokens))
        for secret in [tokens.access, refresh, grant.token, grant.refreshToken] { #expect(!printed.contains(secret)) }
        await network.end()
    }

    /// A client is a value that may well end up in a log.
    @Test func clientsAreRedacted() async throws {
        let service = try await LiveService.start()
        let session = Session()
        let live = Live(
            .init(url: service.url), on: .brisk(), session: session, common: .init(appVersion: "1"),
            privateKey: "private-key-canary")
        await session.begin(SessionTokens(access: "token-canary", refresh: "refresh-canary"))
        for printed in [
            Printed.everything(of: live), Printed.everything(of: live.binding), Printed.everything(of: session),
        ] {
            #expect(!printed.contains("canary"))
        }
        await service.end()
    }

    @Test func headersOfAReplyAreNotPrinted() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let answer = ServedAnswer(
            200, headers: [("Set-Cookie", "sid=cookie-canary"), ("Content-Type", "application/json")],
            body: Array("{}".utf8))
        await service.script(.answer(answer), on: "GET /channels")
        let reply = try await video.reply(to: Video.ChannelTitles())
        #expect(reply.headers["set-cookie"] == "sid=cookie-canary")
        #expect(!Printed.everything(of: reply).contains("canary"))
        _ = try await video.channelTitles()
        #expect(await service.requests(on: "GET /channels").last?.header("Cookie") == nil, "and not sent back")
        await service.end()
    }
}
