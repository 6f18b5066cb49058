import Testing

@testable import ContractDiff

/// Changes of what recognizes an error, judged by the responses that mean something else.
@Suite struct TableVerdictTests {
    private func refined(_ old: String, _ new: String) throws -> [Change] {
        let pair = try ContractPair(SampleContract.text, SampleContract.replacing(old, new))
        return TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new)
    }

    @Test func anEquivalentRewriteHasNoConsequence() throws {
        let rewritten = "when: [{status: 422}, {status: 422, body: {kind: empty}}]"
        let changes = try refined("when: {status: 422}", rewritten)
        #expect(!changes.isEmpty)
        #expect(changes.allSatisfy { $0.verdict == .none }, "\(changes)")
    }

    /// Without a body, a 503 of a command that must take effect once leaves open whether it did.
    @Test func aRewriteThatChangesWhatIsKnownAboutTheRequestIsNotEquivalent() throws {
        let changes = try refined(
            "when: {status: 503}", "when: [{status: 503}, {status: 503, body: {kind: maintenance}}]")
        #expect(changes.contains { $0.verdict.level == .breaks }, "\(changes)")
    }

    @Test func anotherConditionHasAnExample() throws {
        let changes = try refined("when: {status: 422}", "when: {status: 410}")
        let sentences = changes.flatMap { $0.verdict.columns.compactMap(\.judgment.sentence) }.joined(separator: "\n")
        #expect(changes.contains { $0.verdict.level == .breaks })
        #expect(
            sentences.contains(
                "For example, at `transfer`, HTTP 422 was `noFunds` and is now `rejected`; HTTP 410 was `rejected` and is now `noFunds`."
            ), "\(sentences)")
    }

    /// A sentence does not grow with a table.
    @Test func manyClassesAreCounted() throws {
        let statuses = (430...436).map { "x\($0): {category: nonRetryable, when: {status: \($0)}}" }
        let names = ", " + (430...436).map { "x\($0)" }.joined(separator: ", ")
        func contract(_ status: String) -> String {
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example}
            errors:
              full: {category: nonRetryable, when: {status: \(status)}}
              \(statuses.joined(separator: "\n  "))
            endpoints:
              pay: {post: /pay, response: none, effect: once, errors: [full]}
              ask: {get: /ask, response: none, errors: [full\(names)]}

            """
        }
        let after = contract("430..436").replacing(names, with: "")
        let pair = try ContractPair(contract("422"), after)
        let changes = TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new)
        let sentence = try #require(changes.first { $0.path == "errors.full.when" }?.verdict.behavior.sentence)
        #expect(sentence.hasSuffix("5 more kinds of responses mean something else."), "\(sentence)")
        #expect(sentence.count < 700)
    }

    @Test func theConditionOfAnOutcomeHasAnExample() throws {
        let changes = try refined("when: {status: 202}", "when: {status: 203}")
        let sentences = changes.flatMap { $0.verdict.columns.compactMap(\.judgment.sentence) }.joined(separator: "\n")
        #expect(sentences.contains("For example, at `transfer`, HTTP 202"), "\(sentences)")
    }

    /// An error that a contract declares and lists in one change, which is the usual pull request about errors.
    private func adding(_ error: String, effect: String = "once") throws -> ChangeVerdict {
        func contract(_ errors: String, _ names: String) -> String {
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example}
            session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token}
            errors:
              busy: {category: retryable, when: {status: 503}}
            \(errors)
            endpoints:
              logIn: {post: /sessions, response: {token: string}, effect: idempotent, session: none}
              pay: {post: /pay, response: {id: int}, effect: \(effect), errors: [busy\(names)]}

            """
        }
        let pair = try ContractPair(contract("", ""), contract("  new: \(error)", ", new"))
        let changes = TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new)
        try #require(changes.map(\.path) == ["errors.new"], "\(pair.listing)")
        return changes[0].verdict
    }

    @Test func aNewErrorThatOldAppsTakeForASuccessBreaksThem() throws {
        let verdict = try adding("{category: nonRetryable, when: {status: 200, body: {state: frozen}}}")
        #expect(
            verdict.behavior
                == .breaks(
                    """
                    Apps from before this change take `new` of `pay` for a success. For example, at `pay`, \
                    HTTP 200 {"state":"frozen"} was `success` and is now `new`.
                    """))
        #expect(verdict.direction == .oldApp)
    }

    @Test func aNewErrorThatEndsTheSessionBreaksNewApps() throws {
        let verdict = try adding("{category: requiresLogout, when: {status: 403}}")
        guard case .breaks(let sentence) = verdict.behavior else {
            Issue.record("\(verdict)")
            return
        }
        #expect(sentence.contains("their users have to log in again"), "\(sentence)")
        #expect(sentence.contains("HTTP 403 was `rejected` and is now `new`"), "\(sentence)")
        #expect(verdict.direction == .newApp)
    }

    @Test func aNewErrorThatIsSentAgainBreaksNewApps() throws {
        let verdict = try adding("{category: retryable, applied: never, when: {status: 500}}")
        guard case .breaks(let sentence) = verdict.behavior else {
            Issue.record("\(verdict)")
            return
        }
        #expect(sentence.contains("a server that did carry it out does so twice"), "\(sentence)")
    }

    /// Old apps fail as well, by another name.
    @Test func aNewErrorThatIsOnlyNamedIsAReviewWithAnExample() throws {
        let verdict = try adding("{category: nonRetryable, when: {status: 422}}")
        guard case .warns(let sentence) = verdict.behavior else {
            Issue.record("\(verdict)")
            return
        }
        #expect(sentence.contains("HTTP 422 was `rejected` and is now `new`"), "\(sentence)")
    }

    /// An outcome without a place for its code is one that no response says.
    @Test func anOutcomeThatNoResponseSaysBreaksOnlyTheSource() throws {
        func contract(_ outcomes: String, _ envelope: String) -> String {
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example}
            envelopes: {plain: {\(envelope)}}
            endpoints:
              pay: {post: /pay, response: {id: int}, envelope: plain, effect: once, outcomes: {late: {when: {status: 202}}\(outcomes)}}

            """
        }
        func change(_ envelope: String, isAdded: Bool) throws -> Change {
            let texts = [contract("", envelope), contract(", odd: {when: {code: [7]}}", envelope)]
            let pair = try isAdded ? ContractPair(texts[0], texts[1]) : ContractPair(texts[1], texts[0])
            let changes = TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new)
            try #require(changes.map(\.path) == ["endpoints.pay.outcomes.odd"], "\(pair.listing)")
            return changes[0]
        }
        for isAdded in [true, false] {
            let verdict = try change("message: message", isAdded: isAdded).verdict
            #expect(verdict.source.level == .breaks)
            #expect(verdict.wire == .none && verdict.behavior == .none && verdict.direction == nil)
            let other = try change("message: message, code: code, success: status", isAdded: isAdded).verdict
            let sentence = (isAdded ? other.behavior : other.wire).sentence
            #expect(sentence?.contains("For example, at `pay`, HTTP") == true, "\(other)")
        }
    }

    @Test func otherChangesStayAsTheyAre() throws {
        let pair = try ContractPair(SampleContract.text, SampleContract.replacing("{card: int}", "{card: string}"))
        #expect(TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new) == pair.changes)
    }
}
