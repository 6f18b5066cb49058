import Testing

@testable import ErrandRuntime

@Suite struct TimeLimitTests {
    @Test func allLimitsPassWhateverTheOrderTheyCameIn() async {
        let limits = TimeLimits(DispatcherSurroundings())
        let passed = await withTaskGroup(of: Int.self) { group in
            for milliseconds in [90, 10, 50, 130] {
                group.addTask {
                    let isOver = await limits.wait(until: .milliseconds(milliseconds))
                    return isOver ? milliseconds : -1
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(passed.sorted() == [10, 50, 90, 130])
    }

    @Test func aCancelledOneEndsAtOnceAndTheOthersDoNot() async {
        let limits = TimeLimits(DispatcherSurroundings())
        let long = Task { await limits.wait(until: .seconds(600)) }
        let short = Task { await limits.wait(until: .milliseconds(60)) }
        long.cancel()
        #expect(await !long.value)
        #expect(await short.value)
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            return await limits.wait(until: .seconds(600))
        }
        cancelled.cancel()
        #expect(await !cancelled.value)
    }

    @Test func theEarliestComesFirst() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var heap = EarliestFirst()
        let moments = (0..<500).map { _ in Duration.milliseconds(Int.random(in: 0...99, using: &generator)) }
        for (id, moment) in moments.enumerated() {
            heap.insert(EarliestFirst.Limit(moment: moment, id: id))
        }
        heap.keep { $0 % 3 > 0 }
        var taken: [EarliestFirst.Limit] = []
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
        let limits = TimeLimits(DispatcherSurroundings())
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<5_000 {
                group.addTask { _ = await limits.wait(until: .microseconds(20_000 + index)) }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
