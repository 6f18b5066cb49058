import ErrandTransport
import LiveClient
import TestServices
import Testing

/// A contract's text shows data of the response, but no secret, nothing endless and nothing that breaks the text.
@Suite struct ShownDataTests {
    private static let gift = Live.SendGift(roomID: 1, giftID: 1)

    @Test func theServersValueIsShownAsItsMessageWouldBe() async throws {
        let service = try await LiveService.start()
        let live = try await Live.asAda(service)
        _ = await live.result(of: Self.gift)
        let token = try #require(await service.requests(on: "POST /room/*/gifts").last?.parameter("token"))
        let nothing = "You need coins for this gift."
        let cases: [(data: WireJSON, text: String)] = [
            (["coins": 1], nothing), (.null, nothing), (["price": ["a": 1]], nothing), (["price": [1]], nothing),
            (["price": true], "You need true coins for this gift."),
            (["price": .string(token)], "You need ••• coins for this gift."),
            (["price": "5\u{1B}\u{202E}"], "You need 5 coins for this gift."),
            (["price": "{coins}"], "You need {coins} coins for this gift."),
        ]
        for (data, text) in cases {
            await service.fail(code: 4020, data: data, on: "POST /room/*/gifts")
            let failure = try await live.failure(of: Self.gift)
            #expect(failure.context.message == text, "\(data)")
        }
        await service.fail(
            code: 4020, data: ["price": .string(String(repeating: "9", count: 100_000))], on: "POST /room/*/gifts")
        let failure = try await live.failure(of: Self.gift)
        #expect(failure.context.message.count < 1_100)
        await service.end()
    }

    @Test func theAppsTextHasThePlaceholderToo() async throws {
        let service = try await LiveService.start()
        let german: DispatcherSettings.Localization = { key, text in
            key == "Live.notEnoughCoins" && text.contains("{price}") ? "Das kostet {price} Münzen." : nil
        }
        let live = try await Live.asAda(service, on: Dispatcher(settings: DispatcherSettings(localize: german)))
        let failure = try await live.failure(of: Live.SendGift(roomID: 1, giftID: 20))
        #expect(failure.context.message == "Das kostet 200 Münzen.")
        await service.end()
    }
}
