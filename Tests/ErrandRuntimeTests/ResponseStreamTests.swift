import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A body that a test feeds.
private func body(_ chunks: [String], then fault: TransportFault? = nil, _ asked: Asked = Asked()) -> StreamedBody {
    let rest = LockedState<[String]> { chunks }
    return StreamedBody { () async throws(TransportFault) -> [UInt8]? in
        asked.count.withLock { $0 += 1 }
        let chunk = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let chunk { return Array(chunk.utf8) }
        if let fault { throw fault }
        return nil
    } cancel: {
        asked.isClosed.withLock { $0 = true }
    }
}

/// A reader's calls of a body.
private final class Asked: Sendable {
    let count = LockedState<Int> { 0 }
    let isClosed = LockedState<Bool> { false }
}

extension TransportResponse {
    fileprivate static func events(_ body: StreamedBody) -> TransportResponse {
        TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream; charset=utf-8"], stream: body)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ResponseStreamTests {
    private let clock = InstantClock()

    private func feed(_ transport: ScriptedTransport, session: Session = .begun, isInstant: Bool = true) -> Feed {
        let environment = isInstant ? DispatcherEnvironment(clock: clock) : DispatcherEnvironment()
        return Feed(Dispatcher(transport: transport, environment: environment), session: session)
    }

    /// The elements, and how it ended.
    private func read<C: StreamCommand>(
        _ stream: ResponseStream<C>, most: Int = .max
    ) async -> (elements: [C.Element], failure: C.Failure?) {
        var elements: [C.Element] = []
        var iterator = stream.makeAsyncIterator()
        do throws(C.Failure) {
            while elements.count < most, let element = try await iterator.next() { elements.append(element) }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }

    private let lost = TransportFault(.lost, evidence: .sent)

    @Test func elementsComeAndEnd() async {
        let transport = ScriptedTransport.scripted { _, _ in
            .events(
                body(["data: {\"n\":1}\n\nda", "ta: {\"n\":2}\n\n", ": beat\n\n", "data: {\"n\":3}\n\n: the end"])
            )
        }
        let (elements, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(elements == [1, 2, 3])
        #expect(failure == nil)
        let requests = transport.requests
        #expect(requests.count == 1)
        #expect(requests.first?.headers["Accept"] == "text/event-stream")
        #expect(requests.first?.streamsResponse == true)
    }

    @Test func aForLoopReadsIt() async throws {
        let transport = ScriptedTransport.scripted { _, _ in .events(body(["data: {\"n\":1}\n\n"])) }
        var sum = 0
        for try await element in feed(transport).stream(Feed.Watch()) { sum += element }
        #expect(sum == 1)
    }

    /// Connections that break at any place: with ids, no element is lost or comes twice.
    @Test func whatIsCutGoesOnAfterTheLastElement() async {
        let seed = UInt64.random(in: 0 ... .max)
        let random = LockedState<SeededGenerator> { SeededGenerator(seed: seed) }
        let total = 200
        let transport = ScriptedTransport.scripted { request, number in
            let start = (request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1
            let all = (start..<(total + 1)).map { "id: \($0)\nevent: x\ndata: {\"n\":\($0)}\n\n" }.joined()
            return random.withLock { random in
                // The last connection ends in peace.
                let cut = 200 + Int(random.next() % 2_000)
                let isCut = cut < all.utf8.count
                var rest = Array(all.utf8.prefix(cut))[...]
                var chunks: [String] = []
                while !rest.isEmpty {
                    let size = 1 + Int(random.next() % 200)
                    chunks.append(String(decoding: rest.prefix(size), as: UTF8.self))
                    rest = rest.dropFirst(size)
                }
                return .events(body(chunks, then: isCut ? TransportFault(.lost, evidence: .sent) : nil))
            }
        }
        // No connection is open for a minute, so each one costs an attempt. The pauses are short: the clock takes a long one for a
        // time limit.
        let rule = RetryRule(attempts: 1_000, base: .milliseconds(1), cap: .milliseconds(2))
        let feed = Feed(
            Dispatcher(
                transport: transport, settings: DispatcherSettings(retry: rule),
                environment: DispatcherEnvironment(clock: clock)))
        let (elements, failure) = await read(feed.stream(Feed.Watch()))
        #expect(elements == Array(1...total), "seed \(seed)")
        #expect(failure == nil, "seed \(seed)")
        #expect(transport.requests.count > 1, "seed \(seed)")
    }

    @Test func withoutAnIDNothingIsRepeated() async {
        let lost = lost
        let transport = ScriptedTransport.scripted { _, _ in
            .events(body(["id: 1\ndata: {\"n\":1}\n\ndata: {\"n\":2}\n\n"], then: lost))
        }
        let (elements, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(elements == [1, 2])
        #expect(failure?.context.name == "connectionLost")
        #expect(transport.requests.count == 1)
    }

    @Test func beforeTheFirstElementItIsOpenedAgain() async {
        let lost = lost
        let transport = ScriptedTransport.scripted { _, number in
            .events(number < 3 ? body(["retry: 700\n\n"], then: lost) : body(["data: {\"n\":1}\n\n"]))
        }
        let (elements, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(elements == [1])
        #expect(failure == nil)
        #expect(await clock.sleeps.allSatisfy { $0 >= .milliseconds(700) }, "the server wanted a pause")
        #expect(await clock.sleeps.count == 2)
    }

    @Test func itIsNotOpenedForEver() async {
        let lost = lost
        let transport = ScriptedTransport.scripted { _, _ in .events(body([": only a comment\n"], then: lost)) }
        let (_, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(failure?.context.name == "connectionLost")
        #expect(transport.requests.count == 3)
    }

    @Test func whatMustNotBeSentTwiceIsNotOpenedAgain() async {
        let lost = lost
        let transport = ScriptedTransport.scripted { _, _ in .events(body(["id: 1\ndata: {\"n\":1}\n\n"], then: lost)) }
        let (elements, failure) = await read(feed(transport).stream(Feed.Ask()))
        #expect(elements == [1])
        #expect(failure?.context.name == "unconfirmed")
        #expect(transport.requests.count == 1)
    }

    @Test func anEndThatIsMissingIsALoss() async {
        for (text, isWhole) in [
            ("data: {\"n\":1}\n\ndata: [DONE]\n\ndata: nonsense\n\n", true), ("data: {\"n\":1}\n\n", false),
        ] {
            let asked = Asked()
            let transport = ScriptedTransport.scripted { _, _ in .events(body([text], asked)) }
            let (elements, failure) = await read(feed(transport).stream(Feed.Ask()))
            #expect(elements == [1])
            #expect((failure == nil) == isWhole)
            #expect(asked.isClosed.withLock { $0 })
        }
    }

    @Test func aRefusalHasItsError() async {
        let transport = ScriptedTransport.scripted { _, _ in .json(400, #"{"error":{"code":"moved"}}"#) }
        let (_, failure) = await read(feed(transport).stream(Feed.Watch()))
        guard case .moved(let context)? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        #expect(context.status == 400)
    }

    @Test func aRefusalThatIsStreamedIsReadAsAWhole() async {
        let transport = ScriptedTransport.scripted { _, _ in
            TransportResponse(
                status: 200, headers: ["Content-Type": "application/json"],
                stream: body([#"{"error":{"#, #""code":"moved"}}"#]))
        }
        let (_, failure) = await read(feed(transport).stream(Feed.Watch()))
        guard case .moved? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
    }

    @Test func anotherAnswerThanAStreamIsMalformed() async {
        let transport = ScriptedTransport.scripted { _, _ in
            .json(200, #"{"n":1}"#, ["Content-Type": "application/json"])
        }
        let (_, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(failure?.context.name == "malformed")
    }

    @Test func declaredErrorsComeInTheMiddle() async {
        let transport = ScriptedTransport.scripted { _, number in
            .events(
                body(
                    number == 1
                        ? ["id: 1\ndata: {\"n\":1}\n\nid: 2\ndata: {\"error\":{\"code\":\"busy\"}}\n\n"]
                        : ["id: 2\ndata: {\"n\":2}\n\ndata: {\"error\":{\"code\":\"moved\"}}\n\n"]))
        }
        let (elements, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(elements == [1, 2])
        guard case .moved? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1"])
    }

    @Test func eventsThatAreFailuresAreNoElements() async {
        for (data, name) in [
            ("{\"n\":1}", "rejected"), ("no JSON", "rejected"), ("{\"error\":{\"code\":\"moved\"}}", "moved"),
        ] {
            let transport = ScriptedTransport.scripted { _, _ in .events(body(["event: error\ndata: \(data)\n\n"])) }
            let (elements, failure) = await read(feed(transport).stream(Feed.Watch()))
            #expect(elements.isEmpty)
            #expect(failure?.context.name == name)
        }
    }

    @Test func anElementThatBreaksTheContractEndsIt() async {
        let transport = ScriptedTransport.scripted { _, _ in .events(body(["data: {\"n\":1}\n\ndata: {\"m\":2}\n\n"])) }
        let (elements, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(elements == [1])
        #expect(failure?.context.name == "malformed")
    }

    @Test func linesAreRead() async {
        let transport = ScriptedTransport.scripted { _, _ in
            TransportResponse(status: 200, stream: body(["{\"n\":1}\n{\"n\"", ":2}\r\n\n{\"n\":3}"]))
        }
        let (elements, failure) = await read(feed(transport).stream(Feed.Lines()))
        #expect(elements == [1, 2, 3])
        #expect(failure == nil)
    }

    @Test func silenceEndsIt() async {
        let transport = ScriptedTransport.scripted { _, _ in
            let buffer = StreamedBodyBuffer()
            _ = buffer.push(Array("{\"n\":1}\n".utf8))
            return TransportResponse(status: 200, stream: buffer.makeBody())
        }
        let (elements, failure) = await read(feed(transport, isInstant: false).stream(Feed.BriefLines()))
        #expect(elements == [1])
        #expect(failure?.context.name == "timedOut")
    }

    @Test func theEndOfItsLoginEndsIt() async {
        let buffer = StreamedBodyBuffer()
        let transport = ScriptedTransport.scripted { _, _ in
            _ = buffer.push(Array("{\"n\":1}\n".utf8))
            return TransportResponse(status: 200, stream: buffer.makeBody())
        }
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        var iterator = feed(transport, session: session).stream(Feed.Lines()).makeAsyncIterator()
        do throws(Feed.Failure) {
            #expect(try await iterator.next() == 1)
            async let end: Void = session.end()
            _ = try await iterator.next()
            await end
            Issue.record("it goes on")
        } catch {
            #expect(error.context.name == "sessionEnded")
        }
    }

    /// The work of a stream begins in a task of its own, which another user's login may come before.
    @Test func itBelongsToTheLoginInWhichItIsAskedFor() async {
        let session = Session()
        await session.begin(SessionTokens(access: "a"))
        let transport = ScriptedTransport.scripted { _, _ in .json(200, "{\"n\":1}\n") }
        // Tasks begin when the test says so.
        let meeting = Meeting()
        let environment = DispatcherEnvironment(
            clock: clock,
            start: { work in
                Task {
                    await meeting.hold()
                    await work()
                }
            })
        let feed = Feed(Dispatcher(transport: transport, environment: environment), session: session)
        async let result = read(feed.stream(Feed.Lines()))
        await meeting.met()
        await session.end()
        await session.begin(SessionTokens(access: "b"))
        meeting.release()
        let (elements, failure) = await result
        #expect(elements.isEmpty)
        #expect(failure?.context.name == "sessionEnded")
        #expect(transport.requests.isEmpty)
    }

    @Test func cancellingItsTaskClosesIt() async {
        let buffer = StreamedBodyBuffer()
        let isClosed = LockedState<Bool> { false }
        buffer.onCancel { isClosed.withLock { $0 = true } }
        let (read, started) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport.scripted { _, _ in
            _ = buffer.push(Array("data: {\"n\":1}\n\n".utf8))
            return .events(buffer.makeBody())
        }
        let feed = feed(transport)
        let task = Task { () -> String? in
            var iterator = feed.stream(Feed.Watch()).makeAsyncIterator()
            do throws(Feed.Failure) {
                while try await iterator.next() != nil { started.finish() }
                return nil
            } catch {
                return error.context.name
            }
        }
        for await _ in read {}
        task.cancel()
        #expect(await task.value == "cancelled")
        #expect(isClosed.withLock { $0 })
    }

    @Test func leavingTheLoopClosesIt() async throws {
        let (closed, end) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport.scripted { _, _ in
            let buffer = StreamedBodyBuffer()
            buffer.onCancel { end.finish() }
            _ = buffer.push(Array("data: {\"n\":1}\n\n".utf8))
            return .events(buffer.makeBody())
        }
        let feed = Feed(
            Dispatcher(
                transport: transport, settings: DispatcherSettings(maximumRequestsPerHost: 1),
                environment: DispatcherEnvironment(clock: clock)))
        for try await _ in feed.stream(Feed.Watch()) { break }
        for await _ in closed {}
        // Its place at the host is free again.
        for try await _ in feed.stream(Feed.Watch()) { break }
    }

    @Test func nothingIsReadAhead() async throws {
        let asked = Asked()
        let chunks = (1...50).map { "data: {\"n\":\($0)}\n\n" }
        let transport = ScriptedTransport.scripted { _, _ in .events(body(chunks, asked)) }
        var iterator = feed(transport).stream(Feed.Watch()).makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        for number in 1...10 {
            #expect(try await iterator.next() == number)
            #expect(asked.count.withLock { $0 } == number)
        }
    }

    @Test func aLineWithoutEndIsRefused() async {
        let block = String(repeating: "x", count: 1 << 16)
        let asked = Asked()
        let transport = ScriptedTransport.scripted { _, _ in
            .events(
                StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    asked.count.withLock { $0 += 1 }
                    return Array(block.utf8)
                })
        }
        let (_, failure) = await read(feed(transport).stream(Feed.Watch()))
        #expect(failure?.context.name == "malformed")
        #expect(asked.count.withLock { $0 } <= 130, "8 MiB at most")
    }

}
