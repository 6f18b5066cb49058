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
}
