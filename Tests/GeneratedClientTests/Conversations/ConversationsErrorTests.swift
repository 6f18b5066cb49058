import ConversationsClient
import Foundation
import TestSeeds
import TestServices
import Testing

/// Each error that the messenger's contract declares, and what its category lets the user do.
@Suite(.serialized) struct ConversationsErrorTests {
    private static let known = ConversationsSuccessTests.known
    private static let nobody = UUID()
    private static let message = Conversations.SendMessage(conversationID: known, draft: .text(.init(text: "hi")))

    @Test func wrongPassword() async throws {
        let service = try await ConversationsService.start()
        let messenger = Conversations(.init(url: service.url), on: .brisk(), common: .init(deviceID: UUID()))
        let failure = try await messenger.failure(of: Conversations.LogIn(userName: "ada", password: "no"))
        guard case .wrongPassword = failure else { throw Unexpected(failure) }
        failure.expect(
            WantedContext(
                "wrongPassword", .nonRetryable, status: 403, code: "wrong_password",
                says: "the server says wrong_password"),
            at: service.url + "/sessions")
        await service.end()
    }

    @Test func noSuchConversationEverywhere() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let gone = WantedContext(
            "noSuchConversation", .nonRetryable, status: 404, code: "not_found", says: "the server says not_found")
        let list = try await messenger.failure(of: Conversations.ListMessages(conversationID: Self.nobody))
        if case .noSuchConversation = list {} else { throw Unexpected(list) }
        list.expect(gone)
        let say = try await messenger.failure(
            of: Conversations.SendMessage(conversationID: Self.nobody, draft: .text(.init(text: "hi"))))
        if case .noSuchConversation = say {} else { throw Unexpected(say) }
        say.expect(gone)
        let change = try await messenger.failure(of: Conversations.ChangeConversation(conversationID: Self.nobody))
        if case .noSuchConversation = change {} else { throw Unexpected(change) }
        change.expect(gone)
        let mark = try await messenger.failure(
            of: Conversations.MarkRead(conversationID: Self.nobody, messageID: UUID()))
        if case .noSuchConversation = mark {} else { throw Unexpected(mark) }
        mark.expect(gone)
        let leave = try await messenger.failure(of: Conversations.LeaveConversation(conversationID: Self.nobody))
        if case .leftBefore = leave {} else { throw Unexpected(leave) }
        leave.expect(
            WantedContext(
                "leftBefore", .nonRetryable, .maybe, status: 404, code: "not_found",
                says: "the server says not_found"))
        await service.end()
    }

    @Test func conversationClosedWithItsData() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let command = Conversations.SendMessage(
            conversationID: ConversationsSuccessTests.closed, draft: .text(.init(text: "hi")))
        let failure = try await messenger.failure(of: command)
        guard case .conversationClosed(let details) = failure else { throw Unexpected(failure) }
        #expect(details.data?.closedAt == Date(timeIntervalSince1970: 1_772_301_600))
        #expect(details.data?.closedBy?.id == 3 && details.data?.closedBy?.displayName == "Kurt")
        failure.expect(
            WantedContext(
                "conversationClosed", .nonRetryable, status: 409, code: "conversation_closed",
                says: "the server says conversation_closed"))
        await service.fail(code: "conversation_closed", status: 409, on: "POST /conversations/*/messages")
        let bare = try await messenger.failure(of: Self.message)
        guard case .conversationClosed(let nothing) = bare else { throw Unexpected(bare) }
        #expect(nothing.data == nil)
        await service.end()
    }

    @Test func recipientBlockedAndTooManyMembers() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let blocked = try await messenger.failure(of: Conversations.StartConversation(memberIDs: [3]))
        if case .recipientBlocked = blocked {} else { throw Unexpected(blocked) }
        blocked.expect(
            WantedContext(
                "recipientBlocked", .nonRetryable, status: 403, code: "recipient_blocked",
                says: "the server says recipient_blocked"))
        await service.fail(code: "recipient_blocked", on: "POST /conversations/*/messages")
        let say = try await messenger.failure(of: Self.message)
        if case .recipientBlocked = say {} else { throw Unexpected(say) }

        let many = try await messenger.failure(of: Conversations.StartConversation(memberIDs: [2, 4, 5, 6]))
        many.expect(
            WantedContext(
                "tooManyMembers", .nonRetryable, status: 422, code: "too_many_members",
                says: "the server says too_many_members"))
        #expect(await service.conversationsStarted == 0)
        await service.end()
    }

    /// By its status alone, and by status and kind: two keys come before one.
    @Test func notStoredIsSentAgainWithItsKey() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        await service.fail(code: "x", kind: "not_stored", status: 500, times: 2, on: "POST /conversations/*/messages")
        _ = try await messenger.send(Self.message)
        let keys = await service.requests(on: "POST /conversations/*/messages").map { $0.header("Idempotency-Key") }
        #expect(keys.count == 3 && Set(keys).count == 1)
        #expect(await service.said == ["hi"])

        await service.fail(code: "x", kind: "not_stored", status: 500, times: 4, on: "POST /conversations/*/messages")
        let failure = try await messenger.failure(of: Self.message)
        if case .notStored = failure {} else { throw Unexpected(failure) }
        failure.expect(
            WantedContext("notStored", .retryable, status: 500, code: "x", says: "the server says x", attempts: 4))
        // another 500 matches no row of the table
        await service.fail(code: "x", kind: "other", status: 500, on: "POST /conversations/*/messages")
        let other = try await messenger.failure(of: Self.message)
        guard case .unconfirmed(let receipt) = other else { throw Unexpected(other) }
        #expect(receipt.cause.name == "serverFault" && receipt.context.attempts == 1)
        await service.end()
    }

    @Test func gatewayFailedLeavesAMessageOpen() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        await service.script(.status(504), times: 3, on: "GET /conversations")
        let list = try await messenger.failure(of: Conversations.ListConversations())
        if case .gatewayFailed = list {} else { throw Unexpected(list) }
        list.expect(WantedContext("gatewayFailed", .retryable, .never, status: 504, attempts: 3))
        await service.script(.status(502), times: 4, on: "POST /conversations/*/messages")
        let say = try await messenger.failure(of: Self.message)
        guard case .unconfirmed(let receipt) = say else { throw Unexpected(say) }
        #expect(receipt.cause.name == "gatewayFailed" && receipt.cause.applied == .maybe)
        // `once`, and no gatewayFailed in its list
        await service.script(.status(502), on: "POST /conversations")
        let start = try await messenger.failure(of: Conversations.StartConversation(memberIDs: [2]))
        guard case .unconfirmed = start else { throw Unexpected(start) }
        #expect(await service.requests(on: "POST /conversations").count == 1)
        await service.end()
    }

    /// The contract's four attempts override the dispatcher's setting.
    @Test func serverBusyIsTriedFourTimes() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service, on: .hasty(times: 10))
        await service.script(.status(503), times: 4, on: "GET /conversations")
        let failure = try await messenger.failure(of: Conversations.ListConversations())
        if case .shared(.serverBusy) = failure {} else { throw Unexpected(failure) }
        failure.expect(WantedContext("serverBusy", .retryable, status: 503, attempts: 4))
        await service.end()
    }

    @Test func throttledIsRedeclared() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        await service.script(.throttled(retryAfter: "3600"), on: "POST /conversations/*/messages")
        let failure = try await messenger.fault(of: Self.message)
        #expect(failure.kind == .throttled && failure.category == .retryable)
        #expect(failure.context.message == "You write faster than the messenger can send. Please wait.")
        #expect(failure.context.attempts == 1 && failure.context.retryAfter == .seconds(3600), "past the deadline")
        await service.end()
    }

    @Test func sessionEndedAndAccountBanned() async throws {
        let service = try await ConversationsService.start()
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Conversations.LogIn(userName: "ada", password: "lovelace")
        }
        let messenger = Conversations(
            .init(url: service.url), on: .brisk(), session: session, common: .init(deviceID: UUID()))
        _ = try await messenger.listConversations()
        await service.expireSessions()
        #expect(try await messenger.listConversations().count == 2, "a 401 logs in anew")
        #expect(await asked.count == 2)
        await service.fail(code: "account_banned", status: 403, on: "GET /conversations")
        let banned = try await messenger.failure(of: Conversations.ListConversations())
        if case .shared(.accountBanned) = banned {} else { throw Unexpected(banned) }
        #expect(banned.category == .requiresLogout && banned.context.message == "This account has been closed.")
        #expect(await asked.count == 2 && session.tokens == nil, "who is barred is not asked to log in")
        await service.end()
    }
}
