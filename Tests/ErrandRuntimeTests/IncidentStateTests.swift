import Foundation
import Testing

@testable import ErrandRuntime

/// The board's rules, step by step and without tasks, for any events in any order.
@Suite struct IncidentStateTests {
    private final class Asked: Responder {
        let maximumQuestions: Int
        init(_ maximumQuestions: Int) { self.maximumQuestions = maximumQuestions }
        func respond(to incident: Incident) async -> IncidentAnswer { .fail }
    }

    /// What one seed makes of the board.
    private struct World {
        var state = IncidentState()
        var random: SeededGenerator
        var now = Duration.zero
        let hosts: [Origin]
        let endpoints: [EndpointDescription]
        let levels: [ResponderLevel]
        /// Every command that has joined: its place, and what it was told.
        var joined:
            [(member: IncidentMember, host: Origin, endpoint: EndpointDescription, begun: Duration, hasLeft: Bool)] = []
        let told = LockedState<[Int: [IncidentOutcome]]> { [:] }
        /// The questions that have been put and not answered.
        var asked: [(question: Int, level: ObjectIdentifier, incident: Int)] = []
        var questions = 0
        var opened: Set<Int> = []
        var closed: Set<Int> = []
        var withdrawn: Set<Int> = []
        var hostOf: [Int: Origin] = [:]
        var violations: [String] = []

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            hosts = (1...3).compactMap { Origin("https://host\($0).example") }
            endpoints = (1...4).map { number in
                EndpointDescription(Shop.service, "endpoint\(number)", .get, effect: .read)
            }
            levels = [1, 1, 2].map { ResponderLevel(Asked($0)) }
        }

        mutating func pick<Element>(_ all: [Element]) -> Element { all[Int.random(in: all.indices, using: &random)] }

        mutating func expect(_ isKept: Bool, _ violation: String) {
            if !isKept { violations.append(violation) }
        }

        mutating func join() {
            let host = pick(hosts)
            let endpoint = pick(endpoints)
            let category: ErrorCategory = Int.random(in: 0..<8, using: &random) == 0 ? .nonRetryable : .retryable
            let name = pick(["unreachable", "timedOut", "connectionLost", "unavailable", "maintenance"])
            let context = FailureContext(
                name: name, category: category, evidence: pick([.sent, .responded]), service: "Shop",
                endpoint: endpoint.name)
            let chain = (0..<Int.random(in: 0...2, using: &random)).map { _ in pick(levels) }
            let number = joined.count
            let begun = now - .seconds(Int.random(in: 0...2, using: &random))
            let member = state.join(
                IncidentCause(.outage(host), endpoint, category, context.evidence), context, chain,
                CommandTime(begun: begun, now: now),
                maySendAgain: true
            ) { [told] outcome in told.withLock { $0[number, default: []].append(outcome) } }
            joined.append((member, host, endpoint, begun, false))
            work()
        }

        mutating func leave(_ index: Int) {
            joined[index].hasLeft = true
            state.leave(joined[index].member, at: now)
            work()
        }

        mutating func succeed() {
            let host = pick(hosts)
            state.noteSuccess(host, ObjectIdentifier(pick(endpoints)), at: now)
            work()
        }

        mutating func answer() {
            guard !asked.isEmpty else { return }
            let question = asked.remove(at: Int.random(in: asked.indices, using: &random))
            state.finish(question.question, pick([.retry, .fail, .pass, .pass, .recategorize(.nonRetryable)]), at: now)
            work()
        }

        private mutating func work() {
            let work = state.takeWork()
            for event in work.events {
                switch event {
                case .opened(let incident):
                    expect(opened.insert(incident.id).inserted, "opened twice")
                    if case .host(let host) = incident.scope { hostOf[incident.id] = host }
                    if case .endpoints(let host, _) = incident.scope { hostOf[incident.id] = host }
                    let others = opened.subtracting(closed).filter {
                        $0 != incident.id && hostOf[$0] == hostOf[incident.id]
                    }
                    expect(others.isEmpty, "two incidents of one host")
                case .closed(let incident):
                    expect(
                        opened.contains(incident.id) && closed.insert(incident.id).inserted, "closed twice or before")
                case .withdrawn(let incident):
                    expect(!closed.contains(incident.id), "withdrawn after it was closed")
                    withdrawn.insert(incident.id)
                case .updated(let incident), .answered(let incident, _), .unanswered(let incident):
                    expect(opened.contains(incident.id) && !closed.contains(incident.id), "told outside of its time")
                case .dropped: break
                }
            }
            for step in work.steps {
                switch step {
                case .tell(let outcome, let result): outcome(result)
                case .cancel: break
                case .ask(let question, let responder, let incident):
                    questions += 1
                    expect(!closed.contains(incident.id), "asked after its cause had ended")
                    guard let asking = responder as? Asked else { continue }
                    asked.append((question, ObjectIdentifier(asking), incident.id))
                    let atOnce = asked.filter { $0.level == ObjectIdentifier(asking) }.count
                    expect(atOnce <= asking.maximumQuestions, "\(atOnce) questions at once")
                }
            }
        }

        /// Answers everything, and lets every command leave that was told.
        mutating func end() {
            var rounds = 0
            while !asked.isEmpty, rounds < 10_000 {
                answer()
                rounds += 1
            }
            let outcomes = told.withLock { $0 }
            for (index, command) in joined.enumerated() {
                let count = outcomes[index]?.count ?? 0
                expect(count <= 1, "told \(count) times")
                expect(command.hasLeft || count == 1, "never told")
                if !command.hasLeft { leave(index) }
            }
            expect(state.isEmpty && opened == closed, "open at the end")
        }
    }

    @Test func whateverHappensNoQuestionIsLostOrDoubled() {
        let first = UInt64.random(in: 1...999_999_999)
        print("incident states: 2,000 seeds from \(first)")
        var questions = 0
        for seed in first..<first + 2_000 {
            var world = World(seed: seed)
            for _ in 0..<60 {
                world.now += .milliseconds(Int.random(in: 0...800, using: &world.random))
                switch Int.random(in: 0..<10, using: &world.random) {
                case 0..<5: world.join()
                case 5:
                    if !world.joined.isEmpty { world.leave(Int.random(in: world.joined.indices, using: &world.random)) }
                case 6: world.succeed()
                default: world.answer()
                }
            }
            world.end()
            questions += world.questions
            #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.prefix(3))")
            if !world.violations.isEmpty { return }
        }
        #expect(questions > 2_000)
    }

    // MARK: One host

    private let host = Origin("https://shop.example")!
    private static let endpoints = ["orders", "prices", "people"].map { name in
        EndpointDescription(Shop.service, name, .get, effect: .read, timeout: .seconds(30))
    }

    private func fail(
        _ state: inout IncidentState, _ name: String, _ endpoint: Int, _ category: ErrorCategory = .retryable,
        _ evidence: Evidence = .responded, chain: [ResponderLevel], at now: Duration = .zero,
        _ outcome: @escaping @Sendable (IncidentOutcome) -> Void = { _ in }
    ) -> IncidentMember {
        let context = FailureContext(
            name: name, category: category, message: name, evidence: evidence, service: "Shop",
            endpoint: Self.endpoints[endpoint].name)
        return state.join(
            IncidentCause(.outage(host), Self.endpoints[endpoint], category, evidence), context, chain,
            CommandTime(begun: now, now: now), maySendAgain: true, tell: outcome)
    }

    @Test func aSuccessElsewhereNarrowsTheSameIncident() throws {
        var state = IncidentState()
        let chain = [ResponderLevel(Asked(1))]
        _ = fail(&state, "unavailable", 0, chain: chain)
        guard case .opened(let opened)? = state.takeWork().events.first else {
            Issue.record("not opened")
            return
        }
        #expect(opened.scope == .host(host))
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[1]), at: .seconds(1))
        let events = state.takeWork().events
        guard case .updated(let updated)? = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
        #expect(updated.id == opened.id)
        #expect(updated.scope == .endpoints(host, ["Shop.orders"]))
        // Another endpoint fails as well: it is the same outage.
        _ = fail(&state, "unavailable", 2, chain: chain, at: .seconds(2))
        guard case .updated(let wider)? = state.takeWork().events.first else {
            Issue.record("not updated")
            return
        }
        #expect(wider.scope == .endpoints(host, ["Shop.orders", "Shop.people"]))
        // Further successes say nothing new.
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[1]), at: .seconds(3))
        #expect(state.takeWork().events.isEmpty)
    }

    @Test(arguments: [(Duration.seconds(29), true), (.seconds(31), false)])
    func aHostThatAnsweredWithinTheTimeoutIsNotTheCause(since pause: Duration, isNarrow: Bool) {
        var state = IncidentState()
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[0]), at: .zero)
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[1]), at: .zero)
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[0]), at: pause)
        _ = fail(&state, "unavailable", 0, chain: [], at: pause)
        guard case .opened(let incident)? = state.takeWork().events.first else {
            Issue.record("not opened")
            return
        }
        #expect(incident.scope == (isNarrow ? .endpoints(host, ["Shop.orders"]) : .host(host)))
    }

    @Test func evidenceReleasesOnlyThoseWhoseCauseHasEnded() {
        var state = IncidentState()
        let chain = [ResponderLevel(Asked(1))]
        let told = LockedState<[String: IncidentOutcome]> { [:] }
        func note(_ name: String) -> @Sendable (IncidentOutcome) -> Void {
            { outcome in told.withLock { $0[name] = outcome } }
        }
        _ = fail(&state, "unavailable", 0, chain: chain, note("orders"))
        _ = fail(&state, "unavailable", 1, chain: chain, note("prices"))
        _ = fail(&state, "unreachable", 2, .retryable, .notSent, chain: chain, note("unreachable"))
        _ = fail(&state, "serverFault", 1, .nonRetryable, chain: chain, note("final"))
        func work() { for case .tell(let outcome, let result) in state.takeWork().steps { outcome(result) } }
        work()
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[1]), at: .seconds(1))
        work()
        // The host can be reached again, and prices are there; orders are not, and what is final does not pass by itself.
        #expect(told.withLock { $0 } == ["prices": .withdrawn, "unreachable": .withdrawn])
        state.noteSuccess(host, ObjectIdentifier(Self.endpoints[0]), at: .seconds(2))
        work()
        #expect(told.withLock { $0 } == ["prices": .withdrawn, "unreachable": .withdrawn, "orders": .withdrawn])
        #expect(!state.isEmpty)
    }

    @Test func theMessageFollowsTheWorst() {
        var state = IncidentState()
        let chain = [ResponderLevel(Asked(1))]
        var messages: [String] = []
        func note() {
            for event in state.takeWork().events {
                switch event {
                case .opened(let incident), .updated(let incident): messages.append(incident.message)
                default: break
                }
            }
        }
        for (name, category, evidence) in [
            ("unreachable", .retryable, .notSent), ("timedOut", .retryable, .sent),
            ("unavailable", .retryable, .responded),
            ("maintenance", .retryable, .responded), ("unreachable", .retryable, .notSent),
            ("insecure", .nonRetryable, .notSent), ("serverFault", .nonRetryable, .responded),
        ] as [(String, ErrorCategory, Evidence)] {
            _ = fail(&state, name, 0, category, evidence, chain: chain)
            note()
        }
        #expect(messages == ["unreachable", "timedOut", "unavailable", "insecure", "serverFault"])
    }

    @Test func theCohortHasABoundAndACount() {
        var state = IncidentState()
        let chain = [ResponderLevel(Asked(1))]
        let members = (1...50).map { fail(&state, "unavailable", $0 % 3, chain: chain, at: .seconds($0)) }
        guard case .opened(let incident)? = state.takeWork().events.first else {
            Issue.record("not opened")
            return
        }
        #expect(incident.cohort.count == 1)
        for member in members { state.leave(member, at: .seconds(60)) }
        guard case .closed(let closed)? = state.takeWork().events.last else {
            Issue.record("not closed")
            return
        }
        #expect(closed.cohort.count == 50)
        #expect(closed.cohort.commands.count == 20)
        #expect(closed.cohort.commands.map(\.since).first == .seconds(1))
        #expect(closed.cohort.commands.allSatisfy { $0.failure.name == "unavailable" && $0.maySendAgain })
    }

    /// A success does not end an outage of a network that a path monitor watches. Such a success costs the same for any number
    /// of commands that wait: 100,000 of them would otherwise need half a minute of processor time to go on.
    @Test func aSuccessDoesNotLookThroughAllCommandsThatWait() throws {
        let place = IncidentCause.Place.network(endsWithSuccess: false)
        let host = try #require(Origin("https://host.example"))
        /// The processor time of 1,000 successes, in nanoseconds.
        func cost(waiting count: Int) -> Double {
            var state = IncidentState()
            let context = FailureContext(
                name: "offline", category: .retryable, evidence: .notSent, service: "Shop", endpoint: "endpoint1")
            for _ in 0..<count {
                _ = state.join(
                    IncidentCause(place, Self.endpoints[0], .retryable, .notSent), context, [],
                    CommandTime(begun: .zero, now: .zero), maySendAgain: true
                ) { _ in }
            }
            _ = state.takeWork()
            let start = Self.processorTime()
            for _ in 0..<1_000 { state.noteSuccess(host, ObjectIdentifier(Self.endpoints[0]), at: .zero) }
            return Self.processorTime() - start
        }
        _ = cost(waiting: 100)
        let (few, many) = (cost(waiting: 100), cost(waiting: 20_000))
        #expect(many < 20 * few, "\(few / 1000) ns with 100 commands, \(many / 1000) ns with 20,000")
    }

    /// The processor time of this thread, in nanoseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    @Test func theMemoryOfAnswersIsBounded() {
        var memory = DecisionCache()
        let level = ResponderLevel(Asked(1))
        for number in 0..<1_000 {
            memory.note(
                .fail, of: level.identity, about: .session(ObjectIdentifier(Self.endpoints[0])), nil,
                at: .seconds(number))
            guard let host = Origin("https://host\(number).example") else { continue }
            memory.note(.fail, of: level.identity, about: .host(host), [], at: .seconds(number))
        }
        #expect(memory.count == 64)
        #expect(
            memory.answer(of: level.identity, about: .host(Origin("https://host999.example")!), since: .seconds(999))
                == .fail)
        #expect(memory.answer(of: level.identity, about: .host(Origin("https://host1.example")!), since: .zero) == nil)
    }
}
