import ErrandRuntime
import ErrandTesting
import Testing

/// Promise 20: a command succeeds by an error only if an attempt of it before may have been carried out.
@Suite(.serialized) struct DoneAlreadyPromiseTests {
    /// Several clients delete the same things over a bad network. The server says `gone` to each request for a thing that it has deleted
    /// before, for any of the clients. What must follow is read from the attempts alone.
    @Test func onlyAnOpenAttemptMakesASuccessOfAnError() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("20 no first attempt is settled by an error, and every repeated one", seeds: 1_000) {
            simulation in
            let chronicle = CommandChronicle()
            let depot = Depot(on: simulation.makeDispatcher(observers: [chronicle]))
            // A page with status 200 would be a success of a command without a payload. What a redirect leaves open is not to be seen in
            // an attempt.
            let faults = FaultPlan.Fault.allCases.filter { $0 != .garbage && $0 != .moved }
            simulation.server.faults = FaultPlan(rate: 0.6, of: faults)
            let results = await simulation.concurrently(3) { number in
                await depot.result(of: Depot.Remove(number: number % 2))
            }
            let done = simulation.server.carriedOut(Depot.Remove.self).map(\.url)
            var finding = PromiseRun.Finding(cases: results.count)
            finding.expect(Set(done).count == done.count, "removed twice")
            for (index, result) in results.enumerated() {
                guard case .success = result else { continue }
                finding.expect(done.contains { $0.hasSuffix("/\((index + 1) % 2)") }, "a success without effect")
            }
            for events in Dictionary(grouping: chronicle.events, by: \.command.id).values {
                if let broken = Self.brokenRule(events) { finding.expect(false, "\(broken): \(events)") }
            }
            return finding
        }
    }

    /// What is wrong with the end of a command; nil if nothing is.
    private static func brokenRule(_ events: [CommandEvent]) -> String? {
        var attempts: [CommandEvent.AttemptResult] = []
        for event in events {
            switch event.kind {
            case .attemptEnded(_, let result): attempts.append(result)
            case .settled(let settlement):
                guard attempts.last?.error == "gone" else {
                    return settlement.doneAlready == nil ? nil : "done already without a word of the server"
                }
                let isOpen = attempts.dropLast().contains(where: Self.mayHaveBeenCarriedOut)
                if isOpen != (settlement.doneAlready == "gone") {
                    return isOpen ? "a repeated attempt is not settled" : "a first attempt is settled"
                }
                if case .success = settlement.result { return isOpen ? nil : "a success without an open attempt" }
                return isOpen ? "a settled command fails" : nil
            default: break
            }
        }
        return "it has no end"
    }

    /// Whether the end of an attempt leaves open what the server did: no response came to what was sent, or one that may be of a proxy.
    private static func mayHaveBeenCarriedOut(_ attempt: CommandEvent.AttemptResult) -> Bool {
        switch attempt.evidence {
        case .notSent, .unprocessed: false
        case .sent: true
        case .responded: attempt.status.map { !(400..<500).contains($0) || [404, 408, 410, 412].contains($0) } ?? false
        }
    }
}

/// A service that knows what it has removed.
private struct Depot: ServiceClient {
    var binding: ServiceBinding

    init(on dispatcher: Dispatcher) {
        binding = ServiceBinding(
            Depot.service, server: "https://depot.example", on: dispatcher, session: Session())
    }

    static let service = ServiceDescription(
        name: "Depot", version: "1",
        errors: [
            ErrorDescription("gone", .nonRetryable, settles: .afterOpenAttempt), ErrorDescription("broken", .retryable),
        ])

    struct Remove: Command {
        typealias Service = Depot
        typealias Failure = CommandFault
        typealias Response = Void
        // An internal error passes, so that there is a next attempt after it.
        static let endpoint = EndpointDescription(
            Depot.service, "remove", .delete, effect: .idempotent, retry: RetryRule(attempts: 5), response: .none,
            table: [
                .error("gone", isEndpointSpecific: true, status: 410), .error("broken", status: 500),
            ])
        var number: Int
        func encode(into request: inout RequestEncoder) {
            request.path("/things/")
            request.segment(number)
        }
    }
}
