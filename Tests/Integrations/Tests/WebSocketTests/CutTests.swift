import Foundation
import PresenceClient
import Testing

@testable import ErrandRuntime

/// A connection that ends after each byte of a session, in either direction: a login, reads, writes of each effect, a subscription.
@Suite(.enabled(if: PresenceServers.isAvailable), .serialized) struct CutTests {
    /// With `ERRAND_CUTS=all`, the session is cut at each byte, which takes half a minute; otherwise at every sixteenth one and at
    /// those around the frames.
    private static let isWhole = ProcessInfo.processInfo.environment["ERRAND_CUTS"] == "all"
    private static let concurrency = 24

    private struct Cut: Sendable {
        let way: CutDirection
        let count: Int
        let number: Int

        var name: String { "\(number)" }
    }

    @Test(.timeLimit(.minutes(20))) func aSessionMayBeCutAfterEachByte() async throws {
        let servers = try PresenceServers()
        let start = ContinuousClock.now
        // Far more than the bytes of a session. All numbers have four digits, so that all sessions have the same bytes.
        let whole = Cut(way: .up, count: 1 << 20, number: 1_000)
        let course = try await Self.course(whole, on: servers, measured: true)
        #expect(course.steps.allSatisfy { $0.ending == .success }, "\(course.steps)")
        let ends = CutDirection.allCases.reduce(into: [CutDirection: [Int]]()) { ends, way in
            ends[way] = course.steps.compactMap { $0.bytes[way] }
        }
        var cuts: [Cut] = []
        for way in CutDirection.allCases {
            let last = try #require(ends[way]?.last)
            let offset = Int.random(in: 0..<16)
            for count in 0...last {
                let isNearAnEnd = ends[way]?.contains { abs($0 - count) <= 1 } ?? false
                guard Self.isWhole || count % 16 == offset || isNearAnEnd else { continue }
                cuts.append(Cut(way: way, count: count, number: 1_001 + cuts.count))
            }
        }
        let courses = try await Self.courses(of: cuts, on: servers)
        let effects = try await servers.effects()
        var unconfirmed = 0
        for (cut, course) in courses {
            let events = try await servers.events(of: course.number)
            var violations = course.violations(effects, events: events)
            for (index, step) in course.steps.enumerated() where step.ending != .success {
                // What is under way when the connection ends: from the end of the step before, to its own.
                let limits = ends[cut.way].map { $0[max(0, index - 1)]...$0[index] }
                let isUnderWay = limits?.contains(cut.count) ?? false
                if step.ending.isUnconfirmed, step.name.hasPrefix("poke"), isUnderWay {
                    unconfirmed += 1
                } else {
                    violations.append("\(step.name) ended as \(step.ending), cut between \(limits ?? 0...0)")
                }
            }
            if let failure = course.subscriptionFailure { violations.append("the subscription failed: \(failure)") }
            #expect(
                violations.isEmpty, "cut \(cut.way) after \(cut.count) bytes: \(violations.joined(separator: "; "))")
        }
        // Otherwise nothing was found out about commands that must not be sent again.
        #expect(unconfirmed > 0)
        let complaints = try await servers.complaints()
        #expect(complaints.isEmpty, "\(complaints.prefix(5))")
        print(
            "| cuts | up \(ends[.up]?.last ?? 0), down \(ends[.down]?.last ?? 0) bytes | \(cuts.count) cuts |"
                + " \(unconfirmed) unconfirmed | \(ContinuousClock.now - start) |")
    }

    private static func courses(of cuts: [Cut], on servers: PresenceServers) async throws -> [(Cut, PresenceCourse)] {
        try await withThrowingTaskGroup(of: (Cut, PresenceCourse).self) { group in
            var rest = cuts[...]
            func add() {
                guard let cut = rest.popFirst() else { return }
                group.addTask { (cut, try await course(cut, on: servers)) }
            }
            for _ in 0..<concurrency { add() }
            var courses: [(Cut, PresenceCourse)] = []
            while let course = try await group.next() {
                courses.append(course)
                add()
            }
            return courses
        }
    }

    private static func course(_ cut: Cut, on servers: PresenceServers, measured: Bool = false) async throws
        -> PresenceCourse
    {
        let url = servers.url(cutting: cut.way, after: cut.count, of: cut.name)
        return try await PresenceCourse(
            cut.number, of: servers.makeClient(url), on: servers, name: measured ? cut.name : nil)
    }
}
