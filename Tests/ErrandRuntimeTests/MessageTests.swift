import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Texts for people: which one there is, by which key an app gives its own, and what only a developer sees.
@Suite(.overSocketsToo) struct MessageTests {
    private let shopTexts: DispatcherSettings.Localization = { key, text in
        switch key {
        case "Bank.insufficientFunds": "Es ist nicht genug Geld auf dem Konto."
        case "errand.offline": "Keine Verbindung."
        case "errand.unconfirmed": "Ausgang ungewiss (\(text))"
        case "errand.rejected": nil
        default: "? \(key)"
        }
    }

    private func transfer(
        _ answer: @escaping ScriptedTransport.Answer, localize: DispatcherSettings.Localization? = nil
    ) async throws -> FailureContext {
        let bank = Bank.scripted(
            ScriptedTransport.scripted(answer),
            settings: DispatcherSettings(retry: RetryRule(attempts: 1), localize: localize))
        let result = await bank.result(of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
        guard case .failure(let failure) = result else { throw NoFailure() }
        return failure.context
    }

    private struct NoFailure: Error {}

    private static let refusal = #"{"error":{"code":"900005","messages":["srv"]},"data":{"fromAccount":1,"amount":1}}"#

    @Test func withoutTextsOfTheAppNothingChanges() async throws {
        let context = try await transfer { _, _ in .json(422, Self.refusal) }
        #expect(context.message == "There is not enough money in this account.")
        #expect(context.messageKey == "Bank.insufficientFunds")
    }

    @Test func anErrorOfTheContractHasItsKey() async throws {
        let context = try await transfer({ _, _ in .json(422, Self.refusal) }, localize: shopTexts)
        #expect(context.message == "Es ist nicht genug Geld auf dem Konto.")
        #expect(context.serverMessage == "srv")
    }

    @Test func doubledBracesAreBraces() async throws {
        let context = try await transfer(
            { _, _ in .json(422, Self.refusal) }, localize: { _, _ in "Use {{name}}, not {other}." })
        #expect(context.message == "Use {name}, not.")
    }

    @Test func aBuiltInErrorHasItsKey() async throws {
        let context = try await transfer(
            { _, _ throws(TransportFault) in throw TransportFault(.tls, evidence: .notSent) }, localize: shopTexts)
        #expect(context.messageKey == "errand.insecure")
        #expect(context.message == "? errand.insecure")
    }

    @Test func theServersTextIsUsedUnlessTheAppKnowsBetter() async throws {
        let body = #"{"error":{"code":"77","messages":["Only on weekdays."]}}"#
        let context = try await transfer({ _, _ in .json(400, body) }, localize: shopTexts)
        #expect(context.messageKey == "errand.rejected")
        #expect(context.message == "Only on weekdays.")
        let other = try await transfer({ _, _ in .json(400, body) }, localize: { "\($0): \($1)" })
        #expect(other.message == "errand.rejected: Only on weekdays.")
    }

    @Test func anOpenOutcomeHasItsKey() async throws {
        let context = try await transfer(
            { _, _ throws(TransportFault) in throw TransportFault(.lost, evidence: .sent) }, localize: shopTexts)
        #expect(context.name == "unconfirmed")
        #expect(context.message == "Ausgang ungewiss (It is not known whether this was carried out.)")
    }

    /// A text of the contract's for a built-in error is another text, so it has another key.
    @Test func aTextOfTheContractForABuiltInErrorHasAKeyOfTheContract() async throws {
        let service = ServiceDescription(
            name: "Shop", version: "1",
            redeclared: [
                ErrorDescription("offline", .retryable, applied: .never, message: "The shop is out of reach."),
                ErrorDescription("timedOut", .nonRetryable, applied: .maybe),
            ])
        let redeclared = service.redeclared
        #expect(MessageKey.of(.offline, redeclared[0], in: service) == "Shop.offline")
        #expect(MessageKey.of(.timedOut, redeclared[1], in: service) == "errand.timedOut")
    }

    /// A number in an envelope that says success or failure with a code, and its text beside it.
    private struct GetNumber: ErrandRuntime.Command {
        typealias Service = Shop
        typealias Failure = CommandFault
        typealias Response = Int
        static let endpoint = EndpointDescription(
            Shop.service, "getNumber", .get, effect: .read, session: .none, envelope: EnvelopeTests.live)
        func encode(into request: inout RequestEncoder) { request.path("/number") }
        static func load(from reader: inout JSONReader) -> Int? { reader.readInt() }
    }

    /// The text of a success is not the text of the failure to read it, and an empty text is not a text.
    @Test(arguments: [
        (#"{"code":"100","msg":"success","data":"none"}"#, CommandFault.Kind.malformed, "success"),
        (#"{"code":"100","msg":"success"}"#, .malformed, "success"),
        (#"{"code":"7","msg":""}"#, .rejected, ""),
        (#"{"code":"7","msg":"  \n"}"#, .rejected, "  \n"),
        (#"{"code":"7","msg":["", " "]}"#, .rejected, "\n "),
    ])
    func aFailureHasNoTextThatIsNotItsOwn(body: String, kind: CommandFault.Kind, text: String) async throws {
        let result = await shop(ScriptedTransport.scripted { _, _ in .json(200, body) }).result(of: GetNumber())
        guard case .failure(let fault) = result else { throw NoFailure() }
        #expect(fault.kind == kind)
        #expect(fault.context.message == kind.message && fault.context.message != text)
        #expect(fault.context.serverMessage == nil)
    }

    /// An outcome isn't a failure: the app isn't asked for a text.
    @Test func anOutcomeIsNotTranslated() async throws {
        let bank = Bank.scripted(
            ScriptedTransport.scripted { _, _ in
                .json(200, #"{"error":{"code":900120,"messages":"wait"},"data":{"approver":"Bob"}}"#)
            },
            settings: DispatcherSettings(localize: { key, _ in
                Issue.record("asked for \(key)")
                return nil
            }))
        let reply = try await bank.reply(to: Bank.TransferFunds(fromAccount: 1, toAccount: 2, amount: 3))
        #expect(reply.message == "wait")
    }

    /// Each built-in error can be told from all others by its key, and has a text.
    @Test func everyBuiltInErrorHasAKeyAndAText() {
        var keys: Set<String> = []
        for kind in CommandFault.Kind.allCases {
            let fault = CommandFault(kind)
            #expect(fault.context.messageKey == "errand.\(kind.rawValue)")
            #expect(!fault.context.message.isEmpty)
            keys.insert(fault.context.messageKey)
        }
        #expect(keys.count == CommandFault.Kind.allCases.count)
    }

    @Test func aMadeFailureHasTheKeyOfARealOne() {
        #expect(FailureContext(name: "insufficientFunds", service: "Bank").messageKey == "Bank.insufficientFunds")
        #expect(FailureContext(name: "offline", service: "Bank").messageKey == "errand.offline")
        #expect(
            FailureContext(name: "offline", messageKey: "Bank.offline", service: "Bank").messageKey == "Bank.offline")
    }

    @Test func onlyADeveloperSeesTheCode() async throws {
        let context = try await transfer { _, _ in .json(422, Self.refusal) }
        let message = "There is not enough money in this account."
        #expect(
            context.technicalMessage(isDebugging: true) == message
                + " [Bank.insufficientFunds, status 422, code 900005]")
        #expect(context.technicalMessage(isDebugging: false) == message)
        #if DEBUG
        #expect(context.technicalMessage == context.technicalMessage(isDebugging: true))
        #else
        #expect(context.technicalMessage == message)
        #endif
        #expect(FailureContext(name: "x").technicalMessage(isDebugging: true) == "[x]")
    }

    /// A server that sends the password back as its code.
    @Test func theCodeIsBlankedHereToo() async throws {
        let bank = Bank.scripted(
            ScriptedTransport.scripted { _, _ in .json(400, #"{"error":{"code":"c4nary-password"}}"#) })
        guard case .failure(let failure) = await bank.result(of: Bank.LogIn(user: "ada", password: "c4nary-password"))
        else { throw NoFailure() }
        let text = failure.context.technicalMessage(isDebugging: true)
        #expect(!text.contains("c4nary"))
        #expect(text.contains("code \(Redaction.mark)"))
    }
}
