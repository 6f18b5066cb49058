import ErrandRuntime
import ErrandTesting
import PresenceClient
import Testing

// A simulation needs macOS 15.
#if !canImport(Darwin)
/// The generated client of a contract with a connection: each kind of delivery, each kind of failure, and events.
@Suite struct PresenceTests {
    private func run(
        _ body: @escaping @Sendable (Simulation, Presence) async throws -> Void
    ) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let session = Session { Presence.LogIn(user: "ada", password: "lovelace") }
            try await body(simulation, Presence(on: simulation.dispatcher, session: session))
        }
    }

    @Test func commandsHaveReplies() async throws {
        try await run { simulation, presence in
            simulation.server.on(Presence.QueryInfo.self) { _ in
                .json(#"{"user": 7, "name": "Grace", "status": "away"}"#)
            }
            let info = try await presence.queryInfo(of: 7)
            #expect((info.user, info.name, info.status) == (7, "Grace", .away), "\(simulation)")
            try await presence.setStatus(status: .busy, text: "in a meeting")
            #expect(try await !presence.listRooms().isEmpty, "\(simulation)")
            #expect(simulation.server.carriedOut(Presence.SetStatus.self).count == 1, "\(simulation)")
            #expect(simulation.server.carriedOut(Presence.LogIn.self).count == 1, "\(simulation)")
        }
    }

    @Test func failuresAndOutcomesAreTyped() async throws {
        try await run { simulation, presence in
            try simulation.server.next(Presence.QueryInfo.self, .fails("noSuchUser"))
            let failure = await #expect(throws: Presence.QueryInfoFailure.self) { try await presence.queryInfo(of: 9) }
            guard case .noSuchUser = failure else {
                _ = Issue.record("\(simulation) \(String(describing: failure))")
                return
            }
            try simulation.server.next(Presence.SendMessage.self, .fails("roomFull"))
            do throws(Presence.SendMessageFailure) {
                _ = try await presence.sendMessage(room: 1, text: "Hello")
                Issue.record("\(simulation)")
            } catch {
                if case .roomFull(let details) = error {
                    #expect(details.data != nil, "\(simulation)")
                } else {
                    Issue.record("\(simulation) \(error)")
                }
            }
            try simulation.server.answer(Presence.Poke.self, withOutcome: "muted")
            guard case .muted = try await presence.poke(user: 7) else {
                _ = Issue.record("\(simulation)")
                return
            }
            let broken = await #expect(throws: Presence.Failure.self) {
                try await presence.setStatus(status: .busy, text: "")
            }
            #expect(broken?.context.name == "invalidRequest", "\(simulation)")
        }
    }

    /// A restart of the server is the contract's own error, and the effect decides about another attempt.
    @Test func closeCodesAreErrorsOfTheContract() async throws {
        try await run { simulation, presence in
            try simulation.server.next(Presence.QueryInfo.self, .closes(.restart), times: 1)
            _ = try await presence.queryInfo(of: 7)
            #expect(simulation.server.received(Presence.QueryInfo.self).count == 2, "\(simulation)")
            try simulation.server.next(Presence.Poke.self, .closes(.tryAgainLater))
            let failure = await #expect(throws: Presence.PokeFailure.self) { try await presence.poke(user: 7) }
            guard case .unconfirmed = failure else {
                _ = Issue.record("\(simulation) \(String(describing: failure))")
                return
            }
            #expect(simulation.server.received(Presence.Poke.self).count == 1, "\(simulation)")
        }
    }

    @Test func aLogoutNeedsNoReply() async throws {
        try await run { simulation, presence in
            _ = try await presence.logIn(user: "ada", password: "lovelace")
            try await presence.logOut()
            await simulation.sleep(for: .seconds(1))
            #expect(simulation.server.carriedOut(Presence.LogOut.self).count == 1, "\(simulation)")
        }
    }

    /// Without positions, the reader is told where events may be missing.
    @Test func aSubscriptionWithoutPositionsHasGaps() async throws {
        try await run { simulation, presence in
            simulation.server.keepOpen(Presence.WatchTyping.self)
            simulation.task {
                for number in 1...2 {
                    await simulation.sleep(for: .seconds(5))
                    let element = #"{"user": \#(number), "isTyping": true}"#
                    try? simulation.server.send(.json(element), to: Presence.WatchTyping.self)
                    await simulation.sleep(for: .seconds(5))
                    if number == 1 { simulation.server.cut() }
                }
            }
            var seen: [Int?] = []
            for try await element in presence.watchTyping(room: 1) {
                seen.append(element.event?.user)
                if seen.count == 3 { break }
            }
            #expect(seen == [1, nil, 2], "\(simulation)")
        }
    }

    @Test func eventsReachEveryFollower() async throws {
        try await run { simulation, presence in
            _ = try await presence.queryInfo(of: 7)
            var notices = presence.events(of: Presence.Notice.self).makeAsyncIterator()
            var others = presence.events(of: Presence.Notice.self).makeAsyncIterator()
            var changes = presence.events(of: Presence.StatusChanged.self).makeAsyncIterator()
            try simulation.server.send(Presence.Notice.self, json: #"{"text": "Hello"}"#)
            try simulation.server.send(
                Presence.StatusChanged.self, json: #"{"user": 7, "status": "away", "mood": "new"}"#)
            #expect(await notices.next()?.event?.text == "Hello", "\(simulation)")
            #expect(await others.next()?.event?.text == "Hello", "\(simulation)")
            let change = await changes.next()?.event?.data
            #expect((change?.user, change?.status) == (7, .away), "\(simulation)")
        }
    }
}
#endif
