#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One of two contenders with the same work.
public struct Contender {
    /// Does the work once, and returns a number that both contenders must agree about.
    let work: () async throws -> Int

    public init(_ work: @escaping () async throws -> Int) { self.work = work }

    /// Seconds of processor time for a number of repetitions.
    func time(_ repetitions: Int, expecting result: Int) async throws -> Double {
        let start = Self.processorTime()
        var sum = 0
        for _ in 0..<repetitions { sum &+= try await work() }
        let end = Self.processorTime()
        guard sum == result &* repetitions else { throw Disagreement(what: "the size of the result") }
        return end - start
    }

    /// The number of repetitions that take at least a given time.
    func repetitions(lasting slot: Double, expecting result: Int) async throws -> Int {
        var count = 1
        while true {
            let time = try await time(count, expecting: result)
            if time >= slot { return count }
            count = max(count + 1, min(count * 10, Int(Double(count) * slot / max(time, 1e-9) * 1.1)))
        }
    }

    /// Processor time of the whole process, which other processes do not lengthen as they do the wall's.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Two contenders that are measured in turns, so that a slow machine slows down both.
public struct Comparison {
    /// The other contender's time divided by ours: the median of the rounds.
    public let ratio: Double
    /// The least and the greatest ratio of a round.
    public let spread: ClosedRange<Double>
    /// Seconds of processor time, median of the rounds.
    public let ours: Double
    public let theirs: Double

    /// - Parameters:
    ///   - rounds: how often both are measured.
    ///   - slot: seconds that one measurement lasts at least.
    public static func measure(rounds: Int, slot: Double, ours: Contender, theirs: Contender) async throws -> Comparison
    {
        let result = try await ours.work()
        try await Disagreement.check("the size of the result", result, theirs.work())
        let ourCount = try await ours.repetitions(lasting: slot, expecting: result)
        let theirCount = try await theirs.repetitions(lasting: slot, expecting: result)
        var times: [(ours: Double, theirs: Double)] = []
        for round in 0..<rounds {
            // The order alternates, because the first contender finds the caches as the last round left them.
            let first = round % 2 == 0 ? nil : try await theirs.time(theirCount, expecting: result)
            let mine = try await ours.time(ourCount, expecting: result) / Double(ourCount)
            let other = if let first { first } else { try await theirs.time(theirCount, expecting: result) }
            times.append((mine, other / Double(theirCount)))
        }
        let ratios = times.map { $0.theirs / $0.ours }.sorted()
        return Comparison(
            ratio: median(ratios), spread: (ratios.first ?? 0)...(ratios.last ?? 0), ours: median(times.map(\.ours)),
            theirs: median(times.map(\.theirs)))
    }
}

/// The middle one of some values, of which there is at least one.
public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Two sides have different values, so a ratio between them would mean nothing.
public struct Disagreement: Error, CustomStringConvertible {
    public let what: String
    public var description: String { "the two sides do not agree about \(what)" }

    public init(what: String) { self.what = what }

    public static func check<Value: Equatable>(_ what: String, _ ours: Value, _ theirs: Value) throws {
        if ours != theirs { throw Disagreement(what: what) }
    }
}
