import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// Subscriptions and events.
@Suite(.timeLimit(.minutes(2))) struct SubscriptionTests {
    private static func element(_ frame: SentFrame, _ number: Int, _ line: ScriptedLine) {
        line.reply(to: frame, #"{"seq":\#(number)}"#)
    }

    @Test func elementsArriveUntilTheEnd() async throws {
        let server = ScriptedMessages { frame, line in
            for number in 1...5 { Self.element(frame, number, line) }
            line.reply(to: frame, kind: "closed")
        }
        var elements: [Int] = []
        for try await element in Parlor(server).stream(Parlor.Follow()) { elements.append(element) }
        #expect(elements == [1, 2, 3, 4, 5])
        #expect(server.kinds == ["follow"])
    }

    @Test func itIsMadeAgainFromItsPositionAndNothingComesTwice() async throws {
        let server = ScriptedMessages { frame, line in
            switch line.number {
            case 1:
                for number in 1...3 { Self.element(frame, number, line) }
                line.cut()
            case 2:
                // It repeats the last ones.
                for number in 2...6 { Self.element(frame, number, line) }
                line.close(by: 1012)
            default:
                for number in 7...9 { Self.element(frame, number, line) }
                line.reply(to: frame, kind: "closed")
            }
        }
        var elements: [Int] = []
        for try await element in Parlor(server).stream(Parlor.Follow()) { elements.append(element) }
        #expect(elements == Array(1...9))
        #expect(server.frames.map(\.data) == ["{}", #"{"since":3}"#, #"{"since":6}"#])
    }

    @Test func withoutAPositionTheReaderHearsThatEventsMayBeMissing() async throws {
        let server = ScriptedMessages { frame, line in
            Self.element(frame, line.number, line)
            if line.number == 1 { line.cut() }
        }
        var elements: [EventOrGap<Int>] = []
        for try await element in Parlor(server).stream(Parlor.Watch()) {
            elements.append(element)
            if elements.count == 3 { break }
        }
        #expect(elements == [.event(1), .gap, .event(2)])
        #expect(server.kinds == ["watch", "watch"])
    }

    @Test func leavingItTellsTheServer() async throws {
        let server = ScriptedMessages { frame, line in
            if frame.kind == "follow" { Self.element(frame, 1, line) }
        }
        let parlor = Parlor(server)
        for try await element in parlor.stream(Parlor.Follow()) where element == 1 { break }
        #expect(await eventually { server.kinds == ["follow", "unfollow"] })
        #expect(server.frames.first?.id == server.frames.last?.id)
        #expect(server.line?.closed == nil)
    }

    @Test func aFailureEndsItAndIsTyped() async throws {
        let server = ScriptedMessages { frame, line in
            Self.element(frame, 1, line)
            line.reply(to: frame, #"{"code":"noRoom"}"#, kind: "error")
        }
        var elements: [Int] = []
        var name: String?
        do throws(Parlor.Failure) {
            for try await element in Parlor(server).stream(Parlor.Follow()) { elements.append(element) }
        } catch {
            name = error.context.name
        }
        #expect(elements == [1] && name == "noRoom")
        #expect(server.kinds == ["follow"])
    }

    @Test func aSlowReaderHoldsTheServerBackAndLosesNothing() async throws {
        let server = ScriptedMessages { frame, line in
            for number in 1...20_000 { Self.element(frame, number, line) }
            line.reply(to: frame, kind: "closed")
        }
        var count = 0
        for try await element in Parlor(server).stream(Parlor.Follow()) {
            count += 1
            if element == 1 { try await Task.sleep(for: .milliseconds(200)) }
        }
        #expect(count == 20_000)
    }

    // MARK: Events

    @Test func anyNumberOfFollowersGetAnEvent() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        var first = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        var second = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        #expect(await eventually { server.line != nil })
        server.line?.say(#"{"type":"notice","data":{"text":"hello"}}"#)
        #expect(await first.next() == .event(Parlor.Notice(text: "hello")))
        #expect(await second.next() == .event(Parlor.Notice(text: "hello")))
        // A command shares the connection.
        _ = try await parlor.send(Parlor.Ask())
        #expect(server.openings.count == 1)
    }

    /// A server decides how many events there are, and how long they are.
    @Test(arguments: [(count: 1_500, length: 1, kept: 1_024), (count: 9, length: 300_000, kept: 3)])
    func aSlowFollowerKeepsTheNewestEvents(_ count: Int, _ length: Int, _ kept: Int) async throws {
        let text = String(repeating: "x", count: length)
        let server = ScriptedMessages { frame, line in
            for number in 1...count { line.say(#"{"type":"notice","data":{"text":"\#(number) \#(text)"}}"#) }
            line.reply(to: frame, #"{"is":5}"#)
        }
        let parlor = Parlor(server)
        var events = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        // Its reply comes after all events.
        _ = try await parlor.send(Parlor.Ask())
        #expect(await events.next() == .gap)
        for number in (count - kept + 1)...count {
            #expect(await events.next() == .event(Parlor.Notice(text: "\(number) \(text)")))
        }
    }

    @Test func followersHearOfALossAndGetTheEventsAfterIt() async throws {
        let server = ScriptedMessages { _, _ in }
        let parlor = Parlor(server)
        var events = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        #expect(await eventually { server.lines.count == 1 })
        server.line?.cut()
        #expect(await events.next() == .gap)
        #expect(await eventually { server.lines.count == 2 })
        server.line?.say(#"{"type":"notice","data":{"text":"back"}}"#)
        #expect(await events.next() == .event(Parlor.Notice(text: "back")))
    }

    @Test func eventsEndWithTheLogin() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame) }
        let session = Session()
        await session.begin(SessionTokens(access: "right"))
        let parlor = Parlor(server, session: session)
        var events = parlor.events(of: Parlor.Notice.self).makeAsyncIterator()
        #expect(await eventually { server.line != nil })
        await session.end()
        while let event = await events.next() { #expect(event == .gap) }
    }

    @Test func anEventThatBreaksTheContractIsDroppedAndReported() async throws {
        let feed = ReportFeed()
        let server = ScriptedMessages { _, _ in }
        let parlor = Parlor(server, observers: [feed])
        let events = parlor.events(of: Parlor.Notice.self)
        #expect(await eventually { server.line != nil })
        server.line?.say(#"{"type":"notice","data":{"text":5}}"#)
        #expect(await eventually { feed.drops == ["malformed"] })
        _ = events
    }
}
