public import ErrandRuntime

/// The requirements that the pipeline's promises place on a transport, as a suite of checks for any transport and any test
/// framework.
///
///     @Test(arguments: TransportConformance.checks)
///     func conforms(_ check: TransportConformance.Check) async {
///         for violation in await check.run(on: MyTransport()) { Issue.record("\(violation)") }
///     }
///
/// Each check brings its own server, on a raw socket of this machine. The server does exactly what the check needs to its
/// connections: it resets them, stalls, or sends half a response. The transport is used unchanged, over `http`.
///
/// The test that runs the suite names the checks that a transport is known to fail, with the reason. A failure of such a check
/// is expected, and its success is reported.
public enum TransportConformance {
    /// All checks, in the order in which one would read them.
    public static let checks: [Check] =
        answerChecks + bodyChecks + codingChecks + requestChecks + evidenceChecks + connectionChecks + redirectChecks
        + malformedChecks
        + limitChecks
        + streamChecks + timeChecks + cancellationChecks + stateChecks + concurrencyChecks

    /// One thing that a transport has to hold.
    public struct Check: Sendable {
        /// The check's name, such as `reset-after-request`.
        public let name: String
        /// The check's requirement.
        public let demand: String
        /// Why that is demanded: what goes wrong for a user otherwise.
        public let reason: String
        /// Whether it measures how much memory the process takes (on Linux), which others that run at the same time disturb.
        public let measuresMemory: Bool
        private let attempt: @Sendable (TransportTrial) async throws -> Void

        init(
            _ name: String, _ demand: String, because reason: String, measuresMemory: Bool = false,
            _ attempt: @escaping @Sendable (TransportTrial) async throws -> Void
        ) {
            self.name = name
            self.demand = demand
            self.reason = reason
            self.measuresMemory = measuresMemory
            self.attempt = attempt
        }

        /// Tries a transport.
        ///
        /// - Returns: what it did that it must not; empty if it conforms. It always returns, also where the transport
        ///   never does.
        public func run(on transport: any Transport) async -> [Violation] {
            let trial = TransportTrial(transport)
            do {
                try await attempt(trial)
            } catch is TransportTrial.Abandoned {
                // It has been said why.
            } catch {
                trial.note("the check itself failed: \(error)")
            }
            return trial.seen.map { Violation(check: name, demand: demand, reason: reason, seen: $0) }
        }
    }

    /// That a transport did not do what a check demands.
    public struct Violation: Sendable, CustomStringConvertible {
        /// The name of the check.
        public let check: String
        public let demand: String
        public let reason: String
        /// What happened in place of it.
        public let seen: String

        public var description: String { "\(check): \(seen)\n  demanded: \(demand)\n  because: \(reason)" }
    }

    /// Runs a transport through all checks, one after the other.
    ///
    /// - Parameter skipped: the names of those that are left out.
    /// - Returns: what it did that it must not; empty if it conforms.
    public static func run(on transport: any Transport, skipping skipped: Set<String> = []) async -> [Violation] {
        var violations: [Violation] = []
        for check in checks where !skipped.contains(check.name) { violations += await check.run(on: transport) }
        return violations
    }
}

extension TransportConformance.Check: CustomStringConvertible {
    public var description: String { name }
}
