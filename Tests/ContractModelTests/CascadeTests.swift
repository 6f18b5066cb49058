import ContractModel
import Diagnostics
import Testing

/// A mistake is one finding, at its cause, and its consequences are not reported. If the finding has a fix, the fix makes the
/// contract correct.
@Suite struct CascadeTests {
    private static let contract = """
        errand: 1
        service: Bank
        servers: {main: https://bank.example}
        session:
          header: Authorization
          format: "Bearer {token}"
          login: logIn
          token: token
          identity: customer
          expiresIn: expiresIn
        envelopes:
          standard: {data: data, error: error, code: error.code, message: error.message}
        errors:
          insufficientFunds:
            category: nonRetryable
            when: {code: 900005}
            message: There is not enough money.
        defaults:
          envelope: standard
          timeout: 20s
          deadline: 60s
        types:
          Transfer: {confirmation: int, amount: decimal}
        endpoints:
          logIn:
            post: /sessions
            body: {user: string, password: {type: string, sensitive: true}}
            response:
              token: {type: string, sensitive: true}
              customer: int
              expiresIn: int
          transferFunds:
            post: /transfers
            body: {amount: decimal}
            response: Transfer
            effect: keyed
            errors: [insufficientFunds]
            outcomes:
              needsApproval: {when: {code: 900120}, data: {approver: string}}

        """

    @Test(arguments: [
        // a key of the login endpoint, of the session, of the contract, of a type
        ("    response:\n      token", "    respons:\n      token", "did you mean `response`?"),
        ("post: /sessions", "pst: /sessions", "did you mean `post`?"),
        ("login: logIn", "logn: logIn", "did you mean `login`?"),
        ("login: logIn", "login: logn", "did you mean `logIn`?"),
        ("  token: token\n", "  tokn: token\n", "did you mean `token`?"),
        ("header: Authorization", "heaer: Authorization", "did you mean `header`?"),
        ("envelopes:\n", "envelops:\n", "did you mean `envelopes`?"),
        ("errors:\n  ins", "erors:\n  ins", "did you mean `errors`?"),
        ("types:\n", "typs:\n", "did you mean `types`?"),
        ("service: Bank", "servce: Bank", "did you mean `service`?"),
        // an envelope's name, where it is defined and where it is used
        ("  envelope: standard", "  envelope: standrad", "did you mean `standard`?"),
        ("  standard: {data", "  standart: {data", "did you mean `standart`?"),
        ("  envelope: standard", "  envelope: other", "declare it under `envelopes`"),
        ("    category: nonR", "    categry: nonR", "did you mean `category`?"),
        ("{code: 900005}", "{cod: 900005}", "did you mean `code`?"),
        // a text beside fields
        ("Transfer: {", "Transfer: {doc: hello, ", "its fields under `fields`"),
        ("Transfer: {", "Transfer: {doc: Hello, ", "its fields under `fields`"),
        ("    body: {amount", "    body: {doc: hello, amount", "`# hello`"),
        ("data: {approver", "data: {doc: who signs, approver", "`# who signs`"),
        ("timeout: 20s", "timeout: 20", "write `20s` for 20 seconds"),
        ("timeout: 20s", "timeout: 20 s", "write `20s` for 20 seconds"),
        ("timeout: 20s", "timeout: 20000", "write `20000ms` for 20000 milliseconds"),
        ("timeout: 20s", "timeout: 5min", "write `5m` for 5 minutes"),
        // a key of an endpoint among the endpoints
        ("    effect: keyed\n    errors: [insufficientFunds]\n    outcomes", "  effect: keyed\n  outcomes", ""),
    ])
    func oneMistakeIsOneFinding(_ right: String, _ wrong: String, _ help: String) throws {
        let text = Self.contract.replacing(right, with: wrong)
        #expect(text != Self.contract)
        let found = resolve(text).diagnostics.filter { $0.severity == .error }
        if help.isEmpty {
            #expect(found.allSatisfy { $0.isOf(.yamlIndentation) && $0.help?.contains("indent it by 4") == true })
            return
        }
        #expect(found.count == 1, "\(listing(found))")
        let finding = try #require(found.first)
        #expect(finding.help?.contains(help) == true, "\(listing(found))")
        guard let fix = finding.fix else { return }
        let mended = FixApplication([fix], to: Array(text.utf8), of: "sample.contract.yaml")
        let after = resolve(String(decoding: mended.bytes, as: UTF8.self))
        #expect(after.contract != nil, "\(listing(after.diagnostics))")
    }

    /// Only what nothing else can be is fixed unasked.
    @Test(arguments: [
        ("respons: string", true), ("Response: string", true), ("re_sponse: string", true), ("resp: string", false),
        ("respose: string", true), ("timeot: 5s", true), ("timeout: 20 s", true), ("timeout: 20", false),
        ("effect: Keyed", true), ("effect: kyed", false), ("effect: idempotnt", true),
    ])
    func aFixIsCertainWhereNothingElseCanBeMeant(_ line: String, _ isCertain: Bool) throws {
        let text = "errand: 1\nservice: A\nendpoints:\n  a:\n    post: /a\n    \(line)\n"
        let found = resolve(text).diagnostics
        #expect(found.count == 1, "\(listing(found))")
        #expect((found.first?.fix?.applicability == .certain) == isCertain, "\(listing(found))")
    }

    /// A key that is there already cannot be meant a second time.
    @Test func aKeyThatIsThereIsNotWrittenTwice() {
        let found = resolve("errand: 1\nservice: A\nendpoints:\n  a: {get: /a, response: none, respons: none}\n")
            .diagnostics
        #expect(found.map(\.rule) == ["unknown-key"])
        #expect(found.first?.fix == nil)
    }

    @Test(arguments: [
        "openapi: 3.0.3\ninfo: {title: Shop, version: 1.0.0}\npaths:\n  /items:\n    get:\n      responses:\n        200: {description: Fine}\n",
        "{\"swagger\": \"2.0\", \"info\": {\"title\": \"Shop\"}, \"paths\": {}}\n",
    ])
    func anOpenAPIDocumentIsToldAbout(_ text: String) {
        let found = resolve(text).diagnostics
        #expect(found.map(\.rule) == ["openapi-document"], "\(listing(found))")
        #expect(
            found.first?.help
                == "convert it to a contract: `errand import openapi sample.contract.yaml -o contracts/sample.contract.yaml`"
        )
    }
}
