import ErrandRuntime
import ErrandUI
import PresenceClient
import TestServices

/// Commands and a subscription on one connection, whose server is killed and started again.
extension BankDemo {
    func loseTheConnection() async throws {
        let service = try await PresenceService.start()
        narrator.title("\nThe client of contracts/presence.contract.yaml, on one connection to \(service.url)")
        let presence = Presence(
            Presence.Server(url: service.url),
            on: Dispatcher(
                transport: SystemTransport.make(), responder: presenter,
                settings: DispatcherSettings(messageTransport: Self.messageTransport)),
            session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
        narrator.step(
            "for try await event in presence.follow(room: 5, since: 0)   // and 20 messages, and the server is killed")
        let follower = RoomFollower()
        let following = Task { await follower.follow(presence) }
        await service.happen(in: 5, "Good morning", by: 2)
        _ = await comesTrue { await follower.texts.count == 1 }

        let commands = 20
        terminal.forget()
        // The first half arrives, and the replies are lost.
        await service.setSilent(true)
        let first = Task { await send(1...commands / 2, presence) }
        let isHalfDone = await comesTrue { await service.stored.count == commands / 2 }
        await service.stop()
        let second = Task { await send(commands / 2 + 1...commands, presence) }
        // Something happens that no connection is there for.
        await service.happen(in: 5, "Where are you?", by: 2)
        let isShown = await comesTrue { terminal.asks(about: "The server cannot be reached.") }
        narrator.claim(
            isHalfDone && isShown, "\(commands / 2) messages have arrived, no reply came, and the app says so")
        try await Task.sleep(for: .seconds(1))
        await service.setSilent(false)
        try await service.restart()
        narrator.remark("the server is back, and the user tries again")
        terminal.type("t")
        let answered = await first.value + second.value
        await service.happen(in: 5, "There you are", by: 2)

        // Its own messages, and three events.
        let events = commands + 3
        _ = await comesTrue { await follower.texts.count >= events }
        await service.closeRoom(5)
        let isOver = await comesTrue { await follower.isOver }
        following.cancel()
        let (seen, stored) = (await follower.positions, await service.stored)
        let (logins, notices) = (await service.logins, terminal.messages)
        narrator.claim(answered == commands, "\(answered) of \(commands) commands have their reply")
        narrator.claim(
            stored.count == commands && Set(stored).count == commands,
            "\(stored.count) messages are in the room, each once, from \(await service.frames(of: "message.send")) frames"
        )
        narrator.claim(
            isOver && seen == Array(1...events), "\(seen.count) of \(events) events were shown, in order, none twice")
        narrator.claim(
            logins == 1 && notices == 1,
            "\(logins) login, \(notices) notice, \(await service.openings) connections")
        let violations = await service.violations
        narrator.claim(violations.isEmpty, "every frame was as the contract says")
        for violation in violations { narrator.contradict(violation) }
        await service.stop()
    }

    /// How many messages were sent well.
    private func send(_ numbers: ClosedRange<Int>, _ presence: Presence) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in numbers {
                group.addTask {
                    guard
                        case .success = await presence.result(
                            of: Presence.SendMessage(room: 5, text: "Message \(number)"))
                    else { return false }
                    return true
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    /// The system's own on Apple's systems. Elsewhere an app takes `WebSocketTransport` of the product ErrandWebSocket, which would
    /// fetch SwiftNIO for the demo.
    private static var messageTransport: (any MessageTransport)? {
        #if canImport(Darwin)
        nil
        #else
        SocketTransport()
        #endif
    }
}

/// A screen that shows what happens in a room.
private actor RoomFollower {
    private(set) var positions: [Int] = []
    private(set) var texts: [String] = []
    private(set) var isOver = false

    func follow(_ presence: Presence) async {
        do {
            for try await event in presence.follow(room: 5, since: 0) {
                positions.append(event.seq)
                texts.append(event.text ?? "")
            }
            isOver = true
        } catch {
            // The scene says that the end is missing.
        }
    }
}
