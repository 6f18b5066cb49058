import Diagnostics

// The credentials of endpoints: which there are, and whether a request can carry them together.
extension Resolution {
    /// The alternatives of `defaults`, whose names are reported once and not for each endpoint.
    mutating func resolvedDefaultCredentials() -> [Located<CredentialAlternative>] {
        known(contract.defaults.settings.credentials)
    }

    /// The alternatives of an endpoint, with the names that there are. Those of `defaults` do not go to a place that gets none.
    ///
    /// - Parameter own: the alternatives that the endpoint itself has.
    mutating func resolvedCredentials(
        of endpoint: EndpointDefinition, own: [Located<CredentialAlternative>]
    ) -> [Located<CredentialAlternative>] {
        if endpoint.frame != nil { return [] }
        let alternatives = own.isEmpty ? defaultCredentials : known(own)
        // `none` alone.
        guard alternatives.contains(where: { !$0.value.names.isEmpty }) else { return [] }
        if let refusal = credentialRefusal(of: endpoint) {
            if let first = own.first {
                report(
                    .conflictingKeys, "`\(endpoint.name.value)` cannot carry credentials, because \(refusal.text)",
                    at: first.range, help: refusal.help)
            }
            return []
        }
        checkPlaces(of: alternatives, in: endpoint)
        return alternatives
    }

    /// Why a request cannot carry credentials.
    private func credentialRefusal(of endpoint: EndpointDefinition) -> (text: String, help: String)? {
        if case .http(_, let path) = endpoint.target, case .wholeURL = path.value {
            return ("its URL may be on any host", "remove `credentials`")
        }
        guard !sends(.credentials, in: endpoint), let role = endpoint.server?.value else { return nil }
        return (
            "the role `\(role)` does not send them",
            "write `credentials` under `sends` of the role, if they may go there"
        )
    }

    /// The alternatives with the names that are declared. A misspelled name counts as the one that it resembles.
    private mutating func known(_ written: [Located<CredentialAlternative>]) -> [Located<CredentialAlternative>] {
        reportDuplicates(written.map { $0.map(\.text) }, "alternative") { $0 }
        if let without = written.firstIndex(where: { $0.value.names.isEmpty }), without + 1 < written.count {
            let unreachable = written[without + 1]
            report(
                .conflictingKeys,
                "no request carries `\(unreachable.value.text)`, because `none` before it is always possible",
                at: unreachable.range, help: "write `none` last")
        }
        return written.compactMap { alternative in
            let names = alternative.value.names
            reportDuplicates(names.map { name in alternative.map { _ in name } }, "credential") { $0 }
            let found = names.compactMap { credential($0, of: alternative) }
            return found.count == names.count ? alternative.map { _ in CredentialAlternative(found) } : nil
        }
    }

    /// The declared name that is meant; nil if there is none.
    private mutating func credential(_ name: String, of alternative: Located<CredentialAlternative>) -> String? {
        if credentialIndex[name] != nil { return name }
        guard scope.canMiss(name) else { return nil }
        let help = "declare it under `credentials`"
        if alternative.value.names.count == 1 {
            let declared = contract.credentials
            return reportMissing(
                .unknownCredential, "credential", alternative.map { _ in name }, among: declared.map(\.name.value),
                help: help)
        }
        // The place is that of several names, so a fix would replace them all.
        report(.unknownCredential, "there is no credential `\(name)`", at: alternative.range, help: help)
        return nil
    }

    /// Reports a place in a request that has two values. Each credential is reported once.
    private mutating func checkPlaces(
        of alternatives: [Located<CredentialAlternative>], in endpoint: EndpointDefinition
    ) {
        let filled = filledPlaces(of: endpoint)
        for alternative in alternatives {
            var own: [String: String] = [:]
            for name in alternative.value.names {
                guard let credential = credentialIndex[name].map({ contract.credentials[$0] }) else { continue }
                let place = credential.placement.place
                let other = own.updateValue("the credential `\(name)`", forKey: place) ?? filled[place]
                guard let other, reportedCredentials.insert(credential.name.range).inserted else { continue }
                report(
                    .nameCollision,
                    "a request of `\(endpoint.name.value)` has \(other) in the place of the credential `\(name)`",
                    at: alternative.range, notes: [DiagnosticNote("the credential", at: credential.name.range)],
                    help: other == Self.sessionToken
                        ? "write `session: none` if the credential replaces the session, or give it another place"
                        : "give each a place of its own")
            }
        }
    }

    private static let sessionToken = "the session's token"

    /// What requests of an endpoint have beside credentials, by its place (`CredentialDefinition.Placement.place`).
    private func filledPlaces(of endpoint: EndpointDefinition) -> [String: String] {
        var filled: [String: String] = [:]
        let common = common(of: endpoint)
        for field in endpoint.headers + common.headers.map(\.field) {
            let name = field.declaredWireName?.value ?? field.name.value
            filled["header \(name.lowercased())"] = "the field `\(field.name.value)`"
        }
        for field in endpoint.cookies {
            filled["cookie \(field.declaredWireName?.value ?? field.name.value)"] = "the field `\(field.name.value)`"
        }
        let hasQueryParameters = endpoint.method?.sendsParametersInQuery == true
        let parameters = common.query + (hasQueryParameters ? common.parameters : [])
        let naming = contract.defaults.naming
        for field in endpoint.query + parameters.map(\.field) {
            let name = field.declaredWireName?.value ?? naming.wireName(of: field.name.value)
            filled["query \(name)"] = "the field `\(field.name.value)`"
        }
        if endpoint.effect == .keyed {
            switch endpoint.idempotencyKey?.place {
            case .header(let name)?: filled["header \(name.value.lowercased())"] = "the idempotency key"
            case nil: filled["header \(IdempotencyKeyDefinition.standardHeader.lowercased())"] = "the idempotency key"
            case .field?: break
            }
        }
        if sends(.signature, in: endpoint) {
            switch contract.signing?.placement.value {
            case .header(let name)?: filled["header \(name.lowercased())"] = "the signature"
            case .query(let name)?: filled["query \(name)"] = "the signature"
            case .body?, nil: break
            }
        }
        switch sessionPlacement(of: endpoint)?.value {
        case .header(let name, let prefix, _)?:
            filled["header \(name.lowercased())"] = Self.sessionToken
            if name.lowercased() == "cookie", prefix.hasSuffix("=") {
                filled["cookie \(prefix.dropLast())"] = Self.sessionToken
            }
        case .parameter(let name)? where hasQueryParameters: filled["query \(name)"] = Self.sessionToken
        default: break
        }
        return filled
    }
}
