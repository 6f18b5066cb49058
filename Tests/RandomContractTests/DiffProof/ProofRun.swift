import ContractModel

/// Runs one edit: each command of both clients, with both services, as a success and with each failure.
struct ProofRun {
    let pair: ProofPair
    let program: ProofProgram
    let old: (number: Int, client: ProofClient)
    let new: (number: Int, client: ProofClient)
    private let oldServers: (usual: ProofServer, least: ProofServer)
    private let newServers: (usual: ProofServer, least: ProofServer)
    /// The old service, which sends only the values that the edit takes away.
    private let focusServer: ProofServer?

    init(
        pair: ProofPair, program: ProofProgram, old: (number: Int, client: ProofClient),
        new: (number: Int, client: ProofClient)
    ) {
        self.pair = pair
        self.program = program
        self.old = old
        self.new = new
        oldServers = (ProofServer(pair.old.resolved), ProofServer(pair.old.resolved, isLeast: true))
        newServers = (ProofServer(pair.new), ProofServer(pair.new, isLeast: true))
        focusServer = pair.focus.map { ProofServer($0) }
    }

    /// What happens to a command.
    private struct Scenario {
        var failure: String?
        var inputs = ProofClient.Command.Inputs.all
        /// Whether the server leaves out what it may.
        var isLeast = false
        /// Whether the failure is there again when the client tries again.
        var stays = false

        var name: String {
            let inputs =
                switch inputs {
                case .all: ""
                case .least: ", without what an app may leave out"
                case .pages: ", page by page"
                case .focus: ", with what the edit takes away"
                }
            let result = (failure ?? "success") + (stays ? " each time" : "")
            return result + inputs + (isLeast ? ", without what a server may leave out" : "")
        }
    }

    /// The first difference that the verdict excludes, or that shows a break. Nil if there is none.
    func difference() throws -> String? {
        for (before, after) in pair.endpoints {
            guard let before else { continue }
            let others = after.map(newServers.usual.failures) ?? []
            let failures = oldServers.usual.failures(at: before).filter(others.contains)
            let scenarios =
                [
                    Scenario(), Scenario(inputs: .least), Scenario(isLeast: true), Scenario(inputs: .pages),
                ] + failures.map { Scenario(failure: $0) } + rarer(failures)
            for scenario in scenarios {
                if let text = try difference(before, after, scenario) { return "\(before), \(scenario.name): \(text)" }
            }
            if pair.claim == .breaks, let after, let text = try lostDifference(before, after) {
                return "\(before), \(text)"
            }
        }
        return nil
    }

    /// What shows a break that no usual failure shows: failures that a new login does not end, and their data without what a server may
    /// leave out.
    private func rarer(_ failures: [String]) -> [Scenario] {
        guard pair.claim == .breaks else { return [] }
        return failures.flatMap { [Scenario(failure: $0, stays: true), Scenario(failure: $0, isLeast: true)] }
    }

    // MARK: What only one version has

    /// The difference that a value, or an outcome, of only one version makes.
    private func lostDifference(_ before: String, _ after: String) throws -> String? {
        let usual = Scenario()
        let lost = Scenario(inputs: .focus(pair.number))
        if let a = try observe(old, oldServers, before, before, lost),
            let b = try observe(old, newServers, before, after, lost), let difference = Difference(a.judged, b.judged)
        {
            return "\(lost.name): the old app with the old server, and with the new one\(difference.text)"
        }
        // What the app sends is the same, so only the response counts.
        if let focusServer, case let servers = (usual: focusServer, least: focusServer),
            let a = try observe(old, servers, before, before, usual),
            let c = try observe(new, servers, after, before, usual), !a.isRefused, !c.isRefused,
            let difference = Difference(a.forUser, c.forUser)
        {
            return "a response \(lost.name): the old app, and the new one\(difference.text)"
        }
        func outcomes(_ name: String, _ contract: ResolvedContract) -> [String] {
            contract.endpoints.first { $0.name.value == name }?.outcomes.map(\.name.value) ?? []
        }
        let (earlier, later) = (outcomes(before, pair.old.resolved), outcomes(after, pair.new))
        for outcome in later where !earlier.contains(outcome) {
            let scenario = Scenario(failure: outcome)
            if let b = try observe(old, newServers, before, after, scenario),
                let d = try observe(new, newServers, after, after, scenario),
                let difference = Difference(b.forApp, d.forApp)
            {
                return "\(outcome): the old app with the new server, and the new app with it\(difference.text)"
            }
        }
        for outcome in earlier where !later.contains(outcome) {
            let scenario = Scenario(failure: outcome)
            if let a = try observe(old, oldServers, before, before, scenario),
                let c = try observe(new, oldServers, after, before, scenario),
                let difference = Difference(a.forApp, c.forApp)
            {
                return "\(outcome): the old app with the old server, and the new app with it\(difference.text)"
            }
        }
        return nil
    }

    private func difference(_ before: String, _ after: String?, _ scenario: Scenario) throws -> String? {
        let serverEndpoint = after ?? before
        let isExact = pair.claim == .breaks
        guard let a = try observe(old, oldServers, before, before, scenario) else { return nil }
        if let b = try observe(old, newServers, before, serverEndpoint, scenario) {
            let hasOtherValues = before != serverEndpoint || ProofLimits.changesValues(pair.edit)
            func shown(_ observation: Observation) -> String {
                if isExact { return observation.whole }
                return hasOtherValues ? observation.forAppWithoutValue : observation.forApp
            }
            if let difference = Difference(shown(a), shown(b)) {
                return "the old app with the old server, and with the new one\(difference.text)"
            }
        }
        guard let after, let d = try observe(new, newServers, after, after, scenario) else { return nil }
        if let c = try observe(new, oldServers, after, before, scenario),
            let difference = isExact ? Difference(c.whole, d.whole) : Difference(c.forUser, d.forUser)
        {
            return "the new app with the old server, and with the new one\(difference.text)"
        }
        let difference = isExact ? Difference(a.whole, d.whole) : Difference(a.forUser, d.forUser)
        return difference.map { "the old app with the old server, and the new app with the new one\($0.text)" }
    }

    private func observe(
        _ app: (number: Int, client: ProofClient), _ servers: (usual: ProofServer, least: ProofServer),
        _ endpoint: String, _ onServer: String, _ scenario: Scenario
    ) throws -> Observation? {
        let command = app.client.commands.firstIndex { $0.endpoint == endpoint && $0.inputs == scenario.inputs }
        guard let command else { return nil }
        return try program.observe(
            client: app.number, command: command, seed: 1, server: scenario.isLeast ? servers.least : servers.usual,
            endpoint: onServer, failure: scenario.failure, stays: scenario.stays)
    }
}
