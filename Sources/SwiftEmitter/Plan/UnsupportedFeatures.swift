import ContractModel
import Diagnostics

/// What the contract language knows and generated code cannot do yet. Nothing of it is left out silently.
enum UnsupportedFeatures {
    static func findings(in contract: ResolvedContract) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for endpoint in contract.endpoints {
            let range = endpoint.name.range
            if case .frame(let frame) = endpoint.target {
                found.append(finding("frame", "a message transport", frame.range))
            }
            if endpoint.delivery == .stream { found.append(finding("delivery: stream", "streams", range)) }
            if endpoint.delivery == .none { found.append(finding("delivery: none", "commands without a reply", range)) }
            if endpoint.isDurable { found.append(finding("durable", "durable commands", range)) }
        }
        return found
    }

    private static func finding(_ key: String, _ what: String, _ range: SourceRange) -> Diagnostic {
        Diagnostic(
            rule: .featureNotYetGenerated,
            message: "`\(key)` is part of the language, and this version of Errand cannot generate \(what) yet",
            at: range,
            help: "remove `\(key)` until a later version supports it"
        )
    }
}
