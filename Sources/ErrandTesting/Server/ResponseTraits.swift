import ErrandJSON
import ErrandRuntime

/// The traits that a decision table tests: the status, the code of the envelope, and scalars of the body.
struct ResponseTraits: Hashable {
    var status: Int
    var code = ""
    /// By their paths, with dots between the steps.
    var texts: [String: String] = [:]

    /// How each error and each outcome of an endpoint looks: what its first row names whose response no earlier row takes.
    static func all(_ endpoint: EndpointDescription) -> [Verdict: ResponseTraits] {
        var found: [Verdict: ResponseTraits] = [:]
        for row in endpoint.table.rows where row.isAboutResponse && found[row.verdict] == nil {
            // A response has no code if the envelope has no place for one.
            if row.codes != nil, endpoint.envelope.code == nil { continue }
            found[row.verdict] = candidates(row, endpoint).first { traits in
                let response = SimulatedResponse.refusal(traits, "", data: nil, endpoint)
                return Classifier.row(for: response, endpoint)?.verdict == row.verdict
            }
        }
        return found
    }

    /// One for each status that the row takes. Those that servers use come first; where the envelope has codes of its
    /// own, an error may well come with 200.
    private static func candidates(_ row: DecisionRow, _ endpoint: EndpointDescription) -> some Sequence<ResponseTraits>
    {
        var usual = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504]
        switch endpoint.envelope.success {
        case .codes, .codesWithoutError: usual.insert(200, at: 0)
        case .status, .withoutError: usual.append(200)
        }
        let code = row.codes?.example ?? ""
        let texts = Dictionary(row.body.map { ($0.path, $0.text) }) { first, _ in first }
        let named = row.statuses?.ranges.map(\.lowerBound) ?? []
        // A frame has no status, and counts as 200.
        let statuses = endpoint.frame == nil ? usual + (200...599).filter { !usual.contains($0) } + named : [200]
        return statuses.lazy.filter { row.statuses?.contains($0) ?? true }.map { status in
            ResponseTraits(status: status, code: code, texts: texts)
        }
    }
}
