import Dispatch
import ErrandTesting
import TestShelf
import Testing

@testable import ErrandRuntime

/// The executor of a screen, which counts what it is asked to run.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "screen")
    let count = LockedState<Int> { 0 }

    func enqueue(_ job: consuming ExecutorJob) {
        count.withLock { $0 += 1 }
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Reads as a screen does, on an executor of its own.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private actor Screen {
    nonisolated let executor = CountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func count<Elements: AsyncSequence & Sendable>(_ elements: Elements) async throws -> Int {
        var count = 0
        for try await _ in elements { count += 1 }
        return count
    }

    func count(asking stream: ResponseStream<Feed.Lines>) async throws -> Int {
        var iterator = stream.makeAsyncIterator()
        var count = 0
        while try await iterator.next() != nil { count += 1 }
        return count
    }

    func count(asking elements: PageElements<PagedShelf.ByPage>) async throws -> Int {
        let walk = elements.makeAsyncIterator()
        var count = 0
        while try await walk.next() != nil { count += 1 }
        return count
    }
}

/// A reader that is isolated to an actor stays there while elements are buffered: a change of executor for each element costs
/// several times as much as the element.
@Suite(.timeLimit(.minutes(2))) struct ReaderIsolationTests {
    private static let count = 4_000
    /// The first element, each turn of a few hundred elements, and the end.
    private static let most = 100

    private static func feed(_ type: String, _ element: (Int) -> String) -> Feed {
        let body = Array((0..<count).map(element).joined().utf8)
        let transport = ScriptedTransport.scripted { _, _ in
            let chunks = LockedState { [body] }
            let stream = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                chunks.withLock { $0.popLast() }
            } cancel: {
            }
            return TransportResponse(status: 200, headers: ["Content-Type": type], stream: stream)
        }
        return Feed(Dispatcher(transport: transport, environment: DispatcherEnvironment(clock: InstantClock())))
    }

    private static let events = feed("text/event-stream") { "data: {\"n\":\($0)}\n\n" }
    private static let lines = feed("application/x-ndjson") { "{\"n\":\($0)}\n" }

    private static let shelf = PagedShelf(
        on: Dispatcher(
            transport: ScriptedTransport.scripted { _, number in
                let items = (0..<count / 4).map { "\($0 + number)" }.joined(separator: ",")
                return .json(200, #"{"items":[\#(items)],"total":4}"#)
            }, environment: DispatcherEnvironment(clock: InstantClock())))

    @Test func aBufferedElementOfAStreamChangesNoExecutor() async throws {
        guard #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) else { return }
        let screen = Screen()
        #expect(try await screen.count(Self.events.stream(Feed.Watch())) == Self.count)
        #expect(screen.executor.count.withLock { $0 } < Self.most, "events")
        let second = Screen()
        #expect(try await second.count(Self.lines.stream(Feed.Lines())) == Self.count)
        #expect(second.executor.count.withLock { $0 } < Self.most, "lines")
    }

    @Test func aBufferedElementOfAPageChangesNoExecutor() async throws {
        guard #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) else { return }
        let screen = Screen()
        #expect(try await screen.count(Self.shelf.elements(of: PagedShelf.ByPage())) == Self.count)
        #expect(screen.executor.count.withLock { $0 } < Self.most)
    }

    #if compiler(>=6.2)
    /// The same without a loop: `next()` stays where its caller is.
    @Test func anElementThatIsAskedForChangesNoExecutor() async throws {
        guard #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) else { return }
        let screen = Screen()
        #expect(try await screen.count(asking: Self.lines.stream(Feed.Lines())) == Self.count)
        #expect(screen.executor.count.withLock { $0 } < Self.most, "lines")
        let second = Screen()
        #expect(try await second.count(asking: Self.shelf.elements(of: PagedShelf.ByPage())) == Self.count)
        #expect(second.executor.count.withLock { $0 } < Self.most, "elements")
    }
    #endif
}
