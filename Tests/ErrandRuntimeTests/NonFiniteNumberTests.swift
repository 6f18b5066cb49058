import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Words in place of numbers, which many web frameworks write: the command was carried out, and its response cannot be read.
@Suite struct NonFiniteNumberTests {
    @Test(arguments: [
        (#"{"v": NaN}"#, "NaN", #"{"v": null}"#),
        (#"[-Infinity,Infinity,NaN]"#, "-Infinity", "[null,null,null]"),
        (#"{"a\"NaN": "NaN", "b": NaN"#, "NaN", #"{"a\"NaN": "NaN", "b": null"#),
    ])
    func theyAreFoundOutsideOfTexts(_ document: String, _ word: String, _ rest: String) throws {
        let found = try #require(NonFiniteNumberError.find(in: Array(document.utf8)))
        #expect(found.error.word == word && String(decoding: found.rest, as: UTF8.self) == rest)
    }

    @Test(arguments: ["", "{}", #"{"NaN": "-Infinity\\\\"}"#, #""NaN"#, #""\"#]) func othersAreNone(_ document: String)
    {
        #expect(NonFiniteNumberError.find(in: Array(document.utf8)) == nil)
    }

    /// The bank wants a card to be ordered once. A response with such a word is no reason to leave its end open.
    @Test(arguments: [
        (#"{"data": {"account": NaN, "kind": "D"}}"#, Applied.yes), (#"{"data": {"account": NaN, "kind": "D""#, .maybe),
        (#"{"data": {"account": 1, "kind": "D""#, .maybe),
    ])
    func theCommandWasCarriedOut(_ body: String, _ applied: Applied) async {
        let transport = ScriptedTransport { _, _ in .json(200, body) }
        let failure = await Bank.scripted(transport).result(of: Bank.OrderCard(accountID: 1)).failure
        let context = failure?.context
        #expect(context?.applied == applied && context?.name == (applied == .yes ? "malformed" : "unconfirmed"))
        let error = context?.underlying as? NonFiniteNumberError
        #expect(error?.word == (body.contains("NaN") ? "NaN" : nil))
        #expect(applied != .yes || context.map { "\($0)".contains("has NaN in place of a number") } == true)
    }
}
