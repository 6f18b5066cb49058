import Diagnostics

// What no outbox can keep.
extension Resolution {
    mutating func checkDurable(of endpoint: EndpointDefinition) {
        guard let durable = endpoint.durable, durable.value.isKept else { return }
        let name = endpoint.name.value
        if endpoint.delivery?.value == .stream {
            report(
                .durableNotPossible, "`\(name)` is a stream, and a later process can't continue it", at: durable.range,
                notes: endpoint.delivery.map { [DiagnosticNote("the stream", at: $0.range)] } ?? [],
                help: "remove `durable`")
        }
        guard let session = contract.session else { return }
        let roles = [
            (session.login, "starts the session"), (session.refresh, "renews the session"),
            (session.logout, "ends the session"), (session.attach, "presents the token"),
        ]
        for (role, what) in roles where role?.value == name {
            report(
                .durableNotPossible, "`\(name)` \(what), so a later process must not send it", at: durable.range,
                help: "remove `durable`")
        }
    }
}
