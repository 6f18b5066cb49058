import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// One rule of a connection each.
@Suite struct ConnectionStateTests {
    private static let rules = ConnectionRules(
        openingTime: .seconds(10), pingInterval: .seconds(20), silence: .seconds(45), unused: .seconds(300),
        maximumBuffered: 100, maximumStrays: 3)

    /// A connection and what it wants done.
    private struct Trial {
        var state = ConnectionState(ConnectionStateTests.rules)
        var now: Duration = .zero

        mutating func send(_ event: ConnectionEvent, jitter: Double = 0.5) -> [ConnectionEffect] {
            var effects: [ConnectionEffect] = []
            state.handle(event, at: now, jitter: jitter, into: &effects)
            return effects
        }

        mutating func request(
            _ replies: FrameRequest.Replies = .one, waitsForSession: Bool = true, isRepetition: Bool = false,
            isLogin: Bool = false
        ) -> [ConnectionEffect] {
            let correlation = state.makeCorrelation()
            return send(
                .request(
                    FrameRequest(
                        correlation: correlation, replies: replies, waitsForSession: waitsForSession,
                        isRepetition: isRepetition, isLogin: isLogin, size: 10)))
        }
    }

    @Test func theFirstRequestOpensTheConnection() {
        var trial = Trial()
        #expect(trial.state.nextMoment == nil)
        #expect(trial.request() == [.open(1, isRepetition: false), .admit])
        #expect(trial.request() == [])
        #expect(trial.send(.opened(1, .complete)) == [.write(1, 1), .write(2, 1)])
        #expect(trial.send(.reply(2, isLast: true, size: 5, 1)) == [.deliver(2, isLast: true)])
        #expect(trial.send(.reply(1, isLast: true, size: 5, 1)) == [.deliver(1, isLast: true)])
    }

    @Test func everythingOfTheSessionWaitsForTheToken() {
        var trial = Trial()
        _ = trial.request()
        #expect(trial.send(.opened(1, .pending)) == [.present(1)])
        #expect(trial.request(waitsForSession: false) == [.write(2, 1)])
        #expect(trial.send(.presented(1)) == [.write(1, 1)])
    }

    @Test func aRefusedTokenFailsWhatWaitsForIt() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .pending))
        #expect(trial.send(.presentationRefused(1)) == [.end(1, .failed(.unpresented, .notSent))])
        // The next one has another token.
        #expect(trial.request() == [.present(1)])
        // A login over the same connection needs no other token, and the word about the one before comes too late.
        #expect(trial.send(.loggedIn(1)) == [.write(2, 1)])
        #expect(trial.send(.presentationRefused(1)) == [])
    }

    @Test func aConnectionWithoutATokenPresentsOneWhenItIsNeeded() {
        var trial = Trial()
        _ = trial.request(waitsForSession: false)
        #expect(trial.send(.opened(1, .anonymous)) == [.write(1, 1)])
        #expect(trial.request() == [.present(1)])
    }

    /// A server takes a connection for that of the last login. What belongs to the session before does not follow one.
    @Test func whatHasWaitedWithALoginDoesNotFollowIt() {
        var trial = Trial()
        _ = trial.request(waitsForSession: false, isLogin: true)
        _ = trial.request()
        #expect(trial.send(.opened(1, .complete)) == [.write(1, 1)])
    }

    @Test func nothingOfTheSessionFollowsALogin() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        #expect(trial.request(waitsForSession: false, isLogin: true) == [.write(2, 1)])
        #expect(trial.request() == [])
        // A login that comes to nothing may have been carried out: the token is presented again.
        #expect(trial.send(.cancel(2)) == [.present(1)])
        // Another login overtakes the word about the token.
        #expect(trial.request(waitsForSession: false, isLogin: true) == [.write(4, 1)])
        #expect(trial.send(.presented(1)) == [])
        #expect(trial.send(.reply(4, isLast: true, size: 5, 1)) == [.deliver(4, isLast: true), .present(1)])
        // It was the session's own.
        #expect(trial.send(.presented(1)) == [.write(3, 1)])
    }

    @Test func aLossEndsWhatWasSentAndKeepsWhatWasNot() {
        var trial = Trial()
        _ = trial.request(waitsForSession: false)
        _ = trial.request()
        _ = trial.send(.opened(1, .pending))
        #expect(
            trial.send(.closed(1, .closed(.restart))) == [.end(1, .failed(.closed(.restart), .sent))])
        #expect(trial.state.phase == .waiting(until: .milliseconds(500)))
        #expect(!trial.state.isAdmitting(at: trial.now))
        trial.now = .milliseconds(500)
        #expect(trial.send(.time) == [.open(2, isRepetition: false), .admit])
        #expect(trial.send(.opened(2, .complete)) == [.write(2, 2)])
    }

    @Test func aFailedOpeningIsAFailedAttemptOfAllThatWait() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.request(.many)
        let failure = ConnectionFailure.fault(.refused)
        #expect(
            trial.send(.openingFailed(1, failure, retryAfter: nil)) == [
                .end(1, .failed(failure, .notSent)), .end(2, .failed(failure, .notSent)),
            ])
        #expect(trial.state.phase == .idle)
        // Both come back, and wait for the end of the pause.
        #expect(trial.send(.joined(isRepetition: true)) == [])
        #expect(trial.send(.joined(isRepetition: true)) == [])
        trial.now = .milliseconds(500)
        #expect(trial.send(.time) == [.open(2, isRepetition: true), .admit])
    }

    /// Full jitter: each opening is anywhere in a window of its own, and the windows double up to the cap.
    @Test(arguments: [0.001, 0.5, 0.999]) func thePausesGrow(_ jitter: Double) {
        var trial = Trial()
        var begin = Duration.zero
        for number in 1...9 {
            _ = trial.send(.joined(isRepetition: true))
            _ = trial.send(.time)
            _ = trial.send(.openingFailed(number, .fault(.refused), retryAfter: nil), jitter: jitter)
            guard case .waiting(let until) = trial.state.phase else {
                Issue.record("\(trial.state.phase)")
                return
            }
            let window = Duration.seconds([1, 2, 4, 8, 16, 30, 30, 30, 30][number - 1])
            #expect(until == begin + window * jitter, "opening \(number)")
            begin += window
            trial.now = until
        }
    }

    /// Whatever chance says, an absence of a minute costs few openings.
    @Test func aMinuteCostsFewOpenings() {
        for jitters in [[0], [0.999_999], [0, 0.999_999], [0.999_999, 0], [0.3, 0, 0.7]] {
            var pace = OpeningPace(RetryRule(base: .seconds(1), cap: .seconds(30)))
            var openings = 0
            while pace.earliest < .seconds(60) {
                pace.noteFailure(at: pace.earliest, jitter: jitters[openings % jitters.count])
                openings += 1
            }
            #expect((6...7).contains(openings), "\(openings) openings with \(jitters)")
        }
    }

    /// After a connection that has worked, the first window begins at its loss.
    @Test func aConnectionThatWorkedBeginsTheWindowsAnew() {
        var pace = OpeningPace(RetryRule(base: .seconds(1), cap: .seconds(30)))
        for _ in 0..<8 { pace.noteFailure(at: .zero, jitter: 0) }
        pace.begin(at: .seconds(20))
        pace.noteFailure(at: .seconds(20), jitter: 0.5)
        #expect(pace.earliest == .milliseconds(20_500))
        // Another network may reach the server.
        pace.endPause(at: .seconds(20))
        #expect(pace.earliest == .seconds(20))
    }

    @Test func aServerThatAsksForAPauseGetsIt() {
        var trial = Trial()
        _ = trial.send(.joined(isRepetition: false))
        _ = trial.send(.openingFailed(1, .refused, retryAfter: .seconds(90)))
        // Its own pause is added, because other clients were asked for the same.
        #expect(trial.state.phase == .waiting(until: .milliseconds(90_500)))
    }

    @Test func withoutBudgetTheCommandsAtTheGateAreRefused() {
        var trial = Trial()
        _ = trial.send(.joined(isRepetition: true))
        #expect(trial.send(.openingFailed(1, .overBudget, retryAfter: nil)) == [.refuse(.overBudget)])
    }

    @Test func aReplyThatNothingAwaitsIsDropped() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        _ = trial.send(.reply(1, isLast: true, size: 5, 1))
        // Twice, of a canceled command, and of none.
        #expect(trial.send(.reply(1, isLast: true, size: 5, 1)) == [.drop(.late)])
        #expect(trial.send(.cancel(2)) == [])
        #expect(trial.send(.reply(2, isLast: true, size: 5, 1)) == [.drop(.late)])
        #expect(trial.send(.reply(3, isLast: true, size: 5, 1)) == [.drop(.unknown)])
        // Of an earlier connection.
        #expect(trial.send(.reply(1, isLast: true, size: 5, 0)) == [])
    }

    @Test func aServerThatSendsOnlyNonsenseIsLeft() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        #expect(trial.send(.stray(1)) == [.drop(.unreadable)])
        #expect(trial.send(.notice(1)) == [.publish])
        #expect(trial.send(.stray(1)) == [.drop(.unreadable)])
        #expect(trial.send(.stray(1)) == [.drop(.unreadable)])
        #expect(
            trial.send(.stray(1)) == [
                .drop(.unreadable), .close(1, .protocolError), .end(1, .failed(.fault(.unreadable), .sent)),
            ])
    }

    @Test func aSilentConnectionIsAskedAndThenLost() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        #expect(trial.state.nextMoment == .seconds(20))
        trial.now = .seconds(20)
        #expect(trial.send(.time) == [.ping(1)])
        #expect(trial.send(.pong(1)) == [])
        #expect(trial.state.nextMoment == .seconds(40))
        trial.now = .seconds(40)
        #expect(trial.send(.time) == [.ping(1)])
        trial.now = .seconds(60)
        #expect(trial.send(.time) == [.ping(1)])
        #expect(trial.state.nextMoment == .seconds(65))
        trial.now = .seconds(65)
        #expect(trial.send(.time) == [.close(1, .goingAway), .end(1, .failed(.fault(.lost), .sent))])
    }

    /// A request that got no reply in its time, over a connection that says nothing: the server is asked at once, and has five seconds.
    @Test func aDeadConnectionIsFoundOut() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.request(.many)
        _ = trial.send(.opened(1, .complete))
        trial.now = .seconds(10)
        #expect(trial.send(.timedOut(1)) == [.ping(1)])
        // What comes now waits for the pong, or for the next connection.
        #expect(!trial.state.isAdmitting(at: trial.now))
        #expect(trial.request() == [])
        // One question is enough.
        #expect(trial.send(.timedOut(2)) == [])
        #expect(trial.state.nextMoment == .seconds(15))
        trial.now = .seconds(15)
        #expect(trial.send(.time) == [.close(1, .goingAway)])
        #expect(trial.state.phase == .waiting(until: .milliseconds(15_500)))
        trial.now = .milliseconds(15_500)
        #expect(trial.send(.time) == [.open(2, isRepetition: false), .admit])
        #expect(trial.send(.opened(2, .complete)) == [.write(3, 2)])
    }

    @Test(arguments: [ConnectionEvent.pong(1), .notice(1), .received(1, bytes: 10)])
    func anySignOfLifeLetsGoOn(_ sign: ConnectionEvent) {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        trial.now = .seconds(10)
        _ = trial.send(.timedOut(1))
        _ = trial.request()
        #expect(trial.send(sign).filter { $0 != .publish } == [.write(2, 1), .admit])
        #expect(trial.state.isAdmitting(at: trial.now))
        #expect(trial.state.nextMoment.map { $0 >= .seconds(30) } == true)
    }

    /// Nothing is asked where the server has said something since, or was not asked anything, or is not to be asked.
    @Test func onlySilenceIsAQuestion() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        trial.now = .seconds(2)
        _ = trial.send(.notice(1))
        trial.now = .seconds(10)
        #expect(trial.send(.timedOut(1)) == [])
        _ = trial.request()
        #expect(trial.send(.cancel(2)) == [])
        // One that has waited for the token.
        _ = trial.send(.outdated)
        _ = trial.request()
        _ = trial.request()
        #expect(trial.send(.timedOut(4)) == [])
        var rules = Self.rules
        rules.pingInterval = nil
        trial = Trial(state: ConnectionState(rules))
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        trial.now = .seconds(10)
        #expect(trial.send(.timedOut(1)) == [])
    }

    /// A pong cannot come before a long message has arrived.
    @Test func bytesOfALongMessageAreASignOfLife() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        var bytes = 0
        while trial.now < .seconds(440) {
            trial.now = trial.state.nextMoment ?? .zero
            bytes = 300 * Int(trial.now / .seconds(1))
            #expect(trial.send(.received(1, bytes: bytes)) == [])
            #expect(trial.send(.time) == [.ping(1)], "\(trial.now)")
        }
        // A server that never ends its message keeps the connection for ten times the silence.
        #expect(trial.state.nextMoment == .seconds(450))
        trial.now = .seconds(450)
        _ = trial.send(.received(1, bytes: 135_000))
        #expect(trial.send(.time) == [.close(1, .goingAway), .end(1, .failed(.fault(.lost), .sent))])
    }

    /// When the connection is lost to which bytes come like this.
    @Test(arguments: [
        // Too slow from the beginning.
        (200, Duration.seconds(1_000), Duration.seconds(45)),
        // Fast at first. What came until the ping at 40 s counts.
        (300, .seconds(45), .seconds(85)),
        (300, .zero, .seconds(45)),
    ])
    func bytesThatComeTooSlowlyAreNone(_ rate: Int, _ end: Duration, _ wanted: Duration) {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        var effects: [ConnectionEffect] = []
        while !effects.contains(.close(1, .goingAway)), let next = trial.state.nextMoment, next < .seconds(500) {
            trial.now = next
            _ = trial.send(.received(1, bytes: rate * Int(min(next, end) / .seconds(1))))
            effects = trial.send(.time)
        }
        #expect(trial.now == wanted)
    }

    /// The bytes of complete messages say nothing about what comes after them.
    @Test func aCompleteMessageBeginsTheCountAnew() {
        var trial = Trial()
        _ = trial.request(.many)
        _ = trial.send(.opened(1, .complete))
        trial.now = .seconds(10)
        _ = trial.send(.reply(1, isLast: false, size: 50, 1))
        _ = trial.send(.received(1, bytes: 1_000_000))
        for second in [30, 50] {
            trial.now = .seconds(second)
            #expect(trial.state.nextMoment == trial.now)
            _ = trial.send(.received(1, bytes: 1_000_000))
            #expect(trial.send(.time) == [.ping(1)])
        }
        #expect(trial.state.nextMoment == .seconds(55))
    }

    /// Followers send nothing that would present a token.
    @Test func aNewTokenIsPresentedForFollowers() {
        var trial = Trial()
        _ = trial.send(.followed)
        #expect(trial.send(.renewed) == [])
        #expect(trial.send(.opened(1, .pending)) == [.present(1)])
        #expect(trial.send(.renewed) == [])
        #expect(trial.send(.presentationRefused(1)) == [])
        #expect(trial.send(.renewed) == [.present(1)])
        #expect(trial.send(.presented(1)) == [])
        #expect(trial.send(.renewed) == [])
    }

    /// The server may have carried a login out that its caller has given up.
    @Test func followersHearNoOtherUserAfterALogin() {
        var trial = Trial()
        _ = trial.send(.followed)
        _ = trial.send(.opened(1, .complete))
        #expect(trial.request(waitsForSession: false, isLogin: true) == [.write(1, 1)])
        #expect(trial.send(.cancel(1)) == [.present(1)])
        #expect(trial.send(.presentationRefused(1)) == [])
        #expect(trial.send(.time) == [])
    }

    /// The connection works for what needs no session.
    @Test func aRenewalThatComesToNothingCutsNoReplyOff() {
        var trial = Trial()
        _ = trial.send(.followed)
        _ = trial.send(.opened(1, .pending))
        #expect(trial.request(waitsForSession: false) == [.write(1, 1)])
        #expect(trial.send(.written(1, 1)) == [])
        #expect(trial.send(.presentationRefused(1)) == [])
        #expect(trial.send(.unrenewed(1)) == [])
        #expect(
            trial.send(.reply(1, isLast: true, size: 5, 1)) == [.deliver(1, isLast: true), .close(1, .goingAway)])
        #expect(trial.state.phase == .waiting(until: .milliseconds(500)))
    }

    @Test func aConnectionWithoutUseIsClosed() {
        var trial = Trial()
        _ = trial.request(.none)
        _ = trial.send(.opened(1, .complete))
        #expect(trial.send(.written(1, 1)) == [.end(1, .written)])
        for _ in 0..<14 {
            trial.now += .seconds(20)
            #expect(trial.send(.time) == [.ping(1)])
            _ = trial.send(.pong(1))
        }
        trial.now = .seconds(300)
        #expect(trial.send(.time) == [.ping(1), .close(1, .normal)])
        #expect(trial.state.phase == .idle)
        // It is opened again at once.
        #expect(trial.request() == [.open(2, isRepetition: false), .admit])
    }

    @Test func aSlowReaderHoldsTheServerBackForAWhile() {
        var trial = Trial()
        _ = trial.request(.many)
        _ = trial.request(.many)
        _ = trial.send(.opened(1, .complete))
        #expect(trial.send(.reply(1, isLast: false, size: 60, 1)) == [.deliver(1, isLast: false)])
        #expect(
            trial.send(.reply(1, isLast: false, size: 60, 1)) == [.deliver(1, isLast: false), .pauseReading(1)])
        #expect(trial.send(.consumed(1, size: 60)) == [])
        #expect(trial.send(.consumed(1, size: 60)) == [.resumeReading(1)])
        _ = trial.send(.reply(1, isLast: false, size: 120, 1))
        #expect(trial.state.nextMoment == .seconds(5))
        trial.now = .seconds(5)
        #expect(trial.send(.time) == [.end(1, .detached), .resumeReading(1)])
        #expect(trial.state.pendingCount == 1)
    }

    /// What is under way may end on the old network. Subscriptions are made again on the new one.
    @Test func aChangeOfTheNetworkMovesTheConnection() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.request(.many)
        _ = trial.send(.opened(1, .complete))
        _ = trial.send(.written(1, 1))
        _ = trial.send(.written(2, 1))
        #expect(trial.send(.networkChanged) == [])
        #expect(trial.request() == [])
        #expect(
            trial.send(.reply(1, isLast: true, size: 5, 1)) == [
                .deliver(1, isLast: true), .close(1, .goingAway), .end(2, .failed(.fault(.lost), .sent)),
                .open(2, isRepetition: false), .admit,
            ])
    }

    @Test func theEndOfTheSessionLetsTheLogoutEnd() {
        var trial = Trial()
        _ = trial.request()
        _ = trial.send(.opened(1, .complete))
        _ = trial.send(.written(1, 1))
        #expect(trial.send(.finish) == [])
        #expect(trial.request() == [.end(2, .failed(.finished, .notSent))])
        #expect(
            trial.send(.reply(1, isLast: true, size: 5, 1)) == [
                .deliver(1, isLast: true), .close(1, .goingAway), .admit,
            ])
        #expect(trial.state.phase == .finished)
    }

    @Test func aSlowOpeningFails() {
        var trial = Trial()
        _ = trial.request()
        trial.now = .seconds(10)
        #expect(
            trial.send(.time) == [.close(1, .goingAway), .end(1, .failed(.fault(.timeout), .notSent))])
        // It opens after all.
        #expect(trial.send(.opened(1, .complete)) == [.close(1, .normal)])
    }

    @Test func aRequestNeedsLittleMemory() {
        #expect(RequestBoard.bytesPerRequest <= 64)
    }
}
