import ContractModel

/// The verdicts of a persistent connection, its frames and its events.
enum ConnectionVerdicts {
    static let rules: [VerdictRule] = [
        .verdict(["contract.connection"]) { _ in
            ChangeVerdict(
                source: .breaks("The client needs another transport."),
                wire: .breaks("One side sends HTTP requests, and the other frames over a connection."),
                direction: .both)
        },
        .verdict(["connection.reply"]) { change in
            guard
                change.endpointPairs.contains(where: { old, new in
                    guard let before = old.frame, let after = new.frame else { return false }
                    return change.old.reply(to: before) != change.new.reply(to: after)
                })
            else { return .none }
            return .wire("Apps from before this change wait for replies of the old kind.", .oldApp)
        },
        .verdict(
            [
                "connection.subprotocol", "connection.kind", "connection.correlation", "connection.payload",
                "connection.failure", "correlation.member", "correlation.as",
            ]
        ) { _ in
            .wire("Apps from before this change send and read the frames of the old form.", .both)
        },
        .verdict(["connection.ping", "ping.every", "ping.timeout"]) { _ in
            .warning("Apps from before this change keep their old pings, and find a lost connection sooner or later.")
        },
        .verdict(["connection.unused"]) { _ in
            .warning("Apps from before this change keep an unused connection for the old time.", .oldApp)
        },
        .verdict(["connection.reconnect", "reconnect.base", "reconnect.cap"]) { _ in
            .warning(
                "Apps from before this change open a lost connection again after their old pauses.",
                .oldApp)
        },
        .verdict(["connection.limits", "limits.pending", "limits.buffer"]) { _ in
            .warning("Apps from before this change keep their old bounds of what waits on the connection.", .oldApp)
        },
        .harmless(["contract.events.*"], [.added], "Apps from before this change drop a frame that they do not know."),
        .verdict(["contract.events.*"], [.removed]) { change in
            ChangeVerdict(
                source: .breaks("The client has no event \(change.name) anymore."),
                behavior: .breaks("Apps from before this change wait for an event that does not come."),
                direction: .oldApp)
        },
        .verdict(["contract.events.*"], [.renamed]) { change in
            change.renamed { "The event \($0) is called \($1) in Swift." }
        },
        .unlisted(["contract.events.*"], [.changed], "Each key of an event is compared."),
        .verdict(["event.frame"]) { change in
            .wire("Apps from before this change wait for frames of the kind \(change.before).", .oldApp)
        },
        .unlisted(["event.doc"], "Only people read it."),
    ]
}

extension ContractVersion {
    /// The kind of the replies to a frame.
    func reply(to frame: FrameTarget) -> String {
        contract.connection?.reply(to: frame) ?? frame.reply?.value ?? frame.kind.value
    }
}
