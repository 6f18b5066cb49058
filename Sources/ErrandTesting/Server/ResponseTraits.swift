import ErrandJSON
import ErrandRuntime

/// What a decision table looks at: the status, the code of the envelope, and scalars of the body.
struct ResponseTraits: Hashable {
    var status: Int
    var code = ""
    /// By their paths, with dots between the steps.
    var texts: [String: String] = [:]

    /// How each error and each outcome of an endpoint looks, found by asking its decision table: every status is tried,
    /// and whatever code or text the table then asks for.
    static func all(_ endpoint: EndpointDescription) -> [Verdict: ResponseTraits] {
        var found: [Verdict: ResponseTraits] = [:]
        // Where the envelope has no code, no answer has one, whatever the table asks.
        let hasCode = endpoint.envelope.places?.code != nil
        for status in statuses(endpoint) {
            var candidates = [ResponseTraits(status: status)]
            var known = Set(candidates)
            var next = 0
            while next < candidates.count, next < maximumCandidates {
                let candidate = candidates[next]
                next += 1
                let (verdict, questions) = Rehearsal.questions(
                    of: endpoint, status: status, code: candidate.code, body: candidate.body)
                if verdict != .unmatched, found[verdict] == nil { found[verdict] = candidate }
                for question in questions.asked where hasCode || !question.isCode {
                    let refined = candidate.refined(by: question)
                    if known.insert(refined).inserted { candidates.append(refined) }
                }
            }
        }
        return found
    }

    /// Those first that servers use; where the envelope has codes of its own, an error may well come with 200.
    private static func statuses(_ endpoint: EndpointDescription) -> [Int] {
        var usual = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504]
        switch endpoint.envelope.success {
        case .codes, .codesWithoutError: usual.insert(200, at: 0)
        case .status, .withoutError: usual.append(200)
        }
        return usual + (200...599).filter { !usual.contains($0) }
    }

    /// A table with more rows than this asks for would be a very long one.
    private static let maximumCandidates = 2_000

    private var body: [UInt8] {
        var body = JSONValue.object(JSONObject())
        for (path, text) in texts { body.put(.string(text), at: JSONLocation(dotted: path).steps[...]) }
        return Array(body.description.utf8)
    }

    private func refined(by question: AnswerQuestions.Question) -> ResponseTraits {
        var signs = self
        switch question {
        case .code(let code): signs.code = code
        case .text(let text, at: let path): signs.texts[path] = text
        }
        return signs
    }
}

extension AnswerQuestions.Question {
    fileprivate var isCode: Bool {
        if case .code = self { true } else { false }
    }
}
