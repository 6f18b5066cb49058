import ContractChecks
import ContractModel
import TestSeeds
import Testing

@testable import ContractDiff

/// Decision tables, compared as functions.
@Suite struct TableComparisonTests {
    static let head = """
        errand: 1
        service: Shop
        servers: {production: https://api.shop.example}
        envelopes: {standard: {data: data, code: code, success: 0}, strict: {data: data, error: error, code: error.code}}

        """

    static func errors(_ errors: String, endpoint: String = "get: /a, envelope: standard, response: string") -> String {
        let lines = errors.split(separator: "\n").map { "  " + $0 }
        let names = errors.split(separator: "\n").compactMap { $0.split(separator: ":").first }.joined(separator: ", ")
        return head + "errors:\n" + lines.joined(separator: "\n")
            + "\nendpoints:\n  ask: {\(endpoint), errors: [\(names)]}\n"
    }

    /// The differences of the first endpoint, a line for each.
    static func differences(_ old: String, _ new: String) throws -> [String] {
        let (before, after) = (try resolved(old), try resolved(new))
        var comparer = TableComparer(old: before, new: after)
        let found = comparer.compare(try #require(before.endpoints.first), try #require(after.endpoints.first))
        #expect(found.isComplete)
        return found.differences.map { difference in
            let sides = [difference.old, difference.new].map { side in
                [side.meaning.name, side.meaning.category?.rawValue].compactMap { $0 }.joined(separator: " ")
            }
            return "\(difference.example.text): \(sides.joined(separator: " → "))"
        }
    }

    @Test func anotherStatusIsShownFromBothSides() throws {
        let old = Self.errors("taken: {category: nonRetryable, when: {status: 409}}")
        let new = Self.errors("taken: {category: nonRetryable, when: {status: 422}}")
        #expect(
            try Self.differences(old, new) == [
                "HTTP 409: taken nonRetryable → rejected nonRetryable",
                "HTTP 422: rejected nonRetryable → taken nonRetryable",
            ])
    }

    @Test func anotherCategoryIsOneDifference() throws {
        let old = Self.errors("busy: {category: retryable, when: [{status: 409}, {code: 7}]}")
        let new = Self.errors("busy: {category: nonRetryable, when: [{status: 409}, {code: 7}]}")
        #expect(try Self.differences(old, new) == ["HTTP 409: busy retryable → busy nonRetryable"])
    }

    @Test func aRowThatTakesFromAnotherOneIsFound() throws {
        let old = Self.errors("broken: {category: retryable, when: {status: 500..599}}")
        let new = Self.errors(
            """
            broken: {category: retryable, when: {status: 500..599}}
            frozen: {category: nonRetryable, when: {status: 500..599, body: {kind: frozen}}}
            """)
        #expect(
            try Self.differences(old, new) == [
                #"HTTP 500 {"kind":"frozen"}: broken retryable → frozen nonRetryable"#
            ])
    }

    @Test func theConditionOfASuccessIsAPartOfTheFunction() throws {
        let error = "frozen: {category: nonRetryable, when: {code: 7}}"
        let old = Self.errors(error)
        let new = Self.errors(error).replacing("success: 0", with: "success: [0, 1]")
        #expect(try Self.differences(old, new) == [#"HTTP 200 {"code":1}: rejected nonRetryable → success"#])
    }

    @Test func anotherEnvelopeMovesTheCode() throws {
        let error = "frozen: {category: nonRetryable, when: {code: 7}}"
        let old = Self.errors(error)
        let new = Self.errors(error, endpoint: "get: /a, envelope: strict, response: string")
        let differences = try Self.differences(old, new)
        #expect(
            differences.contains(#"HTTP 200 {"code":7}: frozen nonRetryable → success"#),
            "the new envelope finds no error: \(differences)")
        #expect(
            differences.contains(#"HTTP 200 {"error":{"code":7}}: malformed nonRetryable → frozen nonRetryable"#),
            "\(differences)")
    }

    @Test func failuresOfTheTransportAreCompared() throws {
        let old = Self.errors("away: {category: retryable, when: {transport: [dns, refused]}}")
        let new = Self.errors("away: {category: retryable, when: {transport: [dns]}}")
        #expect(
            try Self.differences(old, new) == [
                "a failure of the transport: refused: away retryable → unreachable retryable"
            ])
    }

    @Test func closeCodesAreCompared() throws {
        func text(_ codes: String) -> String {
            """
            errand: 1
            service: Live
            servers: {production: wss://live.example/socket}
            connection: {kind: type, correlation: id}
            errors: {busy: {category: retryable, when: {close: \(codes)}}}
            endpoints: {ask: {frame: ask, response: {text: string}, errors: [busy], effect: read}}
            """
        }
        let differences = try Self.differences(text("4000..4010"), text("4000..4009"))
        #expect(
            differences == ["a connection that is closed with code 4010: busy retryable → rejected nonRetryable"])
    }

    @Test(arguments: [
        // another order
        (
            "a: {category: retryable, when: {status: 409}}\nb: {category: nonRetryable, when: {status: 404}}",
            "b: {category: nonRetryable, when: {status: 404}}\na: {category: retryable, when: {status: 409}}"
        ),
        // a row that was split
        (
            "a: {category: nonRetryable, when: {status: 404..409}}",
            "a: {category: nonRetryable, when: [{status: 404..405}, {status: 406}, {status: 407..409}]}"
        ),
        // codes as a list and as a range
        (
            "a: {category: nonRetryable, when: {status: 404, code: [\"1..3\"]}}",
            "a: {category: nonRetryable, when: {status: 404, code: [\"1..2\", \"3..3\"]}}"
        ),
        // a row that the same error has already
        (
            "a: {category: nonRetryable, when: {status: 404}}",
            "a: {category: nonRetryable, when: [{status: 404}, {status: 404, body: {kind: x}}]}"
        ),
    ]) func anEquivalentTableHasNoDifference(_ old: String, _ new: String) throws {
        #expect(try Self.differences(Self.errors(old), Self.errors(new)) == [])
    }

    @Test func aTableWithTooManyDifferencesSaysSo() throws {
        func text(_ shift: Int) -> String {
            Self.errors(
                (0..<100).map { "e\($0): {category: nonRetryable, when: {code: \(1000 + ($0 + shift) % 100)}}" }
                    .joined(separator: "\n"))
        }
        let (before, after) = (try resolved(text(0)), try resolved(text(1)))
        var comparer = TableComparer(old: before, new: after)
        let found = comparer.compare(try #require(before.endpoints.first), try #require(after.endpoints.first))
        #expect(!found.isComplete)
        #expect(found.differences.count == TableComparison.mostDifferences)
    }

    @Test func theConsequenceIsInTheWordsOfExplain() throws {
        let old = Self.errors(
            "busy: {category: retryable, when: {status: 503}}",
            endpoint: "post: /a, effect: once, envelope: standard, response: string")
        let new = old.replacing("effect: once", with: "effect: keyed")
        let (before, after) = (try resolved(old), try resolved(new))
        var comparer = TableComparer(old: before, new: after)
        let found = comparer.compare(try #require(before.endpoints.first), try #require(after.endpoints.first))
        #expect(found.differences.isEmpty, "the effect changes what follows, and not what a response means: \(found)")
        let classifier = ResponseClassifier(try #require(after.endpoints.first), after)
        #expect(
            classifier.consequence(of: SampleResponse(status: 503)).text
                == "sent again with the same key, 3 attempts in total")
    }
}

/// The contract in a text, which has no error.
func resolved(_ text: String) throws -> ResolvedContract {
    let examination = ContractResolver(provider: OneText(text: text)).examine(path: "shop.contract.yaml")
    guard let resolved = examination.resolved else {
        throw Unresolved(findings: examination.findings.map(\.message), text: text)
    }
    return resolved
}

struct Unresolved: Error {
    let findings: [String]
    let text: String
}

struct OneText: SourceProvider {
    let text: String

    func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
}
