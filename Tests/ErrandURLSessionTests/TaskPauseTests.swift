import ErrandRuntime
import Testing

@testable import ErrandURLSession

/// A task is suspended only while its buffer is full. With one suspension too many, its response would never continue.
@Suite struct TaskPauseTests {
    private final class CountedTask: SuspendableTask {
        let suspensions = LockedState<Int> { 0 }
        let highest = LockedState<Int> { 0 }

        func suspend() {
            let count = suspensions.withLock { count in
                count += 1
                return count
            }
            highest.withLock { $0 = max($0, count) }
        }
        func resume() { suspensions.withLock { $0 -= 1 } }
    }

    /// `URLSession` delivers the data that it read before the suspension.
    @Test func dataAfterTheSuspensionSuspendsNoSecondTime() async throws {
        let (buffer, task) = (StreamedBodyBuffer(), CountedTask())
        let pause = TaskPause(buffer)
        for _ in 1...5 {
            if !buffer.push([UInt8](repeating: 7, count: 400_000), orWait: { pause.follow(task) }) {
                pause.follow(task)
            }
        }
        buffer.finish()
        let body = buffer.makeBody()
        while try await body.next() != nil {}
        await Self.settle()
        #expect(task.suspensions.withLock { $0 } == 0)
        #expect(task.highest.withLock { $0 } <= 1)
    }

    /// A reader on another thread makes room while the buffer becomes full.
    @Test(.timeLimit(.minutes(1))) func aReaderAtTheSameMomentLeavesTheTaskRunning() async throws {
        for _ in 1...300 {
            let (buffer, task) = (StreamedBodyBuffer(), CountedTask())
            let pause = TaskPause(buffer)
            let body = buffer.makeBody()
            async let received = Self.count(body)
            for _ in 1...30 {
                let isRoom = buffer.push([UInt8](repeating: 7, count: 300_000)) { pause.follow(task) }
                if !isRoom { pause.follow(task) }
            }
            await Self.settle()
            while buffer.size > 0 { await Task.yield() }
            await Self.settle()
            #expect(task.suspensions.withLock { $0 } == 0, "everything was read, and the task is suspended")
            buffer.finish()
            #expect(try await received == 9_000_000)
        }
    }

    private static func count(_ body: StreamedBody) async throws -> Int {
        var count = 0
        while let chunk = try await body.next() { count += chunk.count }
        return count
    }

    /// Waits until all given orders are carried out.
    private static func settle() async {
        await withCheckedContinuation { continuation in SessionOrders.give { continuation.resume() } }
    }
}
