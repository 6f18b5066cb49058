import AuthClient
import BankClient
import ConversationsClient
import Foundation
import FriendsClient
import LiveClient
import TestServices
import Testing
import VideoClient

/// What breaks a constraint of the contract fails before anything is sent, and names the field.
@Suite(.serialized) struct InvalidRequestTests {
    private static func expect(
        _ fault: CommandFault, _ fields: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(fault.kind == .invalidRequest, sourceLocation: sourceLocation)
        #expect(fault.context.brokenFields.map(\.name) == fields, sourceLocation: sourceLocation)
        #expect(fault.context.brokenFields.allSatisfy { !$0.reason.isEmpty }, sourceLocation: sourceLocation)
        fault.expect(
            WantedContext("invalidRequest", .nonRetryable, status: nil, attempts: 0, evidence: .notSent),
            sourceLocation: sourceLocation)
    }

    @Test func theBanksConstraints() async throws {
        let server = try await FaultServer()
        let bank = Bank(.init(url: server.url), on: .brisk())
        let cent = try #require(Decimal(string: "0.01"))
        for amount in [0, -1, cent / 2, 1_000_000 + cent] {
            Self.expect(
                try await bank.fault(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: amount)), ["amount"])
        }
        let long = String(repeating: "r", count: 141)
        Self.expect(
            try await bank.fault(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 0, reference: long)),
            ["amount", "reference"])
        Self.expect(try await bank.fault(of: Bank.RenameAccount(accountID: 1, nickname: "")), ["nickname"])
        let firstOn = try #require(CalendarDate("2026-05-01"))
        for (iban, fields) in [
            ("de89370400440532013000", ["iban"]), ("DE893704 0044053201", ["iban"]),
            ("DE8937040044053201\nX", ["iban"]),
            ("DE12X", ["iban"]), ("X", ["iban", "iban"]),
        ] {
            let order = Bank.OrderStanding(iban: iban, amount: 10, every: .week, firstOn: firstOn)
            Self.expect(try await bank.fault(of: order), fields)
        }
        #expect(await server.connections.isEmpty)
        await server.stop()
    }

    @Test func theOtherContractsConstraints() async throws {
        let server = try await FaultServer()
        let video = Video(.init(url: server.url), on: .brisk())
        Self.expect(
            try await video.fault(of: Video.GetFeed(feedID: "x", startIndex: 0, size: 51)), ["startIndex", "size"])
        Self.expect(try await video.fault(of: Video.LogIn(email: "x@", password: "")), ["email"])
        let live = Live(.init(url: server.url), on: .brisk(), common: .init(appVersion: "1"), privateKey: "k")
        for phone in ["12345", "+49 30 1234567", "1234567890123456", "123456\n", "１２３４５６"] {
            Self.expect(try await live.fault(of: Live.LogIn(phone: phone, code: "1")), ["phone"])
        }
        Self.expect(try await live.fault(of: Live.SendGift(roomID: 1, giftID: 1, count: 1000)), ["count"])
        let auth = Auth(.init(url: server.url), on: .brisk(), common: .init(clientID: "c"), clientSecret: "s")
        Self.expect(
            try await auth.fault(of: Auth.RegisterPerson(handle: "9x", name: "", password: "short")),
            ["handle", "handle", "name", "password"])
        let friends = Friends(.init(url: server.url), on: .brisk(), common: .init(deviceID: "d"))
        Self.expect(
            try await friends.fault(of: Friends.ChangeProfile(tags: Array(repeating: "t", count: 11))), ["tags"])
        let messenger = Conversations(.init(url: server.url), on: .brisk(), common: .init(deviceID: UUID()))
        Self.expect(try await messenger.fault(of: Conversations.StartConversation(memberIDs: [])), ["memberIDs"])
        let nowhere = Conversations.Draft.location(.init(latitude: 90.1, longitude: .infinity))
        let far = try await messenger.fault(of: Conversations.SendMessage(conversationID: UUID(), draft: nowhere))
        #expect(far.kind == .invalidRequest && far.context.brokenFields.count == 2)
        #expect(await server.connections.isEmpty)
        await server.stop()
    }

    /// Values that would lead elsewhere, or be more than themselves.
    @Test func valuesThatNoRequestCanHold() async throws {
        let server = try await FaultServer()
        let session = Session(tokens: SessionTokens(access: "token"))
        let bank = Bank(.init(url: server.url), on: .brisk(), session: session)
        for key in ["", ".", ".."] {
            #expect(try await bank.fault(of: Bank.FindTransfer(key: key)).kind == .invalidRequest)
        }
        let video = Video(.init(url: server.url), on: .brisk(), session: session)
        let split = Video.GetFeed(feedID: "x", language: "de\r\nX-Injected: 1")
        #expect(try await video.fault(of: split).kind == .invalidRequest)
        let file = try #require(URL(string: "file:///etc/hostname"))
        #expect(try await video.fault(of: Video.LoadImage(imageURL: file)).kind == .invalidRequest)
        let elsewhere = Bank(.init(url: "ftp://127.0.0.1"), on: .brisk())
        #expect(try await elsewhere.fault(of: Bank.ListAccounts()).kind == .invalidRequest)
        #expect(await server.connections.isEmpty)
        await server.stop()
    }
}
