import Foundation
import PresenceClient
import Testing

@testable import ErrandRuntime

/// Many clients on sockets, whose server restarts.
@Suite(.enabled(if: PresenceServers.isAvailable), .serialized) struct CrowdTests {
    private static let count = 1_000
    /// The pause before the first reopening is a random part of this.
    private static let window = 1.0

    /// The process is killed when its successor already listens, so that each client is back with its first attempt. Then no 100 ms
    /// have more than 1.5 times the mean of the attempt's window.
    @Test(.timeLimit(.minutes(5))) func aThousandClientsDoNotComeBackAtOnce() async throws {
        let servers = try PresenceServers()
        let log = OpeningLog()
        let transport = LoggedTransport(base: try servers.makeTransport(), log: log)
        let (notices, received) = AsyncStream.makeStream(of: String.self)
        let followers = try (0..<Self.count).map { _ in
            // One client each: clients that share a dispatcher share their connection.
            let presence = try servers.makeClient(haste: 1, over: transport)
            return Task {
                for await element in presence.events(of: Presence.Notice.self) {
                    if case .event(let notice) = element { received.yield(notice.text) }
                }
            }
        }
        defer { for follower in followers { follower.cancel() } }
        #expect(await comesTrue(within: .seconds(120)) { (try? await servers.connections()) == Self.count })
        let successor = try servers.startAgain()
        let watch = StallWatch()
        let start = Date().timeIntervalSince1970
        servers.kill()
        #expect(await comesTrue(within: .seconds(120)) { (try? await successor.connections()) == Self.count })
        let stall = watch.end()

        let attempts = log.times.map { $0 - start }.filter { $0 >= 0 }
        let arrivals = try await successor.arrivals().map { $0 - start }
        print(
            "Of \(Self.count) clients, in each 100 ms after the end of their server (longest pause of the machine: \(stall) s):"
        )
        let tenths = Int((max(attempts.max() ?? 0, arrivals.max() ?? 0) / 0.1).rounded(.up))
        for tenth in 0..<max(tenths, 10) {
            let range = Double(tenth) / 10..<Double(tenth + 1) / 10
            let (tried, came) = (attempts.count { range.contains($0) }, arrivals.count { range.contains($0) })
            print("  \(tenth * 100) ms: \(tried) attempts, \(came) arrivals \(String(repeating: "#", count: came / 4))")
        }
        #expect(attempts.count == Self.count, "each client is back with its first attempt")
        #expect(arrivals.count == Self.count)
        let mean = Double(Self.count) * 0.1 / Self.window
        // Attempts that a busy machine holds back come at once.
        let bound = mean * (1.5 + stall / 0.1)
        #expect(Self.most(of: attempts.sorted(), within: 0.1) <= Int(bound), "more than \(bound) attempts in 100 ms")

        try await successor.ask("notice again")
        var heard = 0
        for await text in notices {
            #expect(text == "again")
            heard += 1
            if heard == Self.count { break }
        }
    }

    /// The most of some sorted times that any interval has.
    private static func most(of times: [Double], within length: Double) -> Int {
        var (first, most) = (0, 0)
        for (index, time) in times.enumerated() {
            while times[first] <= time - length { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}

/// When connections were opened, in seconds since 1970.
private final class OpeningLog: Sendable {
    private let state = LockedState<[Double]> { [] }

    var times: [Double] { state.withLock { $0 } }
    func note() { state.withLock { $0.append(Date().timeIntervalSince1970) } }
}

private struct LoggedTransport: MessageTransport {
    let base: any MessageTransport
    let log: OpeningLog

    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        log.note()
        return try await base.open(opening)
    }
}

/// The longest time that tasks of this process had to wait for the machine.
private final class StallWatch: Sendable {
    private let longest = LockedState<Double> { 0 }
    private let task = LockedState<Task<Void, Never>?> { nil }

    init() {
        let longest = longest
        let watching = Task {
            while !Task.isCancelled {
                let start = ContinuousClock.now
                try? await Task.sleep(for: .milliseconds(5))
                let late = (ContinuousClock.now - start - .milliseconds(5)) / .seconds(1)
                longest.withLock { $0 = max($0, late) }
            }
        }
        task.withLock { $0 = watching }
    }

    func end() -> Double {
        task.withLock { $0?.cancel() }
        return longest.withLock { $0 }
    }
}
