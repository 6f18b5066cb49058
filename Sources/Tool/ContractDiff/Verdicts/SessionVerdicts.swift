import ContractModel

/// The verdicts of sessions, credentials and signatures.
enum SessionVerdicts {
    static let rules: [VerdictRule] = [
        .verdict(["contract.session"], [.added]) { change in
            // An endpoint whose session is optional takes a request without a token, as before.
            guard change.endpointPairs.contains(where: { $0.new.settings.session?.value == .required }) else {
                return .none
            }
            return ChangeVerdict(
                source: .warns("An app needs a login before it sends commands that require a session."),
                wire: .breaks("Apps from before this change send no token, and the server refuses them."),
                behavior: .breaks("These apps cannot log in, so their commands fail until they are updated."),
                direction: .oldApp)
        },
        .verdict(["contract.session"], [.removed]) { _ in
            ChangeVerdict(
                source: .breaks("The client has no session anymore."),
                wire: .breaks("Apps from after this change send no token to servers from before it."),
                direction: .newApp)
        },
        .verdict(
            ["session.header", "session.format", "session.parameter", "session.attach"]
        ) { change in
            ChangeVerdict(
                source: .none,
                wire: .breaks("Apps from before this change send the token where the server no longer looks for it."),
                behavior: .breaks("The server refuses these apps, and they ask their users to log in again and again."),
                direction: .both)
        },
        .verdict(["session.login", "session.token"], [.added]) { _ in
            .warning(
                "Apps from before this change begin a session with their own token, and apps from after it log in.")
        },
        .verdict(["session.login"]) { _ in
            ChangeVerdict(
                source: .warns("The login of the client takes other inputs."),
                wire: .breaks("Apps from before this change log in at the endpoint from before it."),
                behavior: .breaks("A login that fails ends the session, so users have to log in again."),
                direction: .oldApp)
        },
        .harmless(
            ["session.expiresIn", "session.refreshToken"], [.added],
            "The field of the login's response is compared itself, and the refresh has a change of its own."),
        // A response that no longer has the value is a change of its own.
        .verdict(["session.expiresIn"], [.removed]) { _ in
            .warning("Apps from after this change renew a token only after the server has refused it.", .newApp)
        },
        .verdict(["session.refreshToken"], [.removed]) { change in
            // Without a refresh, no request has the value. That is a change of its own.
            guard change.new.tree["session"]?["refresh"] != nil else { return .none }
            return .wire(
                "Apps from after this change renew their sessions without \(change.before), which servers from before it ask for.",
                .newApp)
        },
        .verdict(["session.token", "session.expiresIn", "session.refreshToken"]) { change in
            ChangeVerdict(
                wire: .breaks("Apps from before this change look for \(change.before) in the login's response."),
                behavior: .breaks("A login without it ends for these apps in a failure, or sooner than it should."),
                direction: .both)
        },
        .verdict(["session.refresh"], [.added]) { _ in
            .warning(
                "Apps from after this change renew their sessions at an endpoint that servers from before it may not have.",
                .newApp)
        },
        // An endpoint that is gone is a change of its own.
        .verdict(["session.refresh"], [.removed]) { _ in
            .behavior(
                "Apps from after this change do not renew their sessions, so their users log in again when a token ends.",
                .newApp
            ).ofAppAlone
        },
        .verdict(["session.refresh"]) { _ in
            .behavior(
                "Apps from before this change renew their sessions in another way, so users may have to log in again.",
                .oldApp)
        },
        .verdict(["session.logout"]) { _ in
            .warning(
                "Apps from before this change log out with the old request, and apps from after it with another one, or on the device alone."
            )
        },
        .verdict(
            ["session.identity", "identity.claim", "identity.from", "identity.at"]
        ) { _ in
            .behavior(
                "Apps from after this change may take a user for another one, and end the commands that wait for a login.",
                .newApp
            ).ofAppAlone
        },
        .verdict(["session.from"]) { _ in
            ChangeVerdict(
                source: .warns("An app has to make the client with the session of another contract's client."))
        },
        .harmless(["contract.credentials.*"], [.added], "No request carries it before an endpoint names it."),
        .verdict(["contract.credentials.*"], [.renamed]) { change in
            change.renamed { "The credential \($0) is called \($1) in Swift." }
        },
        .verdict(["contract.credentials.*"], [.removed]) { change in
            .source("An app that passes the credential \(change.name) no longer compiles.")
        },
        .verdict(
            [
                "contract.credentials.*", "credential.header", "credential.format", "credential.query",
                "credential.cookie",
            ]
        ) { _ in
            .wire(
                "Apps from before this change send the credential where the server no longer looks for it.", .both)
        },
        .verdict(["contract.signing"], [.added]) { _ in
            ChangeVerdict(
                source: .breaks("An app has to pass the key of the signature when it makes the client."),
                wire: .breaks("Apps from before this change do not sign their requests, and the server refuses them."),
                direction: .oldApp)
        },
        .verdict(["contract.signing"], [.removed]) { _ in
            ChangeVerdict(
                source: .breaks("An app that passes the key of the signature no longer compiles."),
                wire: .breaks("Apps from after this change do not sign their requests for servers from before it."),
                direction: .newApp)
        },
        .verdict(["signing.key"]) { _ in
            .source("The key of the signature has another name in Swift.")
        },
        .verdict(
            [
                "signing.algorithm", "signing.over", "signing.append", "signing.skipEmpty", "signing.trim",
                "signing.encode", "signing.case", "signing.headers.*", "signing.into", "signing.send",
                "signingPlacement.header", "signingPlacement.query", "signingPlacement.body",
            ]
        ) { _ in
            .wire(
                "Apps from before this change sign their requests in the old way, and the server refuses them.", .both)
        },
    ]
}
