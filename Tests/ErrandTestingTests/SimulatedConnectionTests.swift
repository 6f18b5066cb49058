import ErrandRuntime
import ErrandTesting
import PresenceClient
import Testing

/// The simulated server of a contract with a connection.
#if !canImport(Darwin)
@Suite struct SimulatedConnectionTests {
    private static func presence(_ simulation: Simulation) -> Presence {
        Presence(on: simulation.dispatcher, session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
    }

    private static let once: @Sendable (inout CommandOptions) -> Void = { $0.attempts = 1 }

    @Test func commandsTravelOverOneConnection() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let presence = Self.presence(simulation)
            async let first = presence.queryInfo(of: 1)
            async let second = presence.sendMessage(room: 1, text: "hello")
            try await presence.setStatus(status: .away)
            _ = try await (first, second, presence.listRooms(), presence.poke(user: 3))
            let server = simulation.server
            #expect(server.openedConnectionCount <= 2, "\(simulation)")
            #expect(server.carriedOut(Presence.LogIn.self).count == 1, "\(simulation)")
            #expect(server.carriedOut(Presence.SendMessage.self).first?.idempotencyKey != nil)
            #expect(server.received(Presence.QueryInfo.self).allSatisfy { $0.connection != nil })
            try await presence.logOut()
        }
    }

    @Test func turnsFollowEachOther() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let (presence, server) = (Self.presence(simulation).with(Self.once), simulation.server)
            _ = try await presence.queryInfo(of: 1)
            try server.next(Presence.QueryInfo.self, .asUsual)
            try server.next(Presence.QueryInfo.self, .fails("noSuchUser"))
            try server.next(Presence.QueryInfo.self, .fails(.noSuchUser(.declared)))
            try server.next(Presence.QueryInfo.self, .fails("maintenance"))
            _ = try await presence.queryInfo(of: 1)
            for name in ["noSuchUser", "noSuchUser", "maintenance"] {
                let result = await presence.result(of: Presence.QueryInfo(of: 1))
                #expect(result.failure?.context.name == name, "\(simulation)")
            }
        }
    }

    @Test(arguments: [
        CommandFault.Kind.connectionLost, .timedOut, .serverFault, .unavailable, .rejected, .malformed,
    ])
    func aBuiltInErrorComes(_ kind: CommandFault.Kind) async throws {
        try await Simulation.run(seeds: 5) { simulation in
            let presence = Self.presence(simulation).with(Self.once)
            _ = try await presence.queryInfo(of: 1)
            // Its contract has a name for both codes of a server that is not available, but for that of a gateway.
            try simulation.server.next(Presence.QueryInfo.self, .fails(kind.rawValue))
            let result = await presence.result(of: Presence.QueryInfo(of: 1))
            #expect(result.failure?.context.name == kind.rawValue, "\(simulation)")
        }
    }

    @Test func whatOnlyHTTPHasIsRefused() async throws {
        try await Simulation.run { simulation in
            let server = simulation.server
            let turns: [ScriptedTurn<Presence.QueryInfo>] = [
                .status(503), .staleConnection, .refusedStream, .fails("throttled"), .fails("unreachable"),
                .fails("noSuchUsr"),
            ]
            for turn in turns {
                #expect(throws: UnknownContractError.self) { try server.next(Presence.QueryInfo.self, turn) }
            }
            #expect(throws: UnknownContractError.self) {
                try server.send(Presence.Notice.self, json: #"{"text": 5}"#)
            }
        }
    }

    @Test func whatWasOnceAndIsLostIsUnconfirmed() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let (presence, server) = (Self.presence(simulation), simulation.server)
            _ = try await presence.queryInfo(of: 1)
            for turn in [ScriptedTurn<Presence.Poke>.cut, .carriedOutThenCut] {
                try server.next(Presence.Poke.self, turn)
                guard case .failure(.unconfirmed) = await presence.result(of: Presence.Poke(user: 1)) else {
                    Issue.record("\(simulation)")
                    return
                }
            }
            try server.next(Presence.SendMessage.self, .carriedOutThenCut)
            _ = try await presence.sendMessage(room: 1, text: "hello")
            #expect(server.carriedOut(Presence.Poke.self).count == 1, "\(simulation)")
            #expect(server.carriedOut(Presence.SendMessage.self).count == 1, "\(simulation)")
            #expect(server.received(Presence.SendMessage.self).count == 2, "\(simulation)")
        }
    }

    /// The end of a command whose reply is not what it should be, by design: one for each row of the table in
    /// docs/connections.md.
    @Test(arguments: OddReply.allCases)
    func anOddReplyHasItsEnd(_ reply: OddReply) async throws {
        try await Simulation.run(seeds: 10) { simulation in
            let (presence, server) = (Self.presence(simulation).with(Self.once), simulation.server)
            _ = try await presence.queryInfo(of: 1)
            try server.next(Presence.QueryInfo.self, .replies(reply))
            let result = await presence.result(of: Presence.QueryInfo(of: 1))
            let wanted: String? =
                switch reply {
                case .twice: nil
                case .wrongKind, .tooLong, .half: "malformed"
                case .unknownCorrelation, .noCorrelation, .binary, .nonsense: "timedOut"
                }
            #expect(result.failure?.context.name == wanted, "\(simulation)")
            // Others are not concerned, except by the end of the connection.
            _ = try await presence.with { $0.attempts = 3 }.queryInfo(of: 2)
        }
    }

    @Test func anExpiredSessionIsOneLogin() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let (presence, server) = (Self.presence(simulation), simulation.server)
            _ = try await presence.queryInfo(of: 1)
            server.expireSessions()
            if simulation.seed % 2 == 0 { server.cut() }
            async let first = presence.queryInfo(of: 1)
            _ = try await (first, presence.poke(user: 1))
            #expect(server.carriedOut(Presence.LogIn.self).count == 2, "\(simulation)")
            try server.next(Presence.Poke.self, .sessionExpires)
            _ = try await presence.poke(user: 1)
            #expect(server.carriedOut(Presence.LogIn.self).count == 3, "\(simulation)")
        }
    }

    @Test func aSilentConnectionIsNoticed() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            let (presence, server) = (Self.presence(simulation), simulation.server)
            _ = try await presence.queryInfo(of: 1)
            server.fallSilent()
            // The connection is asked for a sign of life after 20 s, and counts as lost after 45 s.
            await simulation.sleep(for: .seconds(46))
            _ = try await presence.queryInfo(of: 1)
            #expect(server.openedConnectionCount >= 2, "\(simulation)")
        }
    }

    @Test func aRefusedHandshakeIsClassifiedByItsStatus() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            let (presence, server) = (Self.presence(simulation), simulation.server)
            server.refuseConnections(status: 503, headers: ["Retry-After": "2"], times: 1)
            _ = try await presence.queryInfo(of: 1)
            server.cut()
            server.refuseConnections(status: 403)
            let failure = await presence.with(Self.once).result(of: Presence.QueryInfo(of: 1)).failure
            #expect(failure?.context.status == 403, "\(simulation)")
            server.acceptConnections()
            _ = try await presence.queryInfo(of: 1)
        }
    }

    @Test func aSubscriptionPlaysThreeElements() async throws {
        try await Simulation.run(seeds: 10) { simulation in
            let (presence, server) = (Self.presence(simulation), simulation.server)
            var numbers: [Int] = []
            for try await event in presence.follow(room: 1) { numbers.append(event.seq) }
            #expect(numbers == [1, 2, 3], "\(simulation)")
            // It continues where it was cut.
            try server.next(Presence.Follow.self, .streams(.asUsual, .asUsual, .cut))
            numbers = []
            for try await event in presence.follow(room: 1) { numbers.append(event.seq) }
            #expect(numbers == [1, 2, 3], "\(simulation)")
            try server.next(Presence.Follow.self, .streams(.asUsual, .pause(.seconds(2)), .fails("noSuchRoom")))
            var events = presence.follow(room: 1).makeAsyncIterator()
            #expect(try await events.next()?.seq == 1)
            let failure = await #expect(throws: Presence.FollowFailure.self) { try await events.next() }
            #expect(failure?.context.name == "noSuchRoom", "\(simulation)")
        }
    }

    @Test func elementsAndEventsComeOnDemand() async throws {
        try await Simulation.run(seeds: 20) { simulation in
            let (presence, server) = (Self.presence(simulation), simulation.server)
            _ = try await presence.queryInfo(of: 1)
            server.keepOpen(Presence.Follow.self)
            server.keepOpen(Presence.WatchTyping.self)
            let notices = simulation.task { () -> [String] in
                var texts: [String] = []
                for await notice in presence.events(of: Presence.Notice.self) {
                    texts.append(notice.event?.text ?? "gap")
                    if texts.last == "last" { break }
                }
                return texts
            }
            let numbers = simulation.task { () -> [Int] in
                var numbers: [Int] = []
                do {
                    for try await event in presence.follow(room: 1) { numbers.append(event.seq) }
                } catch {}
                return numbers
            }
            let typing = simulation.task { () -> [Bool] in
                var seen: [Bool] = []
                do {
                    for try await event in presence.watchTyping(room: 1) { seen.append(event.event == nil) }
                } catch {}
                return seen
            }
            await simulation.sleep(for: .seconds(1))
            func show(_ number: Int, room: Int = 1) throws {
                try server.send(
                    .json(#"{"seq": \#(number), "user": 1, "kind": "entered"}"#), to: Presence.Follow.self
                ) { $0.json?["room"]?.number?.text == "\(room)" }
            }
            try show(1)
            try show(100, room: 2)
            try server.send(.json(#"{"user": 1, "isTyping": true}"#), to: Presence.WatchTyping.self)
            try server.send(Presence.Notice.self, json: #"{"text": "first"}"#)
            await simulation.sleep(for: .seconds(1))
            server.cut(simulation.seed % 2 == 0 ? nil : .restart)
            try show(2)
            await simulation.sleep(for: .seconds(100))
            try show(3)
            try server.send(.json(#"{"user": 1, "isTyping": false}"#), to: Presence.WatchTyping.self)
            try server.send(Presence.Notice.self, json: #"{"text": "last"}"#)
            await simulation.sleep(for: .seconds(1))
            server.end(Presence.Follow.self)
            try server.send(.fails("noSuchRoom"), to: Presence.WatchTyping.self)
            #expect(await numbers.value == [1, 2, 3], "\(simulation)")
            #expect(await typing.value == [false, true, false], "\(simulation)")
            #expect(await notices.value == ["first", "gap", "last"], "\(simulation)")
        }
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        let body: @Sendable (Simulation) async throws -> [String] = { simulation in
            let presence = Self.presence(simulation)
            simulation.server.faults = FaultPlan(rate: 0.3)
            await withTaskGroup(of: Void.self) { group in
                for number in 1...20 {
                    group.addTask { _ = await presence.result(of: Presence.QueryInfo(of: number)) }
                }
            }
            return simulation.log
        }
        let first = try Simulation.run(seed: 4711, body)
        let second = try Simulation.run(seed: 4711, body)
        #expect(first == second)
        #expect(first.count > 40)
    }
}
#endif
