#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Everything by which one run could differ from another: time, chance, and the start of tasks. With
/// all three replaced, a run can be repeated exactly.
public struct DispatcherEnvironment: Sendable {
    package let time: Timekeeper
    package let wallTime: @Sendable () -> Date
    package let chance: RandomSource
    let start: TaskStarter

    /// Starts a task that isn't a child of the caller's, and returns it, so that it can be waited for or cancelled.
    public typealias TaskStarter = @Sendable (_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>

    private let isTaskStarterOwn: Bool

    /// - Parameters:
    ///   - clock: measures and waits.
    ///   - wallTime: the date, for time stamps and for dates in headers.
    ///   - generator: the source of all random numbers: pauses, keys, identifiers.
    ///   - start: starts all tasks that aren't children of the caller's, such as attempts and the renewal of a session. Nil for
    ///     plain tasks.
    public init<C: Clock>(
        clock: C = ContinuousClock(), wallTime: @escaping @Sendable () -> Date = { Date() },
        generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        start: TaskStarter? = nil
    ) where C.Duration == Duration {
        time = Timekeeper(clock)
        self.wallTime = wallTime
        chance = RandomSource(generator)
        self.start = start ?? { operation in Task(operation: operation) }
        isTaskStarterOwn = start != nil
    }

    /// Starts a task that works for many commands. It inherits neither the priority nor the task-local values of the command
    /// that starts it.
    package func startDetached(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        isTaskStarterOwn ? start(operation) : Task.detached(operation: operation)
    }

    /// Starts a task that runs on the caller's thread until it waits for something, if the system can do that: what
    /// need not wait is done on return.
    ///
    /// - Parameter turn: over when the operation has begun: on return, or else as its first step.
    func startAtOnce(
        in turn: GateTurn? = nil, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        #if compiler(>=6.2)
        if !isTaskStarterOwn, #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            defer { turn?.end() }
            return Task.immediate(operation: operation)
        }
        #endif
        guard let turn else { return start(operation) }
        return start {
            turn.end()
            await operation()
        }
    }
}

/// A clock with its type erased. Moments count from when the value was made.
package struct Timekeeper: Sendable {
    private let elapsed: @Sendable () -> Duration
    /// Waits until a moment.
    private let wait: @Sendable (Duration) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// How much time has passed since this was made.
    package var now: Duration { elapsed() }

    /// Waits. False if the task was cancelled meanwhile.
    func sleep(for duration: Duration) async -> Bool { await sleep(until: now + duration) }

    /// Waits until a moment. False if the task was cancelled meanwhile.
    func sleep(until moment: Duration) async -> Bool {
        do {
            try await wait(moment)
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}

/// The random numbers of a dispatcher, drawn by one caller at a time.
package final class RandomSource: Sendable {
    private let generator: LockedState<any RandomNumberGenerator & Sendable>

    init(_ generator: some RandomNumberGenerator & Sendable) {
        self.generator = LockedState { generator }
    }

    func next() -> UInt64 {
        generator.withLock { $0.next() }
    }

    /// At least 0 and below 1.
    package func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A random UUID (RFC 9562 section 5.4).
    package func uuid() -> UUID {
        let (high, low) = generator.withLock { ($0.next(), $0.next()) }
        func byte(_ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> (56 - (index % 8) * 8))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6) & 0x0F | 0x40, byte(7),
                byte(8) & 0x3F | 0x80, byte(9), byte(10), byte(11), byte(12), byte(13), byte(14),
                byte(15)
            ))
    }

    /// A boundary for a multipart body (RFC 2046 section 5.1.1).
    func boundary() -> String {
        "errand-" + String(next(), radix: 36) + String(next(), radix: 36)
    }
}

/// A random number generator that gives the same numbers for the same seed (SplitMix64, Steele and
/// others 2014). Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension DispatcherEnvironment {
    /// By how much the device's date may be set back, in seconds, as a correction does. The time that has passed may be longer by so much
    /// than the dates say.
    package static let setback = 60.0

    /// How long ago a time was at most, in seconds since 1970. A time that lies farther in the future than a correction explains counts
    /// as long ago, because the device's date was changed.
    package func age(since moment: Double) -> Duration {
        let age = wallTime().timeIntervalSince1970 - moment + Self.setback
        return age >= 0 && age < 1e9 ? .seconds(age) : .seconds(1_000_000_000)
    }
}
