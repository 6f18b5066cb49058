import ContractModel
import Testing

@testable import ContractChecks

/// What `errand explain` says of the commands and the events of a connection.
@Suite struct FrameExplanationTests {
    /// A command over a connection has rows for close codes and refused handshakes, and no statuses.
    @Test func aFrameHasTheRowsOfItsConnection() throws {
        let contract = try #require(CheckoutSource.examine("contracts/presence.contract.yaml").resolved)
        let follow = try #require(EndpointExplanation("follow", in: contract))
        #expect(follow.request == "FRAME room.follow")
        let rows = Dictionary(follow.rows.map { ($0.answer, $0) }) { first, _ in first }
        #expect(follow.rows.first?.answer == "close 1012, 1013", "a close code precedes replies")
        #expect(rows["close 1012, 1013"]?.then == "sent again on the next connection, 3 attempts in total")
        #expect(rows["close 1014"]?.means == "unavailable")
        #expect(rows["close 3000"]?.then == "a login, then sent again")
        #expect(rows["a frame of kind `error`"]?.means == "rejected")
        #expect(rows["the handshake is refused with status 429"]?.means == "throttled")
        #expect(!follow.rows.contains { $0.answer.hasPrefix("status") })
        #expect(follow.connection.contains { $0.contains("with the last `seq` as `since`") })
        #expect(follow.connection.contains { $0.hasPrefix("`attachSession` presents the token") })
        #expect(follow.timeline.contains("attempt 2  from 11 s to 21 s"), "the pause before the next connection counts")

        let poke = try #require(EndpointExplanation("poke", in: contract))
        let closed = poke.rows.first { $0.answer == "close 1012, 1013" }
        #expect(closed?.then == "ends as `unconfirmed`" && closed?.applied == "maybe")
        #expect(poke.connection.last?.contains("it is sent on the next one, whatever its effect") == true)

        let logOut = try #require(EndpointExplanation("logOut", in: contract))
        #expect(logOut.rows.contains { $0.answer == "the frame is written" && $0.means == "success" })
        #expect(!logOut.rows.contains { $0.answer.hasPrefix("code") || $0.answer.contains("frame of kind") })
    }

    /// An event has no response and no retries: what it brings, and what its followers can rely on.
    @Test func anEventHasItsFrameAndItsData() throws {
        let contract = try #require(CheckoutSource.examine("contracts/presence.contract.yaml").resolved)
        let notice = try #require(EventExplanation("notice", in: contract))
        #expect(notice.frame == "EVENT notice")
        #expect(notice.fields.map { "\($0.name): \($0.type)" } == ["text: string", "until: timestamp?"])
        #expect(notice.data == "its fields are in the member `data`")
        #expect(notice.followers.contains { $0.hasPrefix("any number of followers") })
        #expect(notice.followers.contains { $0.contains("a sequence belongs to one login") })
        #expect(notice.reconnection.contains("asks for nothing again") && notice.reconnection.contains("`.gap`"))
        #expect(notice.malformed.contains("is dropped"))
        let changed = try #require(EventExplanation("statusChanged", in: contract))
        #expect(changed.fields.isEmpty && changed.data == "its data is a value of `StatusChange`, in the member `data`")
        #expect(EventExplanation("queryInfo", in: contract) == nil)

        let plain = try #require(
            examine(
                """
                errand: 1
                service: Sample
                connection: {}
                endpoints:
                  ask: {frame: ask, effect: read}
                events:
                  tick: {frame: tick}
                  news: {frame: news, data: {text: string}}
                """
            ).resolved)
        #expect(EventExplanation("tick", in: plain)?.data == "it has no data")
        #expect(EventExplanation("news", in: plain)?.data == "its fields are beside the kind")
        #expect(EventExplanation("news", in: plain)?.followers.count == 2, "without a session, no login is asked for")
    }

    /// Every code that a server may close a connection with leads to one built-in error.
    @Test func everyCloseCodeIsInOneRow() throws {
        let contract = try #require(CheckoutSource.examine("contracts/presence.contract.yaml").resolved)
        let explanation = try #require(EndpointExplanation("queryInfo", in: contract))
        var seen: [Int: Int] = [:]
        for row in explanation.rows where row.answer.hasPrefix("close ") {
            for part in row.answer.dropFirst("close ".count).components(separatedBy: ", ") {
                let ends = part.components(separatedBy: "..").compactMap(Int.init)
                let low = try #require(ends.first)
                for code in low...(ends.last ?? low) { seen[code, default: 0] += 1 }
            }
        }
        for code in 1000...4999 {
            #expect(seen[code, default: 0] == (CloseCode(rawValue: UInt16(code)).isSendable ? 1 : 0), "\(code)")
        }
    }
}
