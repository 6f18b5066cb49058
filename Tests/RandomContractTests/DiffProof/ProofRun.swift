import ContractModel

/// Runs one edit, and holds each column of its verdict against what is seen: each command of both clients, with both services, as a
/// success and with each failure.
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

    /// What the runs say of each column.
    struct Result {
        /// The first difference that a column excludes; nil if it excludes none.
        fileprivate(set) var contradictions: [ProofColumn: String] = [:]
        /// The first difference that shows a break.
        fileprivate(set) var shown: [ProofColumn: String] = [:]

        /// Notes a difference, if it is the first of its column.
        fileprivate mutating func note(_ text: @autoclosure () -> String?, of column: ProofColumn, _ pair: ProofPair) {
            switch pair.claim(column) {
            case .safe? where contradictions[column] == nil: contradictions[column] = text()
            case .breaks? where shown[column] == nil: shown[column] = text()
            default: break
            }
        }
    }

    func result() throws -> Result {
        var result = Result()
        for (before, after) in pair.endpoints {
            guard let before else { continue }
            let others = after.map(newServers.usual.failures) ?? []
            let failures = oldServers.usual.failures(at: before).filter(others.contains)
            let scenarios =
                [
                    Scenario(), Scenario(inputs: .least), Scenario(isLeast: true), Scenario(inputs: .pages),
                ] + failures.map { Scenario(failure: $0) }
            for scenario in scenarios where hasOpenClaim(result) {
                try run(scenario, before, after, &result)
            }
            for scenario in rarer(failures) where hasOpenBreak(result) {
                try run(scenario, before, after, &result)
            }
            guard let after else { continue }
            for column in ProofColumn.allCases where isOpenBreak(column, result) {
                result.shown[column] = try lostDifference(before, after, column).map { "\(before), \($0)" }
            }
        }
        return result
    }

    private func run(_ scenario: Scenario, _ before: String, _ after: String?, _ result: inout Result) throws {
        // A break that was shown needs no second proof, and the behavior of both versions is that of each with its own service.
        let isMixed = hasOpenBreak(result) || pair.claim(.wire) == .safe
        guard let runs = try Runs(self, before, after, scenario, isMixed: isMixed) else { return }
        for column in ProofColumn.allCases {
            result.note(
                runs.difference(in: column, pair).map { "\(before), \(scenario.name): \($0)" }, of: column, pair)
        }
    }

    /// Whether a column promises something that a further run can contradict or show.
    private func hasOpenClaim(_ result: Result) -> Bool {
        hasOpenBreak(result) || ProofColumn.allCases.contains { pair.claim($0) == .safe }
    }

    private func hasOpenBreak(_ result: Result) -> Bool {
        ProofColumn.allCases.contains { isOpenBreak($0, result) }
    }

    private func isOpenBreak(_ column: ProofColumn, _ result: Result) -> Bool {
        pair.claim(column) == .breaks && result.shown[column] == nil
    }

    /// What shows a break that no usual failure shows: failures that a new login does not end, and their data without what a server may
    /// leave out.
    private func rarer(_ failures: [String]) -> [Scenario] {
        failures.flatMap { [Scenario(failure: $0, stays: true), Scenario(failure: $0, isLeast: true)] }
    }

    // MARK: What both versions have

    /// The runs of one command in one scenario: each app with each service.
    private struct Runs {
        /// The old app with the old service, and with the new one.
        let a: Observation
        let b: Observation?
        /// The new app with the old service, and with the new one.
        let c: Observation?
        let d: Observation?
        private let isOtherEndpoint: Bool
        /// Whether each version has an answer of its own endpoint.
        private let reachesEndpoints: Bool

        /// Nil if the old app has no such command.
        ///
        /// - Parameter isMixed: whether the apps call the services of the other version, too.
        init?(_ run: ProofRun, _ before: String, _ after: String?, _ scenario: Scenario, isMixed: Bool) throws {
            guard let a = try run.observeOldPair(before, scenario) else { return nil }
            self.a = a
            let d = try after.flatMap { try run.observe(run.new, run.newServers, $0, $0, scenario) }
            b = isMixed ? try run.observe(run.old, run.newServers, before, after ?? before, scenario) : nil
            c =
                isMixed && d != nil
                ? try after.flatMap { try run.observe(run.new, run.oldServers, $0, before, scenario) } : nil
            isOtherEndpoint = after != nil && after != before
            reachesEndpoints = a.reaches(before) && after.flatMap { d?.reaches($0) } != false
            self.d = d
        }

        /// The first difference that a column is about.
        func difference(in column: ProofColumn, _ pair: ProofPair) -> String? {
            switch (column, pair.claim(.wire), pair.claim(.behavior)) {
            // Where nothing else changes, everything counts.
            case (.wire, .breaks?, .safe?): return everywhere { Difference($0.whole, $1.whole) }
            case (.wire, .breaks?, _): return everywhere(Difference.ofExchange)
            case (.wire, .safe?, .safe?): return inService(pair)
            // An app that does something else is understood all the same.
            case (.wire, .safe?, _): return misunderstanding
            case (.behavior, _, .safe?) where !reachesEndpoints: return nil
            case (.behavior, _, .safe?): return d.flatMap { Difference(a.forUser, $0.forUser) }.map(Self.ofBoth)
            // An app that is understood can ask for something else.
            case (.behavior, .safe?, .breaks?): return everywhere { Difference($0.asked, $1.asked) }
            case (.behavior, _, .breaks?): return everywhere { Difference($0.forApp, $1.forApp) }
            default: return nil
            }
        }

        private func everywhere(_ compare: (Observation, Observation) -> Difference?) -> String? {
            b.flatMap { compare(a, $0) }.map(Self.ofOldApp)
                ?? c.flatMap { c in d.flatMap { compare(c, $0) } }.map(Self.ofNewApp)
                ?? d.flatMap { compare(a, $0) }.map(Self.ofBoth)
        }

        /// What one app gets from one service and not from the other.
        private func inService(_ pair: ProofPair) -> String? {
            let hasOtherValues = isOtherEndpoint || ProofLimits.changesValues(pair.edit)
            func shown(_ observation: Observation) -> String {
                hasOtherValues ? observation.forAppWithoutValue : observation.forApp
            }
            return b.flatMap { Difference(shown(a), shown($0)) }.map(Self.ofOldApp)
                ?? c.flatMap { c in d.flatMap { Difference(c.forUser, $0.forUser) } }.map(Self.ofNewApp)
        }

        /// What an app and a service of different versions do not understand, and those of one version do.
        private var misunderstanding: String? {
            func text(_ one: Observation, _ other: Observation) -> Difference? {
                other.misunderstandings.isSubset(of: one.misunderstandings) ? nil : Difference(one.whole, other.whole)
            }
            return b.flatMap { text(a, $0) }.map(Self.ofOldApp)
                ?? c.flatMap { c in d.flatMap { text($0, c) } }.map(Self.ofNewApp)
        }

        private static func ofOldApp(_ difference: Difference) -> String {
            "the old app with the old server, and with the new one\(difference.text)"
        }

        private static func ofNewApp(_ difference: Difference) -> String {
            "the new app with the old server, and with the new one\(difference.text)"
        }

        private static func ofBoth(_ difference: Difference) -> String {
            "the old app with the old server, and the new app with the new one\(difference.text)"
        }
    }

    // MARK: What only one version has

    /// The difference that a value, or an outcome, of only one version makes.
    private func lostDifference(_ before: String, _ after: String, _ column: ProofColumn) throws -> String? {
        let usual = Scenario()
        let lost = Scenario(inputs: .focus(pair.number))
        func noticed(_ observation: Observation) -> String {
            column == .wire ? observation.judged : observation.forUser
        }
        if let a = try observe(old, oldServers, before, before, lost),
            let b = try observe(old, newServers, before, after, lost),
            let difference = Difference(noticed(a), noticed(b))
        {
            return "\(lost.name): the old app with the old server, and with the new one\(difference.text)"
        }
        // What the app sends is the same, so only the response counts.
        if let focusServer, case let servers = (usual: focusServer, least: focusServer),
            let a = try observe(old, servers, before, before, usual),
            let c = try observe(new, servers, after, before, usual), !a.isRefused, !c.isRefused,
            let difference = column == .wire ? Difference(a.forApp, c.forApp) : Difference(a.forUser, c.forUser)
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

    /// The old app with the old service, which are the same for each edit of a contract.
    private func observeOldPair(_ endpoint: String, _ scenario: Scenario) throws -> Observation? {
        try program.remembered("\(old.number) \(endpoint) \(scenario.name)") {
            try observe(old, oldServers, endpoint, endpoint, scenario)
        }
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
