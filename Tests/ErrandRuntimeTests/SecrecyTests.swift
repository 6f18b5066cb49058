import BankClient
import ErrandTesting
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// Canaries: values that must appear in nothing that is printed.
@Suite(.overSocketsToo) struct SecrecyTests {
    private let canaries = ["c4nary-password", "c4nary-token", "c4nary-owner", "c4nary-key", "c4nary-refresh"]

    private func expectSilence(_ value: Any, _ location: SourceLocation = #_sourceLocation) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] {
            for canary in canaries where text.contains(canary) {
                Issue.record("\(canary) in: \(text)", sourceLocation: location)
            }
        }
    }

    @Test func failuresSayNothing() async throws {
        let transport = ScriptedTransport.scripted { request, _ in
            // A server that repeats what it was sent.
            let sent =
                request.headers.fields.map(\.value).joined()
                + String(decoding: request.body ?? [], as: UTF8.self).replacing("\"", with: "")
            return .json(
                422, #"{"error":{"code":"900005","messages":["\#(sent)"]},"data":{"fromAccount":1,"amount":1}}"#)
        }
        let bank = Bank.scripted(transport)
        await bank.session.begin(SessionTokens(access: "c4nary-token", refresh: "c4nary-refresh"))
        let command = Bank.LogIn(user: "ada", password: "c4nary-password")
        expectSilence(command)
        guard case .failure(let failure) = await bank.result(of: command) else {
            Issue.record("?")
            return
        }
        expectSilence(failure)
        #expect(failure.context.serverMessage?.contains(Redaction.mark) == true)
        expectSilence(failure.context)
        let transfer = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 3))
        guard case .failure(let refused) = transfer else {
            Issue.record("?")
            return
        }
        expectSilence(refused)
        #expect(refused.context.serverMessage?.contains(Redaction.mark) == true)
        for request in transport.requests { expectSilence(request) }
        if let tokens = bank.session.tokens { expectSilence(tokens) }
    }

    /// Values that an app has available and might print: clients, sessions, dispatchers, during work.
    @Test func clientsSayNothing() async throws {
        let session = Session { [canaries] () -> Bank.LogIn? in
            Bank.LogIn(user: "ada", password: canaries[0])
        }
        await session.begin(SessionTokens(access: "c4nary-token", refresh: "c4nary-refresh"))
        let dispatcher = Dispatcher(transport: URLSessionTransport())
        let shop = Shop(on: dispatcher, session: session, signingKey: "c4nary-key")
        expectSilence(shop)
        expectSilence(shop.binding)
        expectSilence(shop.binding.route)
        expectSilence(session)
        expectSilence(dispatcher)
        expectSilence([shop.binding.session as Any, shop.binding.dispatcher.transport, dispatcher])
        #expect("\(shop)" == "Shop(binding: Shop at https://shop.example)")
    }

    /// The values of one attempt, in case a developer prints them to find a fault.
    @Test func whatIsUnderWaySaysNothing() {
        let request = TransportRequest(
            method: .post, url: "https://shop.example/?a=c4nary-token", body: Array("c4nary-key".utf8))
        expectSilence(
            AssembledRequest(
                request: request, printedURL: "https://shop.example/?a=•••", secrets: ["c4nary-token"]))
        expectSilence(SignedParameter(name: "a", value: "c4nary-key"))
        let match = ErrorMatch(
            context: FailureContext(name: "x"),
            payload: Payload(
                body: Array(#"{"a":"c4nary-owner"}"#.utf8), EnvelopeParts(), Bank.LogIn.endpoint,
                isSuccess: false))
        expectSilence(match)
    }

    @Test func urlsSayNothing() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(500, "") }
        let session = Session()
        let dispatcher = Dispatcher(transport: transport)
        let shop = Shop(on: dispatcher, session: session, signingKey: "c4nary-key")
        await session.begin(SessionTokens(access: "c4nary-token"))
        guard case .failure(let fault) = await shop.result(of: Shop.Ping()) else {
            Issue.record("?")
            return
        }
        expectSilence(fault)
        #expect(fault.context.url == "https://shop.example/ping?token=•••")
    }

    @Test func modelsSayNothing() throws {
        let account = Bank.Account(
            id: 1, owner: "c4nary-owner", balance: 1, status: .active, openedAt: .distantPast)
        expectSilence(account)
        expectSilence([account])
        #expect("\(account)".contains("id: 1"))
    }

    /// Models inside of a body, in JSON and in a form; and a success that says too much.
    @Test(arguments: [BodyEncoding.json, .form])
    func whatModelsCarryIsBlankedToo(encoding: BodyEncoding) async throws {
        struct Put: ErrandRuntime.Command {
            typealias Service = Bank
            typealias Failure = CommandFault
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Bank.service, "put", .put, effect: .idempotent,
                envelope: Bank.ListAccounts.endpoint.envelope, response: .none)
            let encoding: BodyEncoding
            func encode(into request: inout RequestEncoder) {
                request.path("/put")
                request.beginBody(encoding)
                request.field("account") { writer in
                    writer.beginObject()
                    writer.key("owner")
                    writer.write("c4nary-owner")
                    writer.key("id")
                    writer.write("plain-id")
                    writer.endObject()
                }
                request.field("keys", sensitive: true) { writer in
                    writer.beginArray()
                    writer.write("c4nary-key")
                    writer.endArray()
                }
            }
        }
        let said = #""code":"c4nary-owner","messages":["c4nary-owner c4nary-key plain-id"]"#
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(400, "{\"error\":{\(said)}}") })
        let result = await bank.result(of: Put(encoding: encoding))
        guard case .failure(let fault) = result else {
            Issue.record("it succeeded")
            return
        }
        expectSilence(fault)
        #expect(fault.context.serverMessage == "••• ••• plain-id")
        #expect(fault.context.code == Redaction.mark)
    }

    @Test func aReplyRepeatsNoSecret() async throws {
        struct Tell: ErrandRuntime.Command {
            typealias Service = Bank
            typealias Failure = CommandFault
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Bank.service, "tell", .post, effect: .idempotent,
                envelope: EnvelopeTests.live,
                response: .none)
            func encode(into request: inout RequestEncoder) {
                request.path("/tell")
                request.beginBody(.json)
                request.field("password", "c4nary-password", sensitive: true)
            }
        }
        let bank = Bank.scripted(
            ScriptedTransport.scripted { _, _ in .json(200, #"{"code":100,"msg":"you sent c4nary-password"}"#) })
        let reply = try await bank.reply(to: Tell())
        #expect(reply.message == "you sent •••")
        expectSilence(reply)
    }

    /// A server's value under a sensitive name appears in no report about a mismatch.
    @Test(arguments: [
        #"{"data":{"token":4710815}}"#, #"{"data":{"token":4710815"#, #"{"data":{"token":["4710815"]}}"#,
    ])
    func malformedAnswersSayNothing(body: String) async throws {
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, body) })
        let result = await bank.result(of: Bank.LogIn(user: "ada", password: "right"))
        guard case .failure(.shared(.fault(let fault))) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .malformed)
        let decodingError = try #require(fault.context.decodingError)
        #expect(!decodingError.excerpt.contains("4710815"))
        var dumped = ""
        dump(decodingError, to: &dumped)
        dump(fault, to: &dumped)
        #expect(!dumped.contains("4710815"))
    }

    @Test func whatAListLeftOutSaysNothing() async throws {
        let body = oneAccount.replacing(#""Ada Owner""#, with: "4710815")
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, body) })
        let reply = try await bank.reply(to: Bank.ListAccountsLeniently())
        #expect(reply.value.isEmpty)
        #expect(reply.skipped.map(\.path) == ["$.data[0].owner"])
        var dumped = ""
        dump(reply, to: &dumped)
        #expect(!dumped.contains("4710815"))
    }

    /// Fields of any name: none of them may become what prints the value.
    @Test func aFieldCalledDescriptionSaysNothing() {
        struct Note: Redacted, Sendable {
            var description: String
            var debugDescription: String
            var customMirror: Mirror {
                Mirror(self, children: ["description": Redaction.mark, "debugDescription": Redaction.mark])
            }
        }
        let note = Note(description: "c4nary-owner", debugDescription: "c4nary-key")
        expectSilence(note)
        expectSilence([note])
        expectSilence(Optional(note) as Any)
        #expect("\(note)" == "Note(description: •••, debugDescription: •••)")
    }

    @Test func aWholeURLNeverCarriesTheSession() async throws {
        struct Load: ErrandRuntime.Command {
            typealias Service = Shop
            typealias Failure = CommandFault
            typealias Response = [UInt8]
            static let endpoint = EndpointDescription(
                Shop.service, "load", .get, effect: .read, session: .required, response: .bytes)
            let url: URL
            func encode(into request: inout RequestEncoder) { request.wholeURL(url) }
        }
        let transport = ScriptedTransport.scripted { _, _ in TransportResponse(status: 200, body: [1, 2, 3]) }
        let shop = Shop(on: Dispatcher(transport: transport), session: .begun)
        await shop.binding.session.begin(SessionTokens(access: "c4nary-token"))
        let url = try #require(URL(string: "https://elsewhere.example/i.png"))
        #expect(try await shop.send(Load(url: url)) == [1, 2, 3])
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://elsewhere.example/i.png")
        #expect(request.headers.fields.isEmpty)
    }
}
