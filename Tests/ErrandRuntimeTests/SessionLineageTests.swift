import BankClient
import Foundation
import Testing

@testable import ErrandRuntime

/// The origin of a session in a store: processes that share the store take over tokens that continue their own session.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct SessionLineageTests {
    private let folder: SessionFolder
    private let ledger = TokenLedger()

    init() throws { folder = try SessionFolder() }

    private var file: FileSessionStore { FileSessionStore(path: folder.file) }

    /// Takes the token `new` only.
    private func shop(_ session: Session) -> Shop {
        Shop(
            on: Dispatcher(
                transport: ledger.transport { request, _ in .json(request.url.hasSuffix("token=new") ? 200 : 401, "") }),
            session: session)
    }

    /// A process with a session; the user is known only if named.
    private func process(_ identity: String? = nil) async -> Session {
        await Session(store: file).begin(SessionTokens(access: "old", refresh: "r", identity: identity))
        let session = Session(store: file)
        _ = await session.current()
        return session
    }

    @Test func anotherUserInAnotherProcessGetsNoneOfOurCommands() async throws {
        let shop = shop(await process())
        await Session(store: file).begin(SessionTokens(access: "new"))
        #expect(await shop.result(of: Shop.Ping()).isSessionEnded)
        #expect(ledger.tokens(on: "GET /ping") == ["old"])
        // A command that is submitted now is the other user's.
        try await shop.send(Shop.Ping())
        #expect(ledger.tokens(on: "GET /ping") == ["old", "new"])
    }

    @Test func whatAnotherProcessHasRenewedIsOurs() async throws {
        let shop = shop(await process())
        await Session(store: file).replaceTokens(SessionTokens(access: "new"))
        try await shop.send(Shop.Ping())
        #expect(ledger.tokens(on: "GET /ping") == ["old", "new"])
    }

    @Test(arguments: [("ada", true), ("eve", false)])
    func identityTellsWhetherALoginElsewhereIsOurs(identity: String, isOurs: Bool) async throws {
        let shop = shop(await process("ada"))
        await Session(store: file).begin(SessionTokens(access: "new", identity: identity))
        #expect(await shop.result(of: Shop.Ping()).isSessionEnded == !isOurs)
        #expect(ledger.tokens(on: "GET /ping") == (isOurs ? ["old", "new"] : ["old"]))
    }

    /// Two processes find what an older version has kept, and one of them renews it.
    @Test func theFormBeforeIsReadByAllAlike() async throws {
        try folder.write(#"{"access":"old","refresh":"r","service":"Shop"}"#.utf8)
        let session = Session(store: file)
        _ = await session.current()
        await Session(store: file).replaceTokens(SessionTokens(access: "new"))
        try await shop(session).send(Shop.Ping())
        #expect(ledger.tokens(on: "GET /ping") == ["old", "new"])
    }

    @Test func aFileKeepsWhereASessionComesFrom() async throws {
        let session = Session(store: file)
        await session.begin(SessionTokens(access: "a", identity: "ada"))
        let first = try #require(await file.load()?.lineage)
        await session.replaceTokens(SessionTokens(access: "b"))
        let second = try #require(await file.load())
        #expect(second.lineage == SessionLineage(epoch: first.epoch, generation: first.generation + 1))
        #expect(second.identity == "ada")
        await session.begin(SessionTokens(access: "c"))
        #expect(await file.load()?.lineage?.epoch != first.epoch)
        let text = try String(contentsOfFile: folder.file, encoding: .utf8)
        #expect(text.hasPrefix(#"{"version":2,"#))
    }

    /// Another version of the app, or its extension, reads what this one has written.
    @Test func theFormOfAKeptSessionStays() throws {
        var tokens = SessionTokens(access: "a\"b", expiresIn: 3_600, refresh: "r", identity: "17")
        tokens.expiry = Date(timeIntervalSince1970: 1_785_578_400.5)
        tokens.service = "Bank"
        tokens.lineage = SessionLineage(epoch: "e", generation: 3)
        let text =
            #"{"version":2,"access":"a\"b","refresh":"r","expiresIn":3600,"expiry":1785578400.5,"service":"Bank","#
            + #""identity":"17","lineage":{"epoch":"e","generation":3}}"#
        #expect(String(decoding: try #require(tokens.keptBytes), as: UTF8.self) == text)
        #expect(SessionTokens(kept: Array(text.utf8)) == tokens)
        #expect(
            SessionTokens(access: "a").keptBytes.map { String(decoding: $0, as: UTF8.self) }
                == #"{"version":2,"access":"a"}"#)
    }

    /// A login in another process replaces the closure's answer, and cancels the closure.
    @Test func aLoginElsewhereClosesTheForm() async throws {
        let asking = Meeting()
        let session = Session(store: file) { () -> Bank.LogIn? in
            // Ends when it is cancelled.
            await asking.hold()
            return nil
        }
        let transport = ledger.transport { _, _ in .json(200, noAccounts) }
        let bank = Bank(on: Dispatcher(transport: transport), session: session)
        async let result = bank.result(of: Bank.ListAccounts())
        await asking.met()
        await Session(store: file).begin(SessionTokens(access: "new"))
        guard case .success = await result else {
            Issue.record("it failed")
            return
        }
        #expect(ledger.tokens(on: "GET /v1/accounts") == ["new"])
    }

    // MARK: Claims

    private func token(_ payload: String) -> String {
        let text = Data(payload.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "eyJhbGciOiJub25lIn0.\(text)."
    }

    @Test(arguments: [
        (#"{"sub":"ada"}"#, "ada"), (#"{"sub":17}"#, "17"), (#"{"sub":9223372036854775807}"#, "9223372036854775807"),
        (#"{"iss":"x","sub":"ä~?>"}"#, "ä~?>"), (#"{"sub":"first","sub":"last"}"#, "last"),
    ])
    func aClaimIsReadFromAToken(payload: String, claim: String) {
        #expect(SessionTokens.claim("sub", of: token(payload)) == claim)
    }

    @Test(arguments: [
        #"{}"#, #"{"sub":null}"#, #"{"sub":1.5}"#, #"{"sub":true}"#, #"{"sub":["a"]}"#, #"{"sub":{"sub":"a"}}"#,
        #"{"sub":""}"#,
        #"["sub"]"#, #""sub""#, #"{"sub":"a""#, "",
    ])
    func whatIsNoClaimIsNone(payload: String) {
        #expect(SessionTokens.claim("sub", of: token(payload)) == nil)
    }

    @Test func whatIsNoTokenHasNoClaim() {
        let good = token(#"{"sub":"ada"}"#)
        let long = token(#"{"sub":"\#(String(repeating: "a", count: 2_000))"}"#)
        let parts = good.split(separator: ".", omittingEmptySubsequences: false)
        for text in [
            "", ".", "..", "a.b", "a.b.c.d.e", good + ".", "\(parts[0]).\"\(parts[1])\".", long,
            String(repeating: "a.", count: 100_000),
        ] {
            #expect(SessionTokens.claim("sub", of: text) == nil, "\(text.prefix(40))")
        }
    }
}
