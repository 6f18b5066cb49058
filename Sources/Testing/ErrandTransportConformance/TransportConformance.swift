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

    /// One requirement for transports.
    public struct Check: Sendable {
        /// The check's name, such as `reset-after-request`.
        public let name: String
        /// The check's requirement.
        public let requirement: String
        /// The reason for the requirement: what would otherwise go wrong for a user.
        public let reason: String
        /// Whether the check measures the memory of the process (on Linux). Checks that run at the same time disturb it.
        public let measuresMemory: Bool
        private let attempt: @Sendable (TransportTrial) async throws -> Void

        init(
            _ name: String, _ requirement: String, because reason: String, measuresMemory: Bool = false,
            _ attempt: @escaping @Sendable (TransportTrial) async throws -> Void
        ) {
            self.name = name
            self.requirement = requirement
            self.reason = reason
            self.measuresMemory = measuresMemory
            self.attempt = attempt
        }

        /// Runs the check with a transport.
        ///
        /// - Returns: the transport's violations; empty if it conforms. The check always returns, even if the transport never
        ///   does.
        public func run(on transport: any Transport) async -> [Violation] {
            let trial = TransportTrial(transport)
            do {
                try await attempt(trial)
            } catch is TransportTrial.Abandoned {
                // The violation was already noted.
            } catch {
                trial.note("the check itself failed: \(error)")
            }
            return trial.seen.map { Violation(check: name, requirement: requirement, reason: reason, seen: $0) }
        }
    }

    /// A requirement that a transport did not meet.
    public struct Violation: Sendable, CustomStringConvertible {
        /// The name of the check.
        public let check: String
        public let requirement: String
        public let reason: String
        /// What the transport did.
        public let seen: String

        public var description: String { "\(check): \(seen)\n  required: \(requirement)\n  because: \(reason)" }
    }

    /// Runs a transport through all checks, one after the other.
    ///
    /// - Parameter skipped: the names of those that are left out.
    /// - Returns: the transport's violations; empty if it conforms.
    public static func run(on transport: any Transport, skipping skipped: Set<String> = []) async -> [Violation] {
        var violations: [Violation] = []
        for check in checks where !skipped.contains(check.name) { violations += await check.run(on: transport) }
        return violations
    }
}

extension TransportConformance.Check: CustomStringConvertible {
    public var description: String { name }
}
