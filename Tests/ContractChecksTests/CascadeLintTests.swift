import ContractChecks
import Diagnostics
import Testing

/// What rules say of a contract with one mistake: nothing that follows from it.
@Suite struct CascadeLintTests {
    private static let contract = """
        errand: 1
        service: Bank
        servers: {production: "https://api.bank.example/v1"}
        session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token, identity: customer}
        envelopes:
          standard: {data: data, error: error, code: error.code, message: error.messages}
        errors:
          sessionExpired: {category: requiresLogout, when: {status: 401}, message: Please log in again.}
          insufficientFunds:
            category: nonRetryable
            when: {code: 900005}
            data: {fromAccount: int, amount: decimal}
            message: There is not enough money.
        defaults:
          envelope: standard
          timeout: 20s
          deadline: 60s
          errors: [sessionExpired]
        types:
          Transfer: {confirmation: int, amount: decimal}
        endpoints:
          logIn:
            post: /sessions
            body: {user: string, password: {type: string, sensitive: true}}
            response: {token: {type: string, sensitive: true}, customer: int}
          transferFunds:
            post: /transfers
            body: {fromAccount: int, toAccount: int, amount: decimal}
            response: Transfer
            effect: keyed
            errors: [insufficientFunds]
            outcomes:
              needsApproval: {when: {code: 900120}, data: {approver: string}}

        """

    @Test func theContractItselfHasNoFindings() {
        let found = lint(Self.contract)
        #expect(found.isEmpty, "\(listing(found))")
    }

    @Test(arguments: [
        ("    response: {token", "    respons: {token"), ("    post: /sessions", "    pst: /sessions"),
        ("login: logIn", "login: logn"), ("  envelope: standard", "  envelope: standrad"),
        ("  envelope: standard", "  envelope: another"), ("  standard: {data", "  standart: {data"),
        ("envelopes:\n", "envelops:\n"), ("timeout: 20s", "timeout: 20"), ("timeout: 20s", "timeout: soon"),
        ("timeout: 20s", "timout: 20s"), ("Transfer: {", "Transfer: {doc: hello, "),
        ("deadline: 60s", "deadline: 1 minute and a half"), ("effect: keyed", "effect: keyd"),
    ])
    func oneMistakeIsOneFinding(_ right: String, _ wrong: String) {
        let text = Self.contract.replacing(right, with: wrong)
        #expect(text != Self.contract)
        let found = lint(text)
        #expect(found.count == 1 && found.first?.severity == .error, "\(listing(found))")
    }
}
