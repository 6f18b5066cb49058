import TestSeeds

@testable import ErrandConnections
@testable import ErrandRuntime

/// A server, a network and an app around one connection, all played by random numbers. It holds each effect of the state against what
/// has really happened.
struct ConnectionWorld {
    /// A command of the app. It comes back after a failed attempt as its effect allows.
    struct Job {
        let effect: Effect
        let replies: FrameRequest.Replies
        let waitsForSession: Bool
        /// How many elements a subscription has until the server ends it.
        let length: Int
        var attempts = 0
        /// The correlation of the attempt that is under way.
        var attempt: UInt64?
        var isAtGate = false
        var isDone = false
        /// Whether its last reply was delivered.
        var isComplete = false
        /// How often its frame was written.
        var writes = 0
        var position = SubscriptionPosition()
        /// The elements that its reader got, or will get.
        var elements: [Int] = []
        /// How many bytes of them the reader has not taken.
        var unread = 0
    }

    private struct Wire {
        let number: Int
        var isPresented: Bool
        var isPresenting = false
        var isReading = true
        /// Whether it has to show that it is there.
        var isAsked = false
        /// The frames that the transport has not written yet.
        var unwritten: [UInt64] = []
        /// The requests that the server has, and the place of the next element of each subscription.
        var asked: [UInt64: Int] = [:]
        var lastOfSession: UInt64 = 0
    }

    static let rules = ConnectionRules(
        maximumPending: 12, maximumUnwritten: 100, maximumBuffered: 60, maximumStrays: 3)
    private static let elementSize = 20

    var chance: TestSeeds.SeededGenerator
    var state = ConnectionState(rules)
    var jobs: [Job] = []
    private var jobOf: [UInt64: Int] = [:]
    private var ended: Set<UInt64> = []
    private var written: Set<UInt64> = []
    private var now: Duration = .zero
    private var opening: Int?
    private var lastOpening = 0
    private var wire: Wire?
    private var followers = false
    /// Whether nothing goes wrong any more.
    private var isCalm = false
    /// The first broken promise.
    var broken: String?

    init(seed: UInt64) { chance = TestSeeds.SeededGenerator(seed: seed) }

    mutating func run() {
        for _ in 0..<70 where broken == nil { act() }
        isCalm = true
        if followers { send(.unfollowed) }
        var steps = 0
        while broken == nil, jobs.contains(where: { !$0.isDone }) {
            steps += 1
            guard steps < 20_000 else {
                broken = "commands are parked in \(state.phase): \(jobs.filter { !$0.isDone })"
                return
            }
            act()
        }
        if broken == nil, state.pendingCount != 0 { broken = "\(state.pendingCount) requests are left" }
        for job in jobs where job.replies == .many {
            let isWhole = !job.isComplete || job.elements.count == job.length
            if job.elements != Array(1..<job.elements.count + 1) || !isWhole {
                broken = "a subscription of \(job.length) elements got \(job.elements)"
            }
        }
    }

    // MARK: What happens

    private mutating func act() {
        switch chance.below(isCalm ? 12 : 22) {
        case 0, 1: if !isCalm { submit() }
        case 2: pass()
        case 3: if let number = opening { finishOpening(number) }
        case 4, 5: write()
        case 6, 7, 8: answer()
        case 9: read()
        case 10: if wire?.isPresenting == true { finishPresenting() }
        case 11: retry()
        case 12: breakWire()
        case 13: cancel()
        case 14: stray()
        case 15: if chance.below(6) == 0 { send(chance.below(2) == 0 ? .networkChanged : .unrenewed(lastOpening)) }
        case 16: answerLate()
        case 17: follow()
        default: now += .milliseconds(chance.below(3_000))
        }
    }

    private mutating func send(_ event: ConnectionEvent) {
        var effects: [ConnectionEffect] = []
        state.handle(event, at: now, jitter: Double(chance.below(1_000)) / 1_000, into: &effects)
        switch event {
        case .timedOut: if let wire, effects.contains(.ping(wire.number)) { self.wire?.isAsked = true }
        case .reply, .notice, .stray, .pong, .consumed, .cancel, .networkChanged: wire?.isAsked = false
        default: break
        }
        for effect in effects where broken == nil { take(effect) }
        if broken == nil { broken = brokenBound() }
    }

    private mutating func submit() {
        guard jobs.count < 16 else { return }
        let replies = FrameRequest.Replies.allCases[chance.below(3)]
        let effect = replies == .many ? .read : Effect.allCases[chance.below(4)]
        jobs.append(
            Job(effect: effect, replies: replies, waitsForSession: chance.below(3) > 0, length: 1 + chance.below(12)))
        begin(jobs.count - 1)
    }

    /// Begins an attempt, or waits at the gate for it.
    private mutating func begin(_ job: Int) {
        guard state.isAdmitting(at: now) else {
            guard !jobs[job].isAtGate else { return }
            jobs[job].isAtGate = true
            return send(.joined(isRepetition: jobs[job].attempts > 0))
        }
        if jobs[job].isAtGate {
            jobs[job].isAtGate = false
            send(.left)
        }
        let correlation = state.makeCorrelation()
        jobs[job].attempts += 1
        jobs[job].attempt = correlation
        jobOf[correlation] = job
        send(
            .request(
                FrameRequest(
                    correlation: correlation, replies: jobs[job].replies, waitsForSession: jobs[job].waitsForSession,
                    isRepetition: jobs[job].attempts > 1, size: 1 + chance.below(60))))
    }

    /// Lets commands try once more that have neither an attempt nor a place at the gate. A subscription does so when its reader has
    /// taken what came before, as a stream does.
    private mutating func retry() {
        for job in jobs.indices where !jobs[job].isDone && jobs[job].attempt == nil && !jobs[job].isAtGate {
            if jobs[job].unread == 0 { begin(job) }
        }
    }

    private mutating func finishOpening(_ number: Int) {
        opening = nil
        guard isCalm || chance.below(3) > 0 else {
            let failures: [ConnectionFailure] = [.fault(.refused), .refused, .overBudget]
            return send(
                .openingFailed(
                    number, failures[chance.below(3)],
                    retryAfter: chance.below(2) == 0 ? nil : .seconds(chance.below(40))))
        }
        let access: ConnectionAccess = [.complete, .pending, .anonymous][chance.below(3)]
        wire = Wire(number: number, isPresented: access == .complete)
        send(.opened(number, access))
    }

    private mutating func finishPresenting() {
        guard let number = wire?.number else { return }
        wire?.isPresenting = false
        if isCalm || chance.below(3) > 0 {
            wire?.isPresented = true
            send(.presented(number))
        } else {
            send(.presentationRefused(number))
        }
    }

    private mutating func write() {
        guard var wire, !wire.unwritten.isEmpty else { return }
        let first = wire.unwritten.removeFirst()
        self.wire = wire
        if !isCalm, chance.below(10) == 0 {
            // The transport has found the connection ended, before it sent anything of this frame.
            written.remove(first)
            if let job = jobOf[first] { jobs[job].writes -= 1 }
            send(.unwritten(first, wire.number))
            return breakWire()
        }
        ask(first)
        // The server may be faster than the report.
        if wire.isReading, chance.below(4) == 0 { answer(first, on: self.wire ?? wire) }
        send(.written(first, wire.number))
    }

    /// The server gets a request. A subscription continues after the position that it names, or a little before.
    private mutating func ask(_ correlation: UInt64) {
        guard let job = jobOf[correlation] else { return }
        var next = 1
        if let last = jobs[job].position.last?.number { next = max(1, last + 1 - chance.below(3)) }
        wire?.asked[correlation] = next
    }

    private mutating func answer() {
        guard let wire, wire.isReading, let correlation = wire.asked.keys.sorted().randomElement(using: &chance) else {
            return
        }
        answer(correlation, on: wire)
    }

    private mutating func answer(_ correlation: UInt64, on wire: Wire) {
        guard let job = jobOf[correlation], let place = wire.asked[correlation] else { return }
        let isLast = jobs[job].replies != .many || place > jobs[job].length
        if isLast { self.wire?.asked[correlation] = nil } else { self.wire?.asked[correlation] = place + 1 }
        send(.reply(correlation, isLast: isLast, size: Self.elementSize, wire.number))
    }

    /// A reply to a request that is over, or was never made.
    private mutating func answerLate() {
        guard let wire, wire.isReading else { return }
        let late = ended.sorted().randomElement(using: &chance) ?? 1_000_000
        send(.reply(chance.below(2) == 0 ? late : 1_000_000, isLast: true, size: 10, wire.number))
    }

    private mutating func stray() {
        guard let wire, wire.isReading else { return }
        send(chance.below(2) == 0 ? .stray(wire.number) : .notice(wire.number))
    }

    private mutating func read() {
        for job in jobs.indices where jobs[job].unread > 0 && chance.below(2) == 0 {
            let size = jobs[job].unread
            jobs[job].unread = 0
            if let attempt = jobs[job].attempt { send(.consumed(attempt, size: size)) }
        }
    }

    private mutating func breakWire() {
        guard let number = wire?.number else { return }
        // Some of what was being written may have arrived.
        wire = nil
        send(.closed(number, chance.below(2) == 0 ? .fault(.lost) : .closed(.restart)))
        // A report about a connection that is gone.
        if chance.below(4) == 0 { send(.closed(number, .fault(.lost))) }
    }

    private mutating func cancel() {
        guard let job = jobs.indices.randomElement(using: &chance), !jobs[job].isDone else { return }
        jobs[job].isDone = true
        if jobs[job].isAtGate {
            jobs[job].isAtGate = false
            send(.left)
        }
        if let attempt = jobs[job].attempt {
            jobs[job].attempt = nil
            ended.insert(attempt)
            send(chance.below(2) == 0 ? .cancel(attempt) : .timedOut(attempt))
        }
    }

    private mutating func follow() {
        followers.toggle()
        send(followers ? .followed : .unfollowed)
    }

    private mutating func pass() {
        guard let moment = state.nextMoment else { return }
        now = max(now, moment)
        if isCalm, let number = wire?.number, wire?.isReading == true { send(.pong(number)) }
        send(.time)
    }

    // MARK: What must be so

    private mutating func take(_ effect: ConnectionEffect) {
        switch effect {
        case .open(let number, _):
            if opening != nil || wire != nil { broken = "a second connection is opened" }
            if number <= lastOpening { broken = "a number is used twice" }
            (opening, lastOpening) = (number, number)
        case .present(let number):
            if wire?.number != number { broken = "a token is presented on no connection" }
            if wire?.isPresenting == true { broken = "a token is presented twice at a time" }
            wire?.isPresenting = true
        case .write(let correlation, let number): noteWrite(correlation, number)
        case .deliver(let correlation, let isLast): deliver(correlation, isLast: isLast)
        case .end(let correlation, let end): finish(correlation, end)
        case .admit:
            // One after the other, as a gate does it.
            for job in jobs.indices where jobs[job].isAtGate && state.isAdmitting(at: now) { begin(job) }
        case .refuse:
            for job in jobs.indices where jobs[job].isAtGate {
                jobs[job].isAtGate = false
                send(.left)
            }
        case .pauseReading: wire?.isReading = false
        case .resumeReading: wire?.isReading = true
        case .close(let number, _):
            if wire?.number == number { wire = nil }
            if opening == number { opening = nil }
        case .publish, .drop, .ping: break
        }
    }

    private mutating func noteWrite(_ correlation: UInt64, _ number: Int) {
        guard let job = jobOf[correlation], !ended.contains(correlation) else {
            broken = "a request is written that is over"
            return
        }
        guard let wire, wire.number == number else {
            broken = "a request is written to a connection that is gone"
            return
        }
        if wire.isAsked { broken = "a request is written to a connection that may be dead" }
        if !written.insert(correlation).inserted { broken = "a request is written twice" }
        if jobs[job].waitsForSession {
            if !wire.isPresented { broken = "a request of the session is sent before its token" }
            if correlation < wire.lastOfSession { broken = "requests are written out of order" }
            self.wire?.lastOfSession = correlation
        }
        jobs[job].writes += 1
        if jobs[job].effect == .once, jobs[job].writes > 1 { broken = "once is sent twice" }
        let others = wire.asked.keys.filter { jobOf[$0] == job && !ended.contains($0) }
        if jobs[job].replies == .many, !others.isEmpty { broken = "a subscription is made twice" }
        self.wire?.unwritten.append(correlation)
    }

    private mutating func deliver(_ correlation: UInt64, isLast: Bool) {
        guard let job = jobOf[correlation], !ended.contains(correlation) else {
            broken = "a reply is delivered to a request that is over"
            return
        }
        if jobs[job].replies == .many, !isLast, let next = wire?.asked[correlation] {
            jobs[job].unread += Self.elementSize
            if jobs[job].position.note(StreamPosition(next - 1)) == .isNew { jobs[job].elements.append(next - 1) }
        }
        guard isLast else { return }
        ended.insert(correlation)
        jobs[job].attempt = nil
        jobs[job].isDone = true
        jobs[job].isComplete = true
    }

    private mutating func finish(_ correlation: UInt64, _ end: RequestEnd) {
        guard let job = jobOf[correlation], ended.insert(correlation).inserted else {
            broken = "a request ends twice"
            return
        }
        jobs[job].attempt = nil
        switch end {
        case .written:
            jobs[job].isDone = true
        case .detached:
            if jobs[job].unread <= Self.rules.maximumBuffered / 2 { broken = "a reader is detached that keeps up" }
            wire?.asked[correlation] = nil
        case .failed(let failure, let evidence):
            if (evidence == .notSent) == written.contains(correlation) {
                broken = "the evidence is false: \(failure), \(evidence)"
            }
            let maySendAgain = evidence == .notSent || jobs[job].effect != .once
            if !maySendAgain { jobs[job].isDone = true }
        }
    }

    private func brokenBound() -> String? {
        if state.pendingCount > Self.rules.maximumPending { return "\(state.pendingCount) requests are pending" }
        let reading = jobs.filter { $0.attempt != nil }.map(\.unread).max() ?? 0
        if reading > Self.rules.maximumBuffered + Self.elementSize { return "\(reading) bytes wait for a reader" }
        if case .waiting = state.phase, state.nextMoment == nil { return "a pause has no end" }
        return nil
    }
}
