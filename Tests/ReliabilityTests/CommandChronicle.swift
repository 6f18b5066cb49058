import ErrandRuntime
import Foundation

/// Keeps all events of commands.
final class CommandChronicle: CommandObserver {
    private let kept = LockedState<[CommandEvent]> { [] }
    private let passed = LockedState<[AttemptIdentity?]> { [] }

    var events: [CommandEvent] { kept.withLock { $0 } }

    /// The attempts that came by on their way to the transport, in their order.
    var sent: [AttemptIdentity?] { passed.withLock { $0 } }

    func observe(_ event: CommandEvent) { kept.withLock { $0.append(event) } }

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        passed.withLock { $0.append(request.attempt) }
        return try await next(request)
    }

    /// The faults in the events of one command: it must be queued, then wait and go on, be sent and get its response, in pairs,
    /// and be settled, each at its time.
    static func faults(in events: [CommandEvent]) -> [String] {
        var faults: [String] = []
        var wait: CommandEvent.Wait?
        var attempt: AttemptIdentity?
        var attempts = 0
        for (index, event) in events.enumerated() {
            let isLast = index == events.count - 1
            if index > 0, event.moment < events[index - 1].moment { faults.append("time went back") }
            switch event.kind {
            case .queued: if index != 0 { faults.append("queued late") }
            case .waiting(let new):
                if wait != nil || attempt != nil { faults.append("waits twice, or while it is sent") }
                wait = new
            case .resumed(let old, let time):
                if wait != old || time < .zero { faults.append("resumed without having waited") }
                wait = nil
            case .attemptStarted(let new):
                attempts += 1
                if wait != nil || attempt != nil { faults.append("sent while it waits, or twice") }
                if new.number != attempts || new.identity.command != event.command {
                    faults.append("attempt \(new.number) after \(attempts - 1)")
                }
                attempt = new.identity
            case .attemptEnded(let old, let result):
                if attempt != old.identity { faults.append("an answer to nothing") }
                if (result.status == nil) != (result.fault != nil) { faults.append("an answer and a fault") }
                attempt = nil
            case .settled(let settlement):
                if !isLast || wait != nil || attempt != nil { faults.append("settled in the middle") }
                if settlement.attempts != attempts {
                    faults.append("\(settlement.attempts) attempts counted, \(attempts) told")
                }
                if case .failure(let context) = settlement.result, context.attempts != attempts {
                    faults.append("the failure counts \(context.attempts) attempts, \(attempts) told")
                }
            }
            if isLast, index == 0 || !event.isSettlement { faults.append("never settled") }
        }
        return faults
    }
}

extension CommandEvent {
    fileprivate var isSettlement: Bool { if case .settled = kind { true } else { false } }
}
