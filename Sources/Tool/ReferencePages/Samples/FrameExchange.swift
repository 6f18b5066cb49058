import ContractModel
import JSONTree
import MockServer

/// The frame of an endpoint over a connection, and its reply.
struct FrameExchange {
    let request: String
    let reply: String?
    /// What the client does with the frame, and what its words stand for.
    let remarks: [String]

    /// Nil for an endpoint over HTTP.
    init?(_ contract: ResolvedContract, _ endpoint: ResolvedEndpoint) {
        let sample = RequestSample(contract, seed: 0, token: "TOKEN", refresh: "REFRESH", completesExamples: false)
        let example = endpoint.definition.examples.lazy.compactMap(\.request).first
        guard let (message, standIns) = sample.frame(of: endpoint, example: example) else { return nil }
        request = String(message.lines.dropLast())
        let reply = ResponseSample(contract, completesExamples: false).frame(of: endpoint)
        self.reply = reply.map { String($0.lines.dropLast()) }
        var remarks = RequestSample.StandIn.allCases.filter(standIns.contains).map(CurlSample.remark)
        switch endpoint.delivery {
        case .none: remarks.append("the server does not reply to it")
        case .reply: remarks.append("the reply has the same id")
        case .stream: remarks.append("each element is a frame with the same id, such as this one")
        }
        self.remarks = remarks
    }
}
