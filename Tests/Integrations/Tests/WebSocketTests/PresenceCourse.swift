import Foundation
import PresenceClient

@testable import ErrandRuntime

/// What a client meets that does everything once: a login, reads, writes of each effect, and a subscription.
struct PresenceCourse: Sendable {
    /// How a command ended.
    enum Ending: Sendable, Equatable {
        case success
        case failure(name: String, applied: Applied)

        init<Response, Failure: CommandFailure>(_ result: Result<Response, Failure>) {
            switch result {
            case .success: self = .success
            case .failure(let failure): self = .failure(name: failure.context.name, applied: failure.context.applied)
            }
        }

        var isUnconfirmed: Bool {
            if case .failure("unconfirmed", _) = self { true } else { false }
        }
    }

    /// A step, and the bytes that had gone through the proxy when it was over.
    struct Step: Sendable {
        let name: String
        let ending: Ending
        var bytes: [CutDirection: Int] = [:]
    }

    let number: Int
    private(set) var steps: [Step] = []
    /// The positions of the elements of the subscription, in the order of their delivery.
    private(set) var positions: [Int] = []
    /// How the subscription ended: nil after its last element.
    private(set) var subscriptionFailure: String?
    private(set) var isSubscriptionOver = false

    /// The names of what may take effect, as the server counts it.
    static func effect(of step: String, _ number: Int) -> String? {
        switch step {
        case "poke 1": "poke \(number * 10 + 1)"
        case "poke 2": "poke \(number * 10 + 2)"
        case "send 1": "message \(number)-1"
        case "send 2": "message \(number)-2"
        default: nil
        }
    }

    /// - Parameters:
    ///   - number: tells it from other courses, on the same server.
    ///   - name: of the course at the cutting proxy, to note the bytes of each step.
    init(_ number: Int, of presence: Presence, on servers: PresenceServers, name: String? = nil) async throws {
        self.number = number
        try await servers.ask("say \(number) 1")
        let reader = PositionReader(presence, room: number)
        // What follows is in one order if the subscription is there.
        _ = await comesTrue { await reader.hasReached(1) }
        func add(_ name: String, _ ending: Ending) async throws {
            steps.append(Step(name: name, ending: ending))
            if let course { steps[steps.count - 1].bytes = try await servers.bytes(of: course) }
        }
        let course = name
        try await add("follow", .success)
        try await add("query 1", Ending(await presence.result(of: Presence.QueryInfo(of: number))))
        try await add(
            "send 1", Ending(await presence.result(of: Presence.SendMessage(room: number, text: "\(number)-1"))))
        try await add("poke 1", Ending(await presence.result(of: Presence.Poke(user: number * 10 + 1))))
        try await add("status", Ending(await presence.result(of: Presence.SetStatus(status: .away, text: "\(number)"))))
        try await add(
            "send 2", Ending(await presence.result(of: Presence.SendMessage(room: number, text: "\(number)-2"))))
        try await add("poke 2", Ending(await presence.result(of: Presence.Poke(user: number * 10 + 2))))
        try await add("query 2", Ending(await presence.result(of: Presence.QueryInfo(of: number))))
        let events = try await servers.events(of: number)
        _ = await comesTrue { await reader.hasReached(events) }
        // A subscription that is being made again hears the end the next time.
        isSubscriptionOver = await comesTrue {
            _ = try? await servers.ask("finish \(number)")
            return await reader.isOver
        }
        (positions, subscriptionFailure) = (await reader.positions, await reader.failure)
    }

    /// What is wrong with the course, whatever happened to its connections.
    ///
    /// - Parameter mayFail: whether the subscription may have failed, after some of its elements.
    func violations(_ effects: [String: Int], events: Int, mayFail: Bool = false) -> [String] {
        var found: [String] = []
        for step in steps {
            guard let effect = Self.effect(of: step.name, number) else { continue }
            let count = effects[effect] ?? 0
            if count > 1 { found.append("\(step.name) took effect \(count) times") }
            switch step.ending {
            case .success: if count != 1 { found.append("\(step.name) succeeded, with \(count) effects") }
            case .failure(let name, .never):
                if count > 0 { found.append("\(step.name) took effect, and says \(name), never") }
            case .failure(let name, .yes):
                if count == 0 { found.append("\(step.name) had no effect, and says \(name)") }
            case .failure: break
            }
        }
        if !isSubscriptionOver { found.append("the subscription has no end") }
        let count = mayFail && subscriptionFailure != nil ? positions.count : events
        if positions != Array(1..<(count + 1)) { found.append("of \(events) events, \(positions) arrived") }
        return found
    }
}

/// Reads a subscription, and notes what arrives.
actor PositionReader {
    private(set) var positions: [Int] = []
    private(set) var isOver = false
    private(set) var failure: String?

    /// Whether so many elements have arrived, or no more will.
    func hasReached(_ count: Int) -> Bool { isOver || positions.count >= count }

    init(_ presence: Presence, room: Int) {
        Task { await read(presence, room) }
    }

    private func read(_ presence: Presence, _ room: Int) async {
        do {
            for try await event in presence.follow(room: room, since: 0) { positions.append(event.seq) }
        } catch {
            failure = "\(error)"
        }
        isOver = true
    }
}

/// Waits until something holds; false if it does not within the limit.
func comesTrue(within limit: Duration = .seconds(30), _ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return await condition()
}

/// A clock on which time passes faster, so that pauses and limits need not be waited for.
struct FastClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let start = ContinuousClock.now
    let factor: Int

    var now: Instant { start + (ContinuousClock.now - start) * factor }
    var minimumResolution: Duration { ContinuousClock().minimumResolution * factor }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let left = now.duration(to: deadline)
        if left > .zero { try await Task.sleep(for: left / factor) }
    }
}
