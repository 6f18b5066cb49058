import Diagnostics

// Which commands cannot share a request.
extension Resolution {
    mutating func checkShare(of endpoint: EndpointDefinition) {
        guard let share = endpoint.share, share.value else { return }
        let name = endpoint.name.value
        let session = contract.session
        let roles = [
            (session?.login, "starts the session"), (session?.refresh, "renews the session"),
            (session?.logout, "ends the session"),
        ]
        if let role = roles.first(where: { $0.0?.value == name }) {
            report(
                .shareNotPossible, "`\(name)` \(role.1), so two users could get one response",
                at: share.range, help: "remove `share`")
        } else if endpoint.effect != .read {
            let effect = endpoint.effect.rawValue
            report(
                .shareNotPossible, "`\(name)` has the effect `\(effect)`, and each write has to reach the server",
                at: share.range,
                notes: endpoint.declaredEffect.map { [DiagnosticNote("the effect", at: $0.range)] } ?? [],
                help: "remove `share`, or write `effect: read` if the request changes nothing")
        } else if endpoint.delivery?.value == .stream {
            report(
                .shareNotPossible, "`\(name)` is a stream, and each caller reads its elements at its own pace",
                at: share.range, notes: endpoint.delivery.map { [DiagnosticNote("the stream", at: $0.range)] } ?? [],
                help: "remove `share`")
        } else if let pagination = endpoint.pagination {
            report(
                .shareNotPossible, "`\(name)` has pages, and each page belongs to the walk that asks for it",
                at: share.range, notes: [DiagnosticNote("the pages", at: pagination.range)], help: "remove `share`")
        }
    }
}
