import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Reads with a cache, through the whole pipeline: in memory, and over sockets.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct CachedReadTests {
    @Test func aFreshResponseNeedsNoServer() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=60"])
        await desk.expect("1")
        desk.clock.advance(30)
        await desk.expect("1, fresh 30")
        desk.clock.advance(30)
        desk.answer(200, "2", ["Cache-Control": "max-age=60"])
        await desk.expect("2")
        #expect(desk.requests.count == 2)
        #expect(desk.log.lines == ["200", "success", "success fresh", "200", "success"])
    }

    @Test func theServerConfirmsAStaleResponse() async throws {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Kept": "old", "X-New": "old"])
        _ = await desk.read()
        desk.clock.advance(100)
        desk.answer(304, "", ["ETag": "\"a\"", "X-New": "new"])
        let reply = try await desk.bank.reply(to: Look())
        #expect(reply.value == 1 && reply.status == 200 && reply.cached?.basis == .validated)
        #expect(reply.headers["X-Kept"] == "old" && reply.headers["X-New"] == "new")
        #expect(desk.requests[1].headers["If-None-Match"] == "\"a\"")
        desk.clock.advance(59)
        await desk.expect("1, fresh 59")
        #expect(desk.log.lines.contains("304"))
        // A new response takes its place.
        desk.clock.advance(10)
        desk.answer(200, "2", ["Cache-Control": "max-age=60", "ETag": "\"b\""])
        await desk.expect("2")
        await desk.expect("2, fresh 0")
        #expect(desk.cache.contents.count == 1)
    }

    /// It is asked for once more, without a condition.
    @Test func aConfirmationOfAnotherResponseIsNotTaken() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["ETag": "\"a\""])
        _ = await desk.read()
        desk.answer(304, "", ["ETag": "\"b\""])
        desk.answer(200, "2", ["ETag": "\"b\""])
        await desk.expect("2") { $0.attempts = 1 }
        #expect(desk.requests.map { $0.headers["If-None-Match"] } == [nil, "\"a\"", nil])
    }

    /// Some servers confirm whatever they are asked about. A reload asks about nothing, and its response is stored.
    @Test func aReloadAsksForTheWholeResponse() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600", "ETag": "\"a\""])
        _ = await desk.read()
        desk.answer { request in
            let isCondition = request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
            return .success(
                isCondition
                    ? .json(304, "") : .json(200, "2", ["Cache-Control": "max-age=600", "ETag": "\"a\""]))
        }
        await desk.expect("2") { $0.reloads = true }
        #expect(desk.requests.last?.headers["Cache-Control"] == "no-cache")
        await desk.expect("2, fresh 0")
        // The caller's own field goes before it, and nothing is asked about either.
        desk.answer(200, "3", ["Cache-Control": "max-age=600", "ETag": "\"a\""])
        await desk.expect("3") {
            $0.reloads = true
            $0.headers["cache-control"] = "max-age=0"
        }
        #expect(desk.requests.last?.headers["Cache-Control"] == "max-age=0")
        #expect(desk.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
        #expect(desk.requests.count == 3)
    }

    @Test func theCallerCanHaveTheServerAsked() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600", "ETag": "\"a\""])
        _ = await desk.read()
        desk.answer(304, "")
        await desk.expect("1, validated 0") { $0.headers["Cache-Control"] = "no-cache" }
        desk.answer(200, "2", ["Cache-Control": "max-age=600"])
        await desk.expect("2") { $0.headers["Cache-Control"] = "no-store" }
        await desk.expect("1, fresh 0")  // the caller wanted nothing stored
    }

    // MARK: Stale responses

    @Test(arguments: [500, 502, 503, 504]) func aServerThatCannotRespondGetsAStandIn(status: Int) async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10, stale-if-error=60", "ETag": "\"a\""])
        _ = await desk.read()
        desk.clock.advance(20)
        desk.answer(status, "")
        await desk.expect("1, ifError 20")
        #expect(desk.requests.count == 2, "not repeated, because there is a response")
        #expect(desk.log.lines.suffix(2) == ["\(status)", "success ifError"])
        desk.clock.advance(51)
        desk.answer(status, "")
        #expect(await desk.read { $0.attempts = 1 } != "1, ifError 71")
    }

    @Test(arguments: [TransportFault.Kind.lost, .refused, .timeout, .dns])
    func aLostConnectionHasAStandIn(kind: TransportFault.Kind) async {
        let desk = await CacheDesk(isWatched: false)
        desk.answer(200, "1", ["Cache-Control": "max-age=10, stale-if-error=600"])
        _ = await desk.read()
        desk.clock.advance(100)
        desk.fail(kind)
        await desk.expect("1, ifError 100")
    }

    /// A dead connection of the pool says nothing about the server.
    @Test func aRequestThatWasNotReadIsSentAgainFirst() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10, stale-if-error=600"])
        _ = await desk.read()
        desk.clock.advance(100)
        desk.fail(.lost, .sent, isStale: true)
        desk.answer(200, "2")
        await desk.expect("2")
    }

    /// Neither of these is an outage.
    @Test(arguments: [400, 404, 501]) func anotherFailureIsTheFailure(status: Int) async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10, stale-if-error=600"])
        _ = await desk.read()
        desk.clock.advance(100)
        desk.answer(status, "")
        #expect(await !desk.read { $0.attempts = 1 }.hasPrefix("1"))
        let isKept = status == 501
        #expect(desk.cache.contents.count == (isKept ? 1 : 0))
    }

    @Test(.inMemoryOnly("the script fails as TLS")) func aServerThatIsNotTrustedIsNotHidden() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10, stale-if-error=600"])
        _ = await desk.read()
        desk.clock.advance(100)
        desk.fail(.tls)
        await desk.expect("insecure")
    }

    @Test(arguments: ["must-revalidate", "no-cache"]) func whatHasToBeValidatedIsNeverStale(directive: String) async {
        let desk = await CacheDesk()
        let headers: HTTPHeaders = [
            "Cache-Control": "max-age=10, stale-if-error=600, stale-while-revalidate=600, \(directive)",
            "ETag": "\"a\"",
        ]
        desk.answer(200, "1", headers)
        _ = await desk.read()
        desk.clock.advance(20)
        desk.answer(503, "")
        await desk.expect("unavailable") { $0.attempts = 1 }
        await desk.loseNetwork()
        await desk.expect("offline") { $0.patience = .upTo(.zero) }
    }

    @Test func withoutANetworkTheContractDecides() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10"])
        _ = await desk.read()
        await desk.loseNetwork()
        await desk.expect("1, fresh 0")
        desk.clock.advance(70)
        await desk.expect("1, offline 70")
        desk.clock.advance(1)
        await desk.expect("offline") { $0.patience = .upTo(.zero) }
        #expect(desk.requests.count == 1)
    }

    /// A monitor that knows nothing of the network, and an attempt that finds none.
    @Test func anAttemptWithoutANetworkIsOffline() async {
        let desk = await CacheDesk(isWatched: false)
        desk.answer(200, "1", ["Cache-Control": "max-age=10"])
        _ = await desk.read()
        desk.clock.advance(30)
        desk.fail(.offline)
        await desk.expect("1, offline 30")
    }

    // MARK: While the server is asked

    @Test func aStaleResponseIsUsedWhileOneRequestAsks() async {
        let desk = await CacheDesk()
        let swr: HTTPHeaders = ["Cache-Control": "max-age=10, stale-while-revalidate=600", "ETag": "\"a\""]
        desk.answer(200, "1", swr)
        _ = await desk.read()
        desk.clock.advance(20)
        let door = Suspension<Void>()
        desk.answer { _ in
            await door.value(ifCancelled: ())
            return .success(.json(200, "2", swr))
        }
        for _ in 1...5 { await desk.expect("1, whileRevalidating 20") }
        await until { desk.requests.count == 2 }
        #expect(desk.cache.counts.revalidated == 1)
        door.end(())
        await until { desk.cache.counts.revalidated == 0 }
        await desk.expect("2, fresh 0")
        #expect(desk.requests.count == 2)
        #expect(desk.requests[1].headers["If-None-Match"] == "\"a\"")
    }

    /// Reads that come at the end of the one that asks start no second one.
    @Test func readsAtTheEndOfARevalidationStartNone() async {
        let desk = await CacheDesk()
        for round in 1...50 {
            let swr: HTTPHeaders = ["Cache-Control": "max-age=10, stale-while-revalidate=600"]
            if round == 1 {
                desk.answer(200, "1", swr)
                _ = await desk.read()
            }
            desk.clock.advance(20)
            desk.answer(200, "\(round)", swr)
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...8 { group.addTask { _ = await desk.read() } }
            }
            await until { desk.cache.counts.revalidated == 0 }
            #expect(desk.requests.count == round + 1)
        }
    }

    @Test func aRevalidationThatFailsLeavesTheStaleOne() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=10, stale-while-revalidate=600"])
        _ = await desk.read()
        desk.clock.advance(20)
        desk.answer(400, "")
        await desk.expect("1, whileRevalidating 20")
        await until { desk.cache.counts.revalidated == 0 && desk.requests.count == 2 }
        desk.answer(200, "2")
        await desk.expect("2")  // a 400 says that it is not so any more
    }

    // MARK: Whose it is

    @Test func aLogoutTakesTheResponsesWithIt() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        #expect(desk.cache.contents.count == 1)
        await desk.bank.binding.session.end()
        #expect(desk.cache.contents.count == 0)
        await desk.login("ada")
        desk.answer(200, "2", ["Cache-Control": "max-age=600"])
        await desk.expect("2")
    }

    @Test func anotherUserHasResponsesOfTheirOwn() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        // Also in another session with the same token.
        let other = Bank(
            on: desk.bank.binding.dispatcher, session: Session(tokens: SessionTokens(access: "token of ada")))
        desk.answer(200, "2", ["Cache-Control": "max-age=600"])
        #expect(await CacheDesk.told(other, Look()) == "2")
        await desk.login("grace")
        desk.answer(200, "3", ["Cache-Control": "max-age=600"])
        await desk.expect("3")
        #expect(await CacheDesk.told(other, Look()) == "2, fresh 0")
    }

    @Test func aRenewedTokenIsTheSameUser() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        await desk.bank.binding.session.replaceTokens(SessionTokens(access: "another", identity: "ada"))
        await desk.expect("1, fresh 0")
    }

    /// The response of a request that is under way at the end of a login is nobody's.
    @Test func aLateResponseIsNotStored() async {
        let desk = await CacheDesk()
        let door = Suspension<Void>()
        desk.answer { _ in
            await door.value(ifCancelled: ())
            return .success(.json(200, "1", ["Cache-Control": "max-age=600"]))
        }
        let late = Task { await desk.read() }
        await until { desk.requests.count == 1 }
        await desk.bank.binding.session.end()
        door.end(())
        _ = await late.value
        await until { desk.cache.counts.underWay == 0 }
        #expect(desk.cache.contents.count == 0)
    }

    // MARK: Writes

    @Test func aWriteToTheSameTargetRemovesTheResponse() async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        desk.answer(422, "")
        _ = await desk.bank.result(of: Paint())
        await desk.expect("1, fresh 0")  // a refusal has changed nothing
        desk.answer(204)
        _ = await desk.bank.result(of: Paint())
        desk.answer(200, "2", ["Cache-Control": "max-age=600"])
        await desk.expect("2")
    }

    @Test(arguments: [204, 500]) func aWriteRemovesWhatTheContractNames(status: Int) async {
        let desk = await CacheDesk()
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        desk.answer(status)
        _ = await desk.bank.result(of: Repaint())
        #expect(desk.cache.contents.count == 0)
    }

    @Test func aWriteThatWasNotSentRemovesNothing() async {
        let desk = await CacheDesk(isWatched: false)
        desk.answer(200, "1", ["Cache-Control": "max-age=600"])
        _ = await desk.read()
        desk.fail(.offline)
        _ = await desk.bank.with { $0.attempts = 1 }.result(of: Repaint())
        await desk.expect("1, fresh 0")
        desk.fail(.lost, .sent)
        _ = await desk.bank.with { $0.attempts = 1 }.result(of: Repaint())
        #expect(desk.cache.contents.count == 0)
    }

    @Test func aReadFromBeforeAWriteIsNotStored() async {
        let desk = await CacheDesk()
        let door = Suspension<Void>()
        desk.answer { _ in
            await door.value(ifCancelled: ())
            return .success(.json(200, "1", ["Cache-Control": "max-age=600"]))
        }
        let early = Task { await desk.read() }
        await until { desk.requests.count == 1 }
        desk.answer(204)
        _ = await desk.bank.result(of: Repaint())
        door.end(())
        #expect(await early.value == "1")
        #expect(desk.cache.contents.count == 0)
    }
}
