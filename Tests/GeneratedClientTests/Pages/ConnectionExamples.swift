import ErrandRuntime
import ErrandStubs
import ErrandTesting
import PresenceClient
import Testing

// The examples of `docs/connections.md` that are run. `scripts/check pages` compares them with the page.

func presenceWithoutAServer() -> Presence {
    let presence = Presence().stubbed {
        $0.on(Presence.QueryInfo.self) { command in .init(user: command.of, name: "Ada", status: .online) }
        $0.on(Presence.Follow.self) { _ in .elements([Presence.RoomEvent(seq: 1, user: 7, kind: .entered)]) }
        $0.send([Presence.Notice(text: "Welcome")])
    }
    return presence
}

@Suite struct ConnectionExamples {
    #if !canImport(Darwin)
    @Test func theSubscriptionSurvivesARestart() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let presence = Presence(
                on: simulation.dispatcher, session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
            simulation.server.keepOpen(Presence.Follow.self)
            var events = presence.follow(room: 1).makeAsyncIterator()
            simulation.task {
                for number in 1...4 {
                    await simulation.sleep(for: .seconds(5))
                    if number == 3 { simulation.server.cut(.restart) }
                    let event = #"{"seq": \#(number), "user": 7, "kind": "entered"}"#
                    try? simulation.server.send(.json(event), to: Presence.Follow.self)
                }
            }
            for number in 1...4 {
                let event = try await events.next()
                #expect(event?.seq == number, "\(simulation)")
            }
            #expect(simulation.server.carriedOut(Presence.LogIn.self).count == 1, "\(simulation)")
        }
    }
    #endif

    /// A preview has subscriptions and events like commands.
    @Test func stubsPlayFramesAndEvents() async throws {
        let presence = presenceWithoutAServer()
        #expect(try await presence.queryInfo(of: 7).name == "Ada")
        var seen: [Int] = []
        for try await event in presence.follow(room: 1) { seen.append(event.seq) }
        #expect(seen == [1])
        var notices: [String] = []
        for await next in presence.events(of: Presence.Notice.self) { notices.append(next.event?.text ?? "gap") }
        #expect(notices == ["Welcome"])
        for await _ in presence.events(of: Presence.StatusChanged.self) { Issue.record("an event without a stub") }
    }
}
