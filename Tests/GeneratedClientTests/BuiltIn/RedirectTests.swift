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
}
