import ContractModel
import Diagnostics

/// The features of the contract language that generated code does not support yet. Each one is reported.
enum UnsupportedFeatures {
    static func findings(in contract: ResolvedContract) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for endpoint in contract.endpoints {
            let range = endpoint.name.range
            if endpoint.delivery == .stream, let what = refusedStream(endpoint, contract) {
                found.append(finding("delivery: stream", what, range))
            }
            if endpoint.delivery == .none, endpoint.method != nil { found.append(finding("delivery: none", "commands without a reply", range)) }
            if endpoint.isDurable { found.append(finding("durable", "durable commands", range)) }
        }
        return found
    }

    /// The part of a stream that cannot be generated; nil if all of it can.
    private static func refusedStream(_ endpoint: ResolvedEndpoint, _ contract: ResolvedContract) -> String? {
        // A frame is a finding of its own.
        guard endpoint.method != nil else { return nil }
        switch endpoint.response.value {
        case .none, .bytes: return "streams of elements without a type"
        case .type, .fields: break
        }
        if !endpoint.outcomes.isEmpty { return "streams with outcomes" }
        if endpoint.definition.pagination != nil { return "streams with pages" }
        let name = endpoint.name.value
        if let session = contract.session, [session.login, session.refresh, session.logout].contains(name) {
            return "sessions that begin or end with a stream"
        }
        let isConfirming = contract.endpoints.contains { $0.confirm?.endpoint.value == name }
        return isConfirming ? "confirmations by a stream" : nil
    }

    private static func finding(_ key: String, _ what: String, _ range: SourceRange) -> Diagnostic {
        Diagnostic(
            rule: .featureNotYetGenerated,
            message: "this version of Errand cannot generate \(what) yet, so `\(key)` is not supported",
            at: range,
            help: "remove `\(key)` until a later version supports it"
        )
    }
}
