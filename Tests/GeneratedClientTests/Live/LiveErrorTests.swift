import Foundation
import LiveClient
import TestSeeds
import TestServices
import Testing

/// Each response is a 200, and its code shows its meaning. Every code but 100 is an error with its message.
@Suite(.serialized) struct LiveErrorTests {
    @Test func wrongCode() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        let failure = try await live.failure(of: Live.LogIn(phone: "123456", code: "0000"))
        if case .wrongCode = failure {} else { throw Unexpected(failure) }
        failure.expect(WantedContext("wrongCode", .nonRetryable, status: 200, code: "4001", says: "wrong code"))
        #expect(failure.context.message == "The code is wrong.")
        await service.end()
    }

    @Test(arguments: [false, true]) func noSuchRoomEverywhere(codesAreText: Bool) async throws {
        let service = try await LiveService.start()
        await service.setCodesAreText(codesAreText)
        let live = try await Live.asAda(service)
        let wanted = WantedContext("noSuchRoom", .nonRetryable, status: 200, code: "4040", says: "closed")
        let get = try await live.failure(of: Live.GetRoom(roomID: 404))
        if case .noSuchRoom = get {} else { throw Unexpected(get) }
        get.expect(wanted)
        let enter = try await live.failure(of: Live.EnterRoom(roomID: 404))
        if case .noSuchRoom = enter {} else { throw Unexpected(enter) }
        enter.expect(wanted)
        let gift = try await live.failure(of: Live.SendGift(roomID: 404, giftID: 1))
        if case .noSuchRoom = gift {} else { throw Unexpected(gift) }
        gift.expect(wanted)
        await service.end()
    }

    @Test func notEnoughCoinsWithLooseNumbers() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        let failure = try await live.failure(of: Live.SendGift(roomID: 1, giftID: 20))
        guard case .notEnoughCoins(let details) = failure else { throw Unexpected(failure) }
        #expect(details.data?.coins == 100 && details.data?.price == 200)
        #expect(failure.context.message == "You need 200 coins for this gift.")
        failure.expect(WantedContext("notEnoughCoins", .nonRetryable, status: 200, code: "4020", says: "too few coins"))
        await service.fail(code: 4020, data: ["coins": "many"], on: "POST /room/*/gifts")
        let bare = try await live.failure(of: Live.SendGift(roomID: 1, giftID: 1))
        guard case .notEnoughCoins(let nothing) = bare else { throw Unexpected(bare) }
        #expect(nothing.data == nil && nothing.code == "4020")
        #expect(bare.context.message == "You need coins for this gift.")
        #expect(await service.giftsSent == 0)
        await service.end()
    }

    @Test func badPicture() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        let failure = try await live.failure(of: Live.UploadCover(cover: FilePart([], fileName: "x.png"), title: "x"))
        if case .badPicture = failure {} else { throw Unexpected(failure) }
        failure.expect(WantedContext("badPicture", .nonRetryable, status: 200, code: "4150", says: "an empty picture"))
        await service.end()
    }

    @Test func anyOtherCodeIsARefusalWithItsMessage() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        for code in [0, 101, 9999, -1] {
            await service.fail(code: code, message: "no \(code)", on: "GET /rooms")
            let failure = try await live.fault(of: Live.ListRooms())
            #expect(failure.kind == .rejected)
            failure.expect(WantedContext("rejected", .nonRetryable, status: 200, code: "\(code)", says: "no \(code)"))
            #expect(failure.context.message == "no \(code)")
        }
        // A response without a code is neither a success nor a refusal.
        await service.script(.body(#"{"msg":"hm","data":{"list":[]}}"#), on: "GET /rooms")
        let none = try await live.fault(of: Live.ListRooms())
        #expect(none.kind == .malformed && none.context.code == nil && none.context.serverMessage == "hm")
        await service.end()
    }

    @Test func nullDataIsMalformedWhereARoomIsMeant() async throws {
        let service = try await LiveService.start()
        let live = Live.unknown(service)
        await service.script(.body(#"{"code":"100","msg":"","data":null}"#), on: "GET /room/*")
        let room = try await live.fault(of: Live.GetRoom(roomID: 1))
        #expect(room.kind == .malformed && room.context.decodingError?.path == "$.data")
        await service.setListShape(.null)
        let list = try await live.fault(of: Live.ListRooms())
        #expect(list.kind == .malformed && list.context.decodingError?.path == "$.data", "\(list)")
        await service.end()
    }

    @Test func serverFullIsTriedThreeTimes() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service, on: .hasty(times: 5))
        await service.fail(code: 5030, times: 2, on: "POST /room/*/gifts")
        _ = try await live.sendGift(roomID: 1, giftID: 1)
        #expect(await service.giftsSent == 1, "`once`, and its code says that nothing was done")
        await service.fail(code: 5030, times: 3, on: "GET /rooms")
        let failure = try await live.failure(of: Live.ListRooms())
        if case .serverFull = failure {} else { throw Unexpected(failure) }
        failure.expect(
            WantedContext("serverFull", .retryable, status: 200, code: "5030", says: "scripted", attempts: 3))
        await service.end()
    }

    @Test func anExpiredTokenLogsInOnceForAll() async throws {
        let service = try await LiveService.start()
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Live.LogIn(phone: "123456", code: "1234")
        }
        let live = Live.unknown(service, session: session)
        _ = try await live.enterRoom(roomID: 1)
        await service.expireSessions()
        let gifts = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 { group.addTask { (try? await live.sendGift(roomID: 1, giftID: 1)) != nil } }
            for _ in 0..<5 { group.addTask { (try? await live.listRooms(size: 1).count) == 1 } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(gifts == Array(repeating: true, count: 10))
        #expect(await asked.count == 2)
        #expect(await service.logins == 2)
        #expect(await service.giftsSent == 5)

        await service.fail(code: 4011, message: "elsewhere", on: "POST /room/*/viewers")
        let elsewhere = try await live.failure(of: Live.EnterRoom(roomID: 1))
        if case .shared(.loggedInElsewhere) = elsewhere {} else { throw Unexpected(elsewhere) }
        elsewhere.expect(
            WantedContext("loggedInElsewhere", .requiresLogout, status: 200, code: "4011", says: "elsewhere"))
        #expect(await asked.count == 2 && session.tokens == nil)
        await service.end()
    }
}
