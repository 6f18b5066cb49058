#if Observability
import CoreMetrics
import ErrandRuntime

/// Measures commands, their attempts and what they wait for.
struct CommandMetrics: Sendable {
    let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) { self.factory = factory }

    func observe(_ event: CommandEvent) {
        let command = event.command.fields
        switch event.kind {
        case .queued: count("errand.command.active", 1, command)
        case .waiting: return
        case .resumed(let wait, let time): record("errand.wait.duration", time, command + wait.fields)
        // Nothing was sent for these: the command that they share the request of has measured it.
        case .attemptStarted(let attempt) where attempt.isShared: return
        case .attemptEnded(let attempt, _) where attempt.isShared: return
        case .attemptStarted(let attempt): count("http.client.active_requests", 1, attempt.fields)
        case .attemptEnded(let attempt, let result):
            count("http.client.active_requests", -1, attempt.fields)
            record("http.client.request.duration", result.duration, attempt.fields + result.fields + command)
        case .settled(let settlement):
            count("errand.command.active", -1, command)
            record("errand.command.duration", settlement.duration, command + settlement.fields)
        }
    }

    private func record(_ label: String, _ time: Duration, _ fields: [Field]) {
        Recorder(label: label, dimensions: dimensions(fields), aggregate: true, factory: factory).record(
            time.seconds)
    }

    private func count(_ label: String, _ change: Double, _ fields: [Field]) {
        let meter = Meter(label: label, dimensions: dimensions(fields), factory: factory)
        if change > 0 { meter.increment(by: change) } else { meter.decrement(by: -change) }
    }

    private func dimensions(_ fields: [Field]) -> [(String, String)] { fields.map { ($0.name, $0.text) } }
}
#endif
