import ContractModel
import MockServer

/// A request of a recording, and the endpoint that it is for.
struct RecordedRequest {
    /// The position of the endpoint in the contract.
    let endpoint: Int
    /// What is wrong with it, and what is odd.
    let check: ValueCheck

    /// Takes the endpoint whose input fits. Several endpoints with one path differ in their constants or in their required inputs.
    ///
    /// Nil without a candidate.
    init?(_ entry: RecordedEntry, of candidates: [ServiceTraffic.Candidate], in contract: ResolvedContract) {
        var best: (endpoint: Int, check: ValueCheck, faults: [Int])?
        for (match, path) in candidates {
            let endpoint = contract.endpoints[match.endpoint]
            var request = MockRequest(
                method: entry.method, path: path, query: entry.url?.query ?? "", headers: entry.headers)
            let content: RequestContent
            switch entry.body {
            case .none: content = RequestContent(request, of: endpoint)
            case .recorded(let bytes):
                request.body = bytes
                let read = RequestContent(request, of: endpoint, isRecorded: true)
                // Nothing shows that the beginning of a form is not all of it.
                let isForm = endpoint.body?.encoding == .form
                content = entry.isRequestCut && (read.problem != nil || isForm) ? .unrecorded : read
            case .pairs(let pairs): content = RequestContent(pairs: pairs)
            case .unrecorded: content = .unrecorded
            }
            let check = RequestCheck.run(recorded: request, content, match, of: endpoint, in: contract)
            if candidates.count == 1 {
                best = (match.endpoint, check, [])
                break
            }
            // The worst fault decides, and of equal ones the next.
            let faults = [
                check.problems.count, RequestCheck.differences(of: request, content, from: endpoint, in: contract),
                check.undeclared.count, check.oddities.count,
            ]
            if best.map({ faults.lexicographicallyPrecedes($0.faults) }) ?? true {
                best = (match.endpoint, check, faults)
            }
        }
        guard let best else { return nil }
        (endpoint, check) = (best.endpoint, best.check)
    }
}
