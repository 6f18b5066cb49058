#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The observers of a dispatcher's commands. Nil without observers, so no event is allocated.
package final class ObserverList: Sendable {
    let observers: [any CommandObserver]
    private let wireObservers: [any WireObserver]
    private let lastID = LockedState<Int> { 0 }
    private let wallTime: @Sendable () -> Date
    /// The endpoints whose end was reported.
    private let deprecated = LockedState<Set<String>> { [] }

    /// Nil without observers.
    init?(_ observers: [any CommandObserver], wallTime: @escaping @Sendable () -> Date) {
        if observers.isEmpty { return nil }
        self.wallTime = wallTime
        self.observers = observers
        wireObservers = observers.compactMap { $0 as? any WireObserver }.filter(\.showsWire)
    }

    package func tell(_ report: ConnectionReport) {
        for observer in observers { observer.observe(report) }
    }

    /// Reports what a response says about the end of its endpoint, once.
    fileprivate func note(_ headers: HTTPHeaders, of command: CommandIdentity) {
        guard let notice = DeprecationNotice(headers, of: command, now: wallTime),
            deprecated.withLock({ $0.insert("\(notice.service).\(notice.endpoint)").inserted })
        else { return }
        for observer in observers { observer.observe(notice) }
    }

    func begin(_ endpoint: EndpointDescription, _ time: Timekeeper) -> Observation {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        let identity = CommandIdentity(id: id, endpoint)
        return Observation(identity, endpoint.service, self, wire: wireObservers, time)
    }
}

/// Reports the events of one command.
final class Observation: Sendable {
    let identity: CommandIdentity
    private let service: ServiceDescription
    private let list: ObserverList
    private let wireObservers: [any WireObserver]
    private let time: Timekeeper
    private let start: Duration
    private let attempts = LockedState<Int> { 0 }

    fileprivate init(
        _ identity: CommandIdentity, _ service: ServiceDescription, _ list: ObserverList,
        wire wireObservers: [any WireObserver], _ time: Timekeeper
    ) {
        self.identity = identity
        self.service = service
        self.list = list
        self.wireObservers = wireObservers
        self.time = time
        start = time.now
        tell(.queued, at: start)
    }

    func wait(_ place: WaitReason, _ reason: String, at now: Duration) {
        tell(.waiting(CommandEvent.Wait(place: place, reason: reason)), at: now)
    }

    func resume(_ place: WaitReason, _ reason: String, since start: Duration) {
        let now = time.now
        tell(.resumed(CommandEvent.Wait(place: place, reason: reason), after: now - start), at: now)
    }

    /// Begins an attempt, and puts its identity into the request.
    func attempt(
        _ assembled: AssembledRequest, to origin: Origin, isTransparentRetry: Bool, isShared: Bool
    ) -> BegunAttempt {
        let number = attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
        let attempt = CommandEvent.Attempt(
            number: number, method: assembled.request.method, frame: assembled.request.frame, origin: origin,
            url: assembled.printedURL,
            bodySize: assembled.request.body?.count ?? assembled.request.streamedBody?.length,
            isTransparentRetry: isTransparentRetry, isShared: isShared, command: identity)
        assembled.request.attempt = attempt.identity
        let now = time.now
        tell(.attemptStarted(attempt), at: now)
        if !wireObservers.isEmpty, !isShared { tell(wire: WireText(assembled, service).request) }
        return BegunAttempt(attempt: attempt, since: now)
    }

    /// An attempt under way. An object, so that a command keeps only a reference while it waits.
    final class BegunAttempt: Sendable {
        fileprivate let attempt: CommandEvent.Attempt
        fileprivate let since: Duration

        fileprivate init(attempt: CommandEvent.Attempt, since: Duration) {
            self.attempt = attempt
            self.since = since
        }
    }

    func end(
        _ begun: BegunAttempt, _ assembled: AssembledRequest, _ result: AttemptResult, error: String?,
        _ evidence: Evidence
    ) {
        if !wireObservers.isEmpty, !begun.attempt.isShared {
            tell(wire: WireText(assembled, service).response(result))
        }
        var response: TransportResponse?
        var fault: TransportFault.Kind?
        switch result {
        case .success(let answer): response = answer
        case .failure(let failure): fault = failure.kind
        }
        let now = time.now
        let result = CommandEvent.AttemptResult(
            duration: now - begun.since, status: response?.status, fault: fault, evidence: evidence,
            error: error, bodySize: response?.body.count, isReplayed: response?.headers.sayReplayed ?? false)
        tell(.attemptEnded(begun.attempt, result), at: now)
        if let response { list.note(response.headers, of: identity) }
    }

    func settle(
        _ result: CommandEvent.Settlement.Result, doneAlready: String? = nil, cached: CacheHit? = nil
    ) {
        let now = time.now
        let settlement = CommandEvent.Settlement(
            result: result, attempts: attempts.withLock { $0 }, duration: now - start, doneAlready: doneAlready,
            cached: cached)
        tell(.settled(settlement), at: now)
    }

    private func tell(wire lines: [String]) {
        for observer in wireObservers {
            for line in lines { observer.observe(wire: line, of: identity) }
        }
    }

    private func tell(_ kind: CommandEvent.Kind, at moment: Duration) {
        let event = CommandEvent(command: identity, moment: moment, kind: kind)
        for observer in list.observers { observer.observe(event) }
    }
}
