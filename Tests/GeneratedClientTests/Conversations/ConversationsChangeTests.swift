import ConversationsClient
import Foundation
import TestServices
import Testing

/// `nullable: distinct`: in a PATCH, absent, null and a value are three things, on the wire too.
@Suite(.serialized) struct ConversationsChangeTests {
    private static let known = ConversationsSuccessTests.known

    @Test func absentNullAndValueAreThreeThings() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let until = Date(timeIntervalSince1970: 1_900_000_000)
        let muted = try await messenger.changeConversation(conversationID: Self.known, mutedUntil: .value(until))
        #expect(muted.mutedUntil == until && muted.title == "Engines" && !muted.pinned)
        let renamed = try await messenger.changeConversation(
            conversationID: Self.known, title: .value("Null?"), pinned: true)
        #expect(renamed.title == "Null?" && renamed.mutedUntil == until && renamed.pinned)
        let bare = try await messenger.changeConversation(conversationID: Self.known, title: .null, mutedUntil: .null)
        #expect(bare.title == nil && bare.mutedUntil == nil && bare.pinned)
        _ = try await messenger.changeConversation(conversationID: Self.known)

        let bodies = await service.requests(on: "PATCH /conversations/*").map(\.bodyText)
        #expect(
            bodies == [
                #"{"muted_until":1900000000}"#, #"{"title":"Null?","pinned":true}"#,
                #"{"title":null,"muted_until":null}"#, "{}",
            ])
        await service.end()
    }

    @Test func constraintsHoldForTheValueOnly() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let long = String(repeating: "x", count: 81)
        let failure = try await messenger.fault(
            of: Conversations.ChangeConversation(conversationID: Self.known, title: .value(long)))
        #expect(failure.kind == .invalidRequest && failure.context.brokenFields.map(\.name) == ["title"])
        let edge = String(repeating: "👩‍💻", count: 80)
        let changed = try await messenger.changeConversation(conversationID: Self.known, title: .value(edge))
        #expect(changed.title == edge, "a length counts characters as people see them")
        #expect(await service.requests(on: "PATCH /conversations/*").count == 1)
        await service.end()
    }
}
