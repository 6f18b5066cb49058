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

    @Test func otherChangesStayAsTheyAre() throws {
        let pair = try ContractPair(SampleContract.text, SampleContract.replacing("{card: int}", "{card: string}"))
        #expect(TableVerdicts.refined(pair.changes, from: pair.old, to: pair.new) == pair.changes)
    }
}
