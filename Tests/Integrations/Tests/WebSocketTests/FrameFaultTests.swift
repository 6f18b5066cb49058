import Foundation
import PresenceClient
import Testing

@testable import ErrandRuntime

/// Promise 8 on sockets: something goes wrong at each frame that a server sends in a session, and each command still ends once, as
/// `docs/connections.md` says.
@Suite(.enabled(if: PresenceServers.isAvailable), .serialized) struct FrameFaultTests {
    /// With `ERRAND_CUTS=all`, each fault is tried at each frame; otherwise at three frames of each session.
    private static let isWhole = ProcessInfo.processInfo.environment["ERRAND_CUTS"] == "all"

    /// What becomes of a session.
    enum Consequence: Sendable {
        /// Nothing is noticed of it.
        case none
        /// The connection is lost. Only what must not be sent again notices that.
        case lost
        /// One command fails because it cannot know what the server meant, or the subscription. Where no payload is read, nothing is
        /// noticed of a wrong one.
        case oneFailure
        /// The server rejects what is under way, or never answers it.
        case failures
    }

    static let faults: [(name: String, consequence: Consequence)] = [
        ("twice", .none), ("late", .none), ("unknown", .none), ("foreign", .none), ("new-kind", .none),
        ("nonsense", .none),
        ("binary", .none), ("invalid-text", .none), ("cut", .lost), ("cut-after", .lost), ("half", .lost),
        ("close-1000", .lost), ("close-1001", .lost), ("close-1012", .lost), ("close-1013", .lost),
        ("other-kind", .oneFailure),
        ("wrong-data", .oneFailure), ("too-long", .failures), ("half-and-new", .failures), ("reserved", .failures),
        ("close-1011", .failures), ("close-3000", .failures), ("close-4000", .failures), ("silent", .failures),
    ]

    @Test(.timeLimit(.minutes(20))) func everyFrameMayGoWrong() async throws {
        let servers = try PresenceServers()
        let seed = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999)
        let start = ContinuousClock.now
        // 1 login, 2 event, 3 query, 4 event, 5 message, 6 poke, 7 status, 8 event, 9 message, 10 poke, 11 query, 12 end.
        let frames = 12
        var trials: [(fault: String, consequence: Consequence, frame: Int, number: Int)] = []
        for (index, fault) in Self.faults.enumerated() {
            let some = (0..<3).map { (index * 5 + Int(seed % 12) + $0 * 4) % frames + 1 }
            for frame in Self.isWhole ? Array(1...frames) : some {
                trials.append((fault.name, fault.consequence, frame, trials.count + 100))
            }
        }
        let courses = try await withThrowingTaskGroup(of: (Int, PresenceCourse).self) { group in
            var rest = trials.enumerated().map { $0 }[...]
            func add() {
                guard let (index, trial) = rest.popFirst() else { return }
                group.addTask {
                    let url = servers.url(fault: trial.fault, at: trial.frame, of: "\(trial.number)")
                    // A silent connection is found out after the contract's 45 s.
                    let presence = try servers.makeClient(url, haste: trial.fault == "silent" ? 40 : 8)
                    return (index, try await PresenceCourse(trial.number, of: presence, on: servers))
                }
            }
            for _ in 0..<24 { add() }
            var courses: [(Int, PresenceCourse)] = []
            while let course = try await group.next() {
                courses.append(course)
                add()
            }
            return courses
        }
        let effects = try await servers.effects()
        for (index, course) in courses {
            let (fault, consequence, frame, _) = trials[index]
            var violations = course.violations(
                effects, events: try await servers.events(of: course.number),
                mayFail: consequence == .oneFailure || consequence == .failures)
            let failed = course.steps.filter { $0.ending != .success }
            switch consequence {
            case .none: if !failed.isEmpty { violations.append("failed: \(failed)") }
            case .lost:
                let others = failed.filter { !($0.name.hasPrefix("poke") && $0.ending.isUnconfirmed) }
                if !others.isEmpty || failed.count > 1 { violations.append("failed: \(failed)") }
            case .oneFailure:
                let count = failed.count + (course.subscriptionFailure == nil ? 0 : 1)
                let isRead = fault == "other-kind" || ![7, 12].contains(frame)
                if count != (isRead ? 1 : 0) {
                    violations.append("not one failure: \(failed), \(course.subscriptionFailure ?? "")")
                }
            case .failures: break
            }
            #expect(
                violations.isEmpty, "seed \(seed), \(fault) at frame \(frame): \(violations.joined(separator: "; "))")
        }
        let complaints = try await servers.complaints()
        #expect(complaints.isEmpty, "\(complaints.prefix(5))")
        print("| faults at frames | seed \(seed) | \(trials.count) sessions | \(ContinuousClock.now - start) |")
    }
}
