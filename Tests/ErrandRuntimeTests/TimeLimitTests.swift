import ErrandTesting
import Testing

@testable import ErrandRuntime

private enum Caller {
    @TaskLocal static var name: String?
}

@Suite(.overSocketsToo) struct TimeLimitTests {
    /// The first command starts the task that watches all limits.
    @Test func theFirstCommandsTaskIsNotEveryones() async {
        let limits = TimeLimits(DispatcherEnvironment())
        let (found, following) = AsyncStream<(String?, TaskPriority)>.makeStream()
        await Task(priority: .background) {
            Caller.$name.withValue("first") {
                _ = limits.set(at: .milliseconds(20)) { following.yield((Caller.name, Task.currentPriority)) }
            }
        }.value
        let (name, priority) = await found.first { _ in true } ?? ("none", .background)
        #expect(name == nil)
        #expect(priority > .background)
    }

    @Test func allLimitsPassWhateverTheOrderTheyCameIn() async {
        let limits = TimeLimits(DispatcherEnvironment())
        let (passed, following) = AsyncStream<Int>.makeStream()
        for milliseconds in [90, 10, 50, 130] {
            _ = limits.set(at: .milliseconds(milliseconds)) { following.yield(milliseconds) }
        }
        var found: [Int] = []
        for await one in passed {
            found.append(one)
            if found.count == 4 { break }
        }
        #expect(found.sorted() == [10, 50, 90, 130])
    }

    @Test func aDroppedOneIsNeverHeardOf() async {
        let limits = TimeLimits(DispatcherEnvironment())
        let (passed, following) = AsyncStream<Int>.makeStream()
        let dropped = limits.set(at: .milliseconds(1_000)) { following.yield(1_000) }
        let kept = limits.set(at: .milliseconds(1_100)) { following.yield(1_100) }
        #expect(limits.drop(dropped))
        #expect(!limits.drop(dropped))
        #expect(await passed.first { _ in true } == 1_100)
        #expect(!limits.drop(kept))
    }

    /// A client of a connection sets limits of minutes. What it took must not wait for them.
    @Test func whoeverIsGoneWaitsForNoLimit() async {
        weak var gone: TimeLimits?
        do {
            let limits = TimeLimits(DispatcherEnvironment())
            _ = limits.set(at: .seconds(600)) {}
            gone = limits
        }
        #expect(gone == nil)
    }

    @Test func workIsCancelledWhenItsTimeIsOver() async {
        let dispatcher = Dispatcher(transport: ScriptedTransport { _, _ in .json(200, "{}") })
        let slow = await dispatcher.limit(to: .milliseconds(20)) { () -> String in
            try? await Task.sleep(for: .seconds(600))
            return "\(Task.isCancelled)"
        }
        #expect(slow.value == "true" && slow.isTimeOver)
        let quick = await dispatcher.limit(to: .seconds(600)) { 1 }
        #expect(quick.value == 1 && !quick.isTimeOver)
        let cancelled = Task {
            await dispatcher.limit(to: .seconds(600)) { try? await Task.sleep(for: .seconds(600)) }.isTimeOver
        }
        cancelled.cancel()
        #expect(await !cancelled.value)
    }

    @Test func theEarliestComesFirst() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var heap = Heap<TimeLimit>()
        let moments = (0..<500).map { _ in Duration.milliseconds(Int.random(in: 0...99, using: &generator)) }
        for (id, moment) in moments.enumerated() {
            heap.insert(TimeLimit(moment: moment, id: id))
        }
        heap.keep { $0.id % 3 > 0 }
        var taken: [TimeLimit] = []
        while let first = heap.first {
            taken.append(first)
            heap.removeFirst()
        }
        #expect(taken.count == 333)
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    }

    /// Each on its own moment, and all of them due when the task wakes: one by one, each with a look at
    /// all others, they took half a minute.
    @Test func manyLimitsPassInTime() async {
        let limits = TimeLimits(DispatcherEnvironment())
        let start = ContinuousClock.now
        let (passed, following) = AsyncStream<Int>.makeStream()
        for index in 0..<5_000 {
            _ = limits.set(at: .microseconds(20_000 + index)) { following.yield(index) }
        }
        var count = 0
        for await _ in passed {
            count += 1
            if count == 5_000 { break }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
