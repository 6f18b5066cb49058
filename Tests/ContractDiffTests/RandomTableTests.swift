import ContractChecks
import ContractModel
import TestSeeds
import Testing

@testable import ContractDiff

/// The comparison of random tables, held against looking at every response of a small world with the functions of the runtime.
@Suite struct RandomTableTests {
    static let statuses = [200, 202, 204, 301, 400, 401, 404, 409, 500, 502, 503, 504, 599]
    static let edges = Set(statuses.flatMap { [$0 - 1, $0, $0 + 1] } + [408, 429]).intersection(200...599).sorted()
    static let codes: [String?] = [nil, "0", "1", "2", "3", "4", "5", "9", "x"]
    static let firsts: [String?] = [nil, "a", "b", "ab"]
    static let seconds: [String?] = [nil, "a", "b"]
    static let limits: [String?] = [nil, "0"]

    @Test func theDifferencesAreThoseOfEveryResponse() throws {
        let seed = SeededGenerator.newSeed()
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (different, equal, unusable, incomplete) = (0, 0, 0, 0)
        var rounds = 0
        // Few random pairs are equal, so there are more rounds until there are enough.
        while rounds < 120 || equal <= 3 && rounds < 480 {
            rounds += 1
            let rows = Self.rows(&random)
            let others = random.below(3) == 0 ? Self.rows(&random) : Self.edited(rows, &random)
            let settings = Self.settings(&random)
            let otherSettings = random.below(2) == 0 ? settings : Self.settings(&random)
            let texts = [Self.text(rows, settings), Self.text(others, otherSettings)]
            guard let old = try? resolved(texts[0]), let new = try? resolved(texts[1]) else {
                unusable += 1  // rows of one rank overlap
                continue
            }
            let (before, after) = (try #require(old.endpoints.first), try #require(new.endpoints.first))
            var comparer = TableComparer(old: old, new: new)
            let comparison = comparer.compare(before, after)
            let models = (ResponseModel(before, old), ResponseModel(after, new))
            let story = "seed \(seed)\n\(texts[0])\n\(texts[1])"
            // Some pairs differ in more ways than a comparison lists.
            #expect(
                comparison.isComplete || comparison.differences.count == TableComparison.mostDifferences, "\(story)")
            incomplete += comparison.isComplete ? 0 : 1
            var found = Set<[String]>()
            for difference in comparison.differences {
                guard case .response(let response) = difference.example else {
                    Issue.record("no row names the transport; \(story)")
                    continue
                }
                let names = [difference.old, difference.new].map { ResponseModel.text($0.meaning) }
                #expect(
                    [models.0.meaning(of: response), models.1.meaning(of: response)] == names,
                    "\(difference.example.text); \(story)")
                #expect(difference.numbers.contains { $0.contains(response.status) }, "\(difference.example.text)")
                #expect(found.insert(names).inserted, "\(names) twice; \(story)")
            }
            var wanted = Set<[String]>()
            for response in Self.everyResponse {
                let meanings = [models.0.meaning(of: response), models.1.meaning(of: response)]
                if meanings[0] != meanings[1], wanted.insert(meanings).inserted, comparison.isComplete,
                    !found.contains(meanings)
                {
                    Issue.record("\(response.text(in: nil)) is \(meanings), which was not found; \(story)")
                }
            }
            if wanted.isEmpty { equal += 1 } else { different += 1 }
        }
        #expect(different > 30 && equal > 3, "\(different), \(equal), \(unusable), seed \(seed)")
        #expect(incomplete < 6, "seed \(seed)")
    }

    // MARK: Tables

    /// One error with its conditions.
    private struct Row {
        var name: String
        var category: String
        var conditions: [String]
    }

    private static func rows(_ random: inout SeededGenerator) -> [Row] {
        (0..<(2 + random.below(4))).map { number in
            Row(
                name: "e\(number)", category: ["retryable", "nonRetryable"][random.below(2)],
                conditions: (0...random.below(2)).map { _ in condition(&random) })
        }
    }

    private static func condition(_ random: inout SeededGenerator) -> String {
        var keys: [String] = []
        if random.below(3) > 0 {
            let low = statuses[3 + random.below(statuses.count - 3)]
            let high = max(low, statuses[random.below(statuses.count)])
            keys.append("status: " + (random.below(2) == 0 ? "\(low)" : "\(low)..\(high)"))
        }
        if random.below(3) == 0 {
            let low = 1 + random.below(4)
            keys.append("code: " + (random.below(2) == 0 ? "\(low)" : "\"\(low)..\(low + random.below(3))\""))
        }
        var body: [String] = []
        if random.below(3) == 0 { body.append("x: \(["a", "b", "'a*'", "'*b'", "'*ab*'", "'*'"][random.below(6)])") }
        if random.below(4) == 0 { body.append("y: \(["a", "b"][random.below(2)])") }
        if !body.isEmpty {
            keys.append("body: {\(body.joined(separator: ", "))}")
        } else if random.below(4) == 0, !keys.contains(where: { $0.hasPrefix("code") }) {
            keys.append("text: \(["ab", "'*b'", "'*'"][random.below(3)])")
        }
        if random.below(5) == 0 { keys.append("header: {X-Left: \(["'0'", "'*0'", "'*'"][random.below(3)])}") }
        return "{" + (keys.isEmpty ? "status: 404" : keys.joined(separator: ", ")) + "}"
    }

    /// The same rows with an edit, or only in another order.
    private static func edited(_ rows: [Row], _ random: inout SeededGenerator) -> [Row] {
        var rows = rows
        let position = random.below(rows.count)
        switch random.below(5) {
        case 0: rows[position].conditions = [condition(&random)]
        case 1: rows[position].category = "nonRetryable"
        case 2: rows.remove(at: position)
        case 3: rows[position].conditions.append(condition(&random))
        default: break
        }
        for index in rows.indices { rows.swapAt(index, random.below(rows.count)) }
        return rows
    }

    private static func settings(_ random: inout SeededGenerator) -> (envelope: String, effect: String) {
        let success = ["", ", success: 0", ", success: [0, 9]", ", success: \"0..3\"", ", error: x"][random.below(5)]
        let code = random.below(4) == 0 ? "z.code" : "code"
        return ("data: data, code: \(code)\(success)", random.below(4) == 0 ? "once" : "keyed")
    }

    private static func text(_ rows: [Row], _ settings: (envelope: String, effect: String)) -> String {
        let errors = rows.map { row in
            "  \(row.name): {category: \(row.category), when: [\(row.conditions.joined(separator: ", "))]}"
        }
        return """
            errand: 1
            service: Sample
            servers: {production: https://api.sample.example}
            envelopes: {standard: {\(settings.envelope)}}
            errors:
            \(errors.joined(separator: "\n"))
            endpoints:
              ask: {
                post: /a, effect: \(settings.effect), envelope: standard, response: string,
                errors: [\(rows.map(\.name).joined(separator: ", "))]}

            """
    }

    /// Every response of the small world, with values at the paths of both envelopes.
    private static let everyResponse: [SampleResponse] = edges.flatMap { status in
        limits.flatMap { limit -> [SampleResponse] in
            var head = SampleResponse(status: status)
            head.headers["x-left"] = limit
            if status == 204 || status == 304 { return [head] }
            let ofText = ["a", "ab"].map { text in
                var response = head
                response.plainText = text
                return response
            }
            return ofText
                + codes.flatMap { code in
                    [nil, "1", "5"].flatMap { inner in
                        firsts.flatMap { first in
                            seconds.map { second in
                                var response = head
                                response.body[FieldPath(["code"])] = code
                                response.body[FieldPath(["z", "code"])] = inner
                                response.body[FieldPath(["x"])] = first
                                response.body[FieldPath(["y"])] = second
                                return response
                            }
                        }
                    }
                }
        }
    }
}

/// The meaning of a response by the functions of the runtime, without the index and the search of the tool.
struct ResponseModel {
    private let endpoint: ResolvedEndpoint
    private let contract: ResolvedContract
    private let envelope: EnvelopeDefinition?

    init(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) {
        self.endpoint = endpoint
        self.contract = contract
        envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
    }

    func meaning(of response: SampleResponse) -> String {
        let code = envelope?.code.flatMap { response.body[$0.value] } ?? ""
        let row = endpoint.table.table.row(status: response.status, code: code) { match in
            response.text(at: match.place, in: nil).map(match.pattern.matches) ?? false
        }
        if let row {
            let category = contract.error(named: row.verdict.name)?.category.value.rawValue ?? "outcome"
            let applied = row.applied(status: response.status, to: endpoint.request)
            return "\(row.verdict.name) \(category) \(endpoint.effect == .read && applied == .maybe ? .never : applied)"
        }
        var hasError = false
        if let error = envelope?.error?.value { hasError = response.body[error] != nil }
        let codes = envelope?.success.map(\.value) ?? []
        let isSuccess = !hasError && (codes.isEmpty || codes.contains { !code.isEmpty && $0.matches(code) })
        if (200..<300).contains(response.status), isSuccess { return "success" }
        let error = BuiltInError(
            status: response.status, usesSession: endpoint.session != .none, saysFailure: hasError || !code.isEmpty)
        let applied = error.applied(
            inResponse: response.status, to: endpoint.request, declared: nil, saysCarriedOut: false)
        return "\(error.rawValue) \(error.category.rawValue) \(applied)"
    }

    static func text(_ meaning: ResponseMeaning) -> String {
        guard let category = meaning.category, let applied = meaning.applied else { return meaning.name }
        return "\(meaning.name) \(category.rawValue) \(applied)"
    }
}
