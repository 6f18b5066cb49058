import TestSeeds
import Testing

@testable import ErrandRuntime

/// The transition of a command as a value: a run brings random events in response to its steps, without a pipeline.
@Suite struct CommandStateTests {
    /// The pipeline's place: it does what a step says, by chance.
    private struct Driver {
        var generator: TestSeeds.SeededGenerator
        let endpoint: EndpointDescription
        let limits: CommandLimits
        let retry: RetryRule
        /// How often the transport was asked.
        var sends = 0
        /// The requests that may have been carried out.
        var mayHaveTakenEffect = 0
        /// How many tokens of the budget were taken and not used.
        var tokens = 0

        init(seed: UInt64) {
            generator = TestSeeds.SeededGenerator(seed: seed)
            let effect = Effect.allCases.randomElement(using: &generator) ?? .read
            endpoint = EndpointDescription(Shop.service, "x", effect == .read ? .get : .post, effect: effect)
            retry = RetryRule(attempts: Int.random(in: 1...4, using: &generator), base: .milliseconds(10))
            limits = CommandLimits(endpoint, CommandOptions())
        }

        mutating func flag() -> Bool { Bool.random(using: &generator) }

        mutating func one<Element>(of elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }

        mutating func facts() -> CommandFacts {
            var facts = CommandFacts(
                limits: limits, retry: retry, maximumRounds: 2, patience: .seconds(600),
                now: .seconds(Int.random(in: 0...100, using: &generator)),
                jitter: Double.random(in: 0..<1, using: &generator), home: Origin("https://shop.example"))
            facts.isNetworkWatched = flag()
            facts.isSessionOver = one(of: [true, false, false, false, false, false])
            facts.canReplaceSession = flag()
            facts.isLogout = one(of: [true, false, false, false, false, false])
            facts.hasConfirmation = endpoint.effect.isUnsafe && flag()
            facts.isHostDown = one(of: [true, false, false])
            facts.mayAsk = flag()
            if endpoint.effect == .read, one(of: [true, false, false]) {
                facts.stale = StoredResponse(
                    status: 200, headers: ["ETag": "\"1\""], body: [], to: [:], rule: CacheRule(), sent: .zero,
                    received: .zero, date: 0
                ).map { StaleResponse(response: $0, mayBeUsedIfError: flag(), mayBeUsedOffline: flag()) }
            }
            return facts
        }

        mutating func failure(_ state: inout CommandState) -> FailedAttempt {
            if one(of: [true, false, false, false]) {
                let status = one(of: [400, 401, 408, 409, 429, 500, 503])
                state.summary.evidence = .responded
                state.summary.status = status
                let kinds: [CommandFault.Kind] = [
                    .rejected, .unauthenticated, .requestTimeout, .throttled, .serverFault, .unavailable, .malformed,
                ]
                return FailedAttempt(.builtIn(one(of: kinds), nil), endpoint, state.summary)
            }
            let kinds: [TransportFault.Kind] = [.offline, .dns, .refused, .lost, .timeout, .cancelled]
            state.isStaleConnection = flag()
            return state.note(TransportFault(one(of: kinds), evidence: one(of: [.notSent, .unprocessed, .sent])))
        }

        /// What comes of a step. Nil where the command is over.
        mutating func event(_ state: inout CommandState) -> CommandState.Event? {
            switch state.step {
            case .begin: return .begun(isStubbed: false)
            case .stub, .respond, .end: return nil
            case .attempt:
                state.noteAttempt()
                if one(of: [true] + Array(repeating: false, count: 9)) {
                    // A gate has refused it.
                    let kind = one(of: [
                        CommandFault.Kind.offline, .timedOut, .cancelled, .sessionEnded, .unauthenticated,
                    ])
                    return .failed(
                        FailedAttempt(
                            kind, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied,
                            isPermanent: kind != .cancelled), facts())
                }
                sends += 1
                if state.paidFor != nil { tokens -= 1 }
                state.noteSent(
                    AssembledRequest(
                        request: TransportRequest(method: .get, url: "https://shop.example/x"), printedURL: "",
                        secrets: []),
                    at: .zero)
                if one(of: [true, false, false, false, false, false]) { return .responded }
                let failure = failure(&state)
                if failure.applied != .never { mayHaveTakenEffect += 1 }
                return .failed(failure, facts())
            case .useStaleResponse, .logOutLocally: return .responded
            case .pay:
                let isPaid = one(of: [true, true, true, false])
                if isPaid { tokens += 1 }
                return .paid(isPaid)
            case .pause, .renewSession:
                if one(of: [true, true, true, false]) { return .resumed }
                let kind = one(of: [CommandFault.Kind.cancelled, .sessionEnded, .unauthenticated])
                return .interrupted(
                    FailedAttempt(
                        kind, endpoint, mayHaveBeenApplied: state.mayHaveBeenApplied,
                        isPermanent: kind == .unauthenticated), facts())
            case .confirm:
                tokens -= 1
                switch one(of: [0, 1, 2]) {
                case 0: return .responded
                case 1: return .notConfirmed(.nothingFound, facts())
                default: return .notConfirmed(.failed(attempts: 1), facts())
                }
            case .ask:
                return .answered(
                    one(of: [
                        .answered(.retry), .answered(.retry), .answered(.fail), .withdrawn, .unanswered,
                        .answered(.recategorize(.retryable)), .answered(.recategorize(.requiresLogout)),
                    ]), facts())
            }
        }
    }

    /// Each command ends once, within a bounded number of steps and requests, and nothing happens after its end. What is `once` is
    /// not sent again after it may have taken effect. Each token of the budget is used, or kept for the end to give it back.
    @Test func eachCommandEndsOnceAndIsBounded() {
        let first = TestSeeds.SeededGenerator.newSeed()
        var endings: [String: Int] = [:]
        for number in 0..<20_000 {
            let seed = first &+ UInt64(number)
            var driver = Driver(seed: seed)
            var state = CommandState(driver.endpoint, begun: .zero)
            if driver.endpoint.effect == .keyed { state.key = IdempotencyKey("k") }
            var steps = 0
            while true {
                let mayBeSent = driver.endpoint.effect != .once || driver.mayHaveTakenEffect == 0
                if case .attempt = state.step, !mayBeSent {
                    Issue.record("seed \(seed): a command that is carried out once is sent again")
                    return
                }
                guard let event = driver.event(&state) else { break }
                state.handle(event)
                steps += 1
                guard steps <= 2_000 else {
                    Issue.record("seed \(seed): no end after \(steps) steps")
                    return
                }
            }
            let most =
                RetryBounds.sends(attempts: driver.retry.attempts, rounds: 2) + RetryBounds.losses * 3
                * RetryBounds.sendsOfAnAttempt
            #expect(driver.sends <= most, "seed \(seed): \(driver.sends) requests")
            #expect(driver.tokens == (state.paidFor == nil ? 0 : 1), "seed \(seed): \(driver.tokens) tokens are lost")
            guard case .end(let failure, _, _) = state.step else {
                endings["respond", default: 0] += 1
                continue
            }
            endings["end", default: 0] += 1
            // Whatever comes now, it has ended.
            for _ in 0..<5 {
                let late: CommandState.Event =
                    driver.one(of: [0, 1, 2]) == 0
                    ? .resumed
                    : driver.flag() ? .responded : .failed(driver.failure(&state), driver.facts())
                state.handle(late)
                guard case .end(let same, _, _) = state.step, same === failure else {
                    Issue.record("seed \(seed): \(state.step) after its end")
                    return
                }
            }
        }
        #expect(endings.count == 2, "\(endings)")
    }

    /// The same events have the same result: the transition has neither a clock nor chance, and shares nothing.
    @Test func theTransitionIsPure() {
        let first = TestSeeds.SeededGenerator.newSeed()
        for number in 0..<2_000 {
            let seed = first &+ UInt64(number)
            var driver = Driver(seed: seed)
            var state = CommandState(driver.endpoint, begun: .zero)
            while let event = driver.event(&state) {
                var copy = state
                copy.handle(event)
                state.handle(event)
                let (one, other) = ("\(state.step)", "\(copy.step)")
                #expect(one == other, "seed \(seed)")
                #expect(state.attempts == copy.attempts && state.rounds == copy.rounds, "seed \(seed)")
            }
        }
    }
}
