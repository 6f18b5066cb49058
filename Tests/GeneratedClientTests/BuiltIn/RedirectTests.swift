import BankClient
import ConversationsClient
import Foundation
import TestServices
import Testing
import VideoClient

/// Redirects are followed if that reveals nothing. Other redirects are responses that break the contract.
@Suite(.serialized) struct RedirectTests {
    private static let token = "redirect-canary"

    private static func bank(at url: String) async -> Bank {
        let session = Session()
        await session.begin(SessionTokens(access: token))
        return Bank(.init(url: url), on: .brisk(), session: session)
    }

    private static func redirect(to location: String, status: Int = 302) -> WireFault {
        .answer(WireAnswer(status: status, headers: [("Location", location)], body: ""))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func withinTheOriginTheSessionComesAlong(status: Int) async throws {
        let server = try await FaultServer(
            Self.redirect(to: "/moved?page=1", status: status), otherwise: .status(200, body: #"{"data":[]}"#))
        let bank = await Self.bank(at: server.url)
        #expect(try await bank.listAccounts().isEmpty)
        let requests = await server.requests
        #expect(requests.map(\.path) == ["/accounts", "/moved"])
        #expect(requests.allSatisfy { $0.header("Authorization") == "Bearer \(Self.token)" })
        await server.stop()
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func toAnotherOriginTheSessionDoesNot(status: Int) async throws {
        let other = try await FaultServer(otherwise: .status(200, body: #"{"data":[]}"#))
        let server = try await FaultServer(otherwise: Self.redirect(to: other.url + "/stolen", status: status))
        let bank = await Self.bank(at: server.url)
        #expect(try await bank.listAccounts().isEmpty)
        let request = try #require(await other.requests.first)
        #expect(request.header("Authorization") == nil)
        #expect(!"\(request)".contains(Self.token))
        await server.stop()
        await other.stop()
    }

    /// A session in a header of another name is no less of a secret.
    @Test func toAnotherOriginNoHeaderCarriesTheSession() async throws {
        let other = try await FaultServer(otherwise: .status(200, body: #"{"data":[]}"#))
        let server = try await FaultServer(otherwise: Self.redirect(to: other.url + "/stolen"))
        let session = Session()
        await session.begin(SessionTokens(access: Self.token))
        let messenger = Conversations(
            .init(url: server.url), on: .brisk(), session: session, common: .init(deviceID: UUID()))
        #expect(try await messenger.listConversations().isEmpty)
        #expect(await server.requests.first?.header("X-Session") == Self.token)
        let request = try #require(await other.requests.first)
        #expect(request.header("X-Session") == nil && !"\(request)".contains(Self.token))
        await server.stop()
        await other.stop()
    }

    @Test(arguments: [307, 308])
    func withinTheOriginABodyComesAlong(status: Int) async throws {
        let server = try await FaultServer(
            Self.redirect(to: "/moved", status: status), otherwise: .status(200, body: #"{"data":{"token":"t"}}"#))
        let bank = Bank(.init(url: server.url), on: .brisk())
        #expect(try await bank.logIn(user: "ada", password: "lovelace").token == "t")
        #expect(await server.requests.map(\.line) == ["POST /sessions", "POST /moved"])
        #expect(await server.requests.last?.json == ["user": "ada", "password": "lovelace"])
        await server.stop()
    }

    /// A redirect that would make another request of an order: it was not carried out as it was asked for.
    @Test(arguments: [301, 302, 303])
    func anOrderIsNotTurnedIntoAQuestion(status: Int) async throws {
        let answer = WireFault.status(200, body: #"{"data":{"token":"t"}}"#)
        let server = try await FaultServer(Self.redirect(to: "/elsewhere", status: status), otherwise: answer)
        let login = try await Bank(.init(url: server.url), on: .brisk()).fault(of: Bank.LogIn(user: "a", password: "b"))
        #expect(login.kind == .malformed && login.context.status == status && login.context.applied == .maybe)
        #expect(await server.requests.map(\.line) == ["POST /sessions"])

        await server.plan(Self.redirect(to: "/elsewhere", status: status))
        _ = await Self.bank(at: server.url).result(of: Bank.CloseAccount(accountID: 8))
        #expect(await server.requests.dropFirst().allSatisfy { $0.method == "DELETE" })
        await server.stop()
    }

    /// Nothing with a body leaves the origin: secrets may be anywhere in it.
    @Test(arguments: [302, 307, 308])
    func aBodyStaysAtHome(status: Int) async throws {
        let other = try await FaultServer()
        let server = try await FaultServer(otherwise: Self.redirect(to: other.url, status: status))
        let bank = Bank(.init(url: server.url), on: .brisk())
        let login = try await bank.fault(of: Bank.LogIn(user: "ada", password: "password-canary"))
        #expect(login.kind == .malformed && login.context.status == status)
        let order = try await Self.bank(at: server.url).failure(of: Bank.OrderCard(accountID: 1))
        #expect(order.context.applied == .maybe && order.context.status == status)
        #expect(await other.requests.isEmpty)
        await server.stop()
        await other.stop()
    }

    @Test func aCircleEnds() async throws {
        let server = try await FaultServer(otherwise: Self.redirect(to: "/accounts?page=1"))
        let bank = await Self.bank(at: server.url)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .malformed && failure.context.status == 302)
        #expect(await server.requests.count == 6, "five redirects")
        await server.stop()
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://user:pw@127.0.0.1/", "http://[::1", ""])
    func aRedirectThatMakesNoSense(location: String) async throws {
        let server = try await FaultServer(otherwise: Self.redirect(to: location))
        let bank = await Self.bank(at: server.url)
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .malformed)
        await server.stop()
    }

    /// What the place says that a redirect leads to is not about the first one, which may have carried the order out.
    @Test(arguments: [307, 308], [401, 404, 425, 429, 503])
    func aRedirectedOrderIsNotSentAgain(status: Int, answer: Int) async throws {
        // An error that the endpoint lists itself, too, by its code.
        let body = answer == 404 ? #"{"error":{"code":900004,"messages":"No."}}"# : ""
        let server = try await FaultServer(
            Self.redirect(to: "/elsewhere", status: status), .status(answer, body: body),
            otherwise: .status(answer, body: body))
        let session = Session { Bank.LogIn(user: "ada", password: "lovelace") }
        await session.begin(SessionTokens(access: Self.token))
        let bank = Bank(.init(url: server.url), on: .brisk(), session: session)
        let failure = try await bank.failure(of: Bank.OrderCard(accountID: 1))
        #expect(failure.context.name == "unconfirmed" && failure.context.applied == .maybe)
        #expect(await server.requests.map(\.line) == ["POST /accounts/1/cards", "POST /elsewhere"])
        await server.stop()
    }

    /// With a key, the order can be sent again. It stays open for as long as only the other place responds.
    @Test func aRedirectedOrderWithAKeyIsSentAgainAndStaysOpen() async throws {
        let server = try await FaultServer(
            Self.redirect(to: "/elsewhere", status: 307), .status(429),
            Self.redirect(to: "/elsewhere", status: 307),
            .status(404, body: #"{"error":{"code":900004,"messages":"No."}}"#),
            // The read that would find out.
            otherwise: .status(500))
        let bank = await Self.bank(at: server.url)
        let failure = try await bank.failure(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 5))
        #expect(failure.context.name == "unconfirmed" && failure.context.applied == .maybe)
        let orders = await server.requests.filter { $0.method == "POST" }
        #expect(orders.map(\.path).prefix(4) == ["/transfers", "/elsewhere", "/transfers", "/elsewhere"])
        #expect(Set(orders.map { $0.header("Idempotency-Key") }).count == 1)
        await server.stop()
    }

    /// The caller wrote its headers for the bank.
    @Test(arguments: [301, 302, 303, 307, 308])
    func theCallersHeadersStayAtHome(status: Int) async throws {
        let other = try await FaultServer(otherwise: .status(200, body: #"{"data":[]}"#))
        let server = try await FaultServer(otherwise: Self.redirect(to: other.url + "/stolen", status: status))
        let bank = await Self.bank(at: server.url).with {
            $0.headers = ["X-Api-Key": "key-canary", "Accept-Language": "de"]
        }
        #expect(try await bank.listAccounts().isEmpty)
        #expect(await server.requests.first?.header("X-Api-Key") == "key-canary")
        let request = try #require(await other.requests.first)
        #expect(!"\(request)".contains("canary") && request.header("X-Api-Key") == nil)
        #expect(request.header("Accept-Language") == "de" && request.header("Accept") == "application/json")
        await server.stop()
        await other.stop()
    }

    /// A picture of another server, by its URL.
    @Test func theCallersHeadersDoNotGoToAWholeURL() async throws {
        let other = try await FaultServer(otherwise: .status(200, body: "picture"))
        let home = try await FaultServer(otherwise: .status(200, body: "picture"))
        let video = Video(.init(url: home.url), on: .brisk()).with {
            $0.headers = ["X-Api-Key": "key-canary", "Accept-Language": "de"]
        }
        for url in [other.url, home.url] {
            _ = try await video.loadImage(imageURL: try #require(URL(string: url + "/i.png")))
        }
        let abroad = try #require(await other.requests.first)
        #expect(abroad.header("X-Api-Key") == nil && abroad.header("Accept-Language") == "de")
        #expect(await home.requests.first?.header("X-Api-Key") == "key-canary", "it leads to the service itself")
        await home.stop()
        await other.stop()
    }
}
