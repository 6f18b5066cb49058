import AuthClient
import BankClient
import Foundation
import FriendsClient
import LiveClient
import TestServices
import Testing
import VideoClient

/// Canary values in the place of secrets, searched for in everything that a failure prints.
@Suite(.serialized) struct SecretsInFailuresTests {
    private static let password = "password-canary"

    @Test func aFailedLoginDoesNotTellThePassword() async throws {
        let service = try await BankService.start()
        let bank = Bank(.init(url: service.url), on: .brisk())
        let command = Bank.LogIn(user: "ada", password: Self.password)
        // a server that repeats what it was sent
        let echo = #"{"error":{"code":900001,"messages":["no user ada with password password-canary"]}}"#
        for fault in [ScriptedFault.body(echo, status: 401), .body(echo, status: 500), .body(echo), .cut, .status(403)]
        {
            await service.script(fault, times: 3, on: "POST /sessions")
            let failure = try await bank.failure(of: command)
            #expect(!Printed.everything(of: failure).contains("canary"))
            await service.clearScript()
        }
        await service.end()
    }

    /// The session's token travels in the query here, and so does the signature.
    @Test func aURLDoesNotTellTheToken() async throws {
        let service = try await LiveService.start()
        let session = Session()
        let live = try await Live.asAda(service, session: session)
        let token = try #require(session.tokens?.access)
        await service.script(.body(#"{"code":4999,"msg":"token \#(token) is bad","data":null}"#), on: "GET /room/*")
        let failure = try await live.failure(of: Live.GetRoom(roomID: 3))
        let sign = try #require(await service.requests(on: "GET /room/*").first?.queryValue("sign"))
        let printed = Printed.everything(of: failure)
        #expect(printed.contains("/room/3?") && printed.contains("token=•••"))
        for secret in [token, sign, LiveService.privateKey] { #expect(!printed.contains(secret), "\(secret)") }

        await service.script(.cut, times: 30, on: "GET /room/*")
        let lost = Printed.everything(of: try await live.failure(of: Live.GetRoom(roomID: 3)))
        #expect(!lost.contains(token))
        await service.end()
    }

    /// What does not fit is shown by where it is, not by what it is, where it may be a secret.
    @Test func aMalformedSecretIsNotTold() async throws {
        let service = try await BankService.start()
        let bank = Bank(.init(url: service.url), on: .brisk())
        let bodies = [
            #"{"data":{"token":["token-canary"]}}"#, #"{"data":{"token":4711004711,"x":"token-canary"}}"#,
            #"{"data":{"token":"token-canary"#, #"{"data":{"token":"token-canary\q"}}"#,
            #"{"data":{"token":token-canary}}"#,
        ]
        for body in bodies {
            await service.script(.body(body), on: "POST /sessions")
            let failure = try await bank.fault(of: Bank.LogIn(user: "ada", password: Self.password))
            #expect(failure.kind == .malformed)
            let printed = Printed.everything(of: failure)
            for secret in ["canary", "4711004711"] { #expect(!printed.contains(secret), "\(body): \(printed)") }
        }
        let account = #"{"data":{"id":1,"owner":4711004711}}"#
        await service.script(.body(account), on: "GET /accounts/*")
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        let failure = try await bank.fault(of: Bank.GetAccount(accountID: 1))
        #expect(failure.context.decodingError?.path == "$.data.owner")
        #expect(!Printed.everything(of: failure).contains("4711004711"))
        await service.end()
    }

    @Test func aSkippedElementDoesNotTellItsSecret() async throws {
        let network = try await Network.start()
        let body = #"[{"id":1,"handle":"x","name":4711004711,"joinedAt":"2020-01-01T00:00:00Z"}]"#
        await network.friendsService.script(.body(body), on: "GET /users")
        let reply = try await network.friends.reply(to: Friends.ListUsers())
        #expect(reply.value.isEmpty && reply.skipped.map(\.path) == ["$[0].name"])
        #expect(!Printed.everything(of: reply).contains("4711004711"))
        await network.end()
    }

    @Test func brokenFieldsDoNotTellTheirValues() async throws {
        let network = try await Network.start(isLoggedIn: false)
        let command = Auth.RegisterPerson(handle: "ok_name", name: "N", password: "canary")
        let failure = try await network.auth.fault(of: command)
        #expect(failure.kind == .invalidRequest)
        #expect(!Printed.everything(of: failure).contains("canary"))
        let video = Video(.init(url: network.authService.url), on: .brisk())
        let login = try await video.fault(
            of: Video.LogIn(email: "c@" + String(repeating: "canary", count: 50), password: ""))
        #expect(login.kind == .invalidRequest && !Printed.everything(of: login).contains("canary"))
        await network.end()
    }

    @Test func aFailedRenewalTellsNothing() async throws {
        let network = try await Network.start()
        let tokens = try #require(network.session.tokens)
        let refresh = try #require(tokens.refresh)
        await network.authService.expireSessions()
        await network.authService.revokeRefreshTokens()
        let body = #"{"error":"invalid_grant","error_description":"\#(refresh) is void"}"#
        await network.authService.script(.body(body, status: 400), on: "POST /sessions/renewal")
        let failure = try await network.friends.failure(of: Friends.GetUser(userID: 2))
        #expect(failure.context.underlying != nil)
        let printed = Printed.everything(of: failure)
        for secret in [tokens.access, refresh, AuthService.clientSecret] { #expect(!printed.contains(secret)) }
        await network.end()
    }

    @Test func aReceiptTellsNothing() async throws {
        let server = try await FaultServer(otherwise: .closeAfterRequest)
        let session = Session()
        await session.begin(SessionTokens(access: "token-canary"))
        let bank = Bank(.init(url: server.url), on: .brisk(), session: session)
        let firstOn = try #require(CalendarDate("2026-05-01"))
        let failure = try await bank.failure(
            of: Bank.OrderStanding(iban: "DE89370400440532013000", amount: 10, every: .week, firstOn: firstOn))
        guard case .unconfirmed(let receipt) = failure else { throw Unexpected(failure) }
        let printed =
            Printed.everything(of: failure) + Printed.everything(of: receipt) + Printed.everything(of: receipt.cause)
        #expect(!printed.contains("canary") && !printed.contains("DE8937"))
        await server.stop()
    }
}
