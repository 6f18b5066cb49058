import ConversationsClient
import Foundation
import TestServices
import Testing

/// Each endpoint of the messenger without faults.
@Suite(.serialized) struct ConversationsSuccessTests {
    static let known = UUID(uuidString: ConversationsService.known) ?? UUID()
    static let closed = UUID(uuidString: ConversationsService.closed) ?? UUID()

    @Test func logsInWithTheDevicesHeaders() async throws {
        let service = try await ConversationsService.start()
        let session = Session()
        let device = UUID()
        let messenger = Conversations(
            .init(url: service.url), on: .brisk(), session: session, common: .init(language: "fr", deviceID: device))
        let login = try await messenger.logIn(userName: "ada", password: "lovelace")
        #expect(login.member.id == 1 && login.member.displayName == "Ada" && login.member.presence == .on)
        let seen = try #require(login.member.lastSeenAt)
        #expect(abs(seen.timeIntervalSince1970 - 1_770_000_000.123) < 0.0001)
        let request = try #require(await service.requests(on: "POST /sessions").first)
        #expect(request.json == ["user_name": "ada", "password": "lovelace"], "naming: snake_case")
        #expect(request.header("X-Device-ID")?.uppercased() == device.uuidString)
        #expect(request.header("Accept-Language") == "fr")
        try await messenger.logOut()
        #expect(await service.requests(on: "DELETE /sessions").first?.header("X-Session") == login.token)
        await service.end()
    }

    @Test func listsConversations() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let all = try await messenger.listConversations(pageSize: 200)
        #expect(all.map(\.id) == [Self.known, Self.closed])
        let first = try #require(all.first)
        #expect(first.title == "Engines" && first.unreadCount == 4 && !first.pinned && first.mutedUntil == nil)
        #expect(first.members.map(\.displayName) == ["Ada", "Grace"])
        #expect(first.members.map(\.presence) == [.on, .away])
        #expect(first.createdAt == Date(timeIntervalSince1970: 1_767_323_045))
        #expect(first.extra?["theme"]?.string == "dark" && first.extra?["n"]?[2]?.kind == .null)
        guard case .text(let last)? = first.lastMessage else { throw Unexpected("last message") }
        #expect(last.text == "Ah!")
        #expect(all.last?.title == nil && all.last?.lastMessage == nil)
        #expect(all.last?.members.last?.presence == .unrecognized("invisible"))
        let query = await service.requests(on: "GET /conversations").first?.rawQuery
        #expect(query == "page_size=200&page=1")
        await service.end()
    }

    @Test func readsMessagesOfEveryKind() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let page = try await messenger.listMessages(conversationID: Self.known, limit: 3)
        #expect(page.earlier == "3")
        guard case .text(let answer) = page.messages[0], case .location(let place) = page.messages[1],
            case .image(let image) = page.messages[2]
        else { throw Unexpected(page.messages) }
        guard case .text(let quoted)? = answer.quoted else { throw Unexpected("no quotation") }
        #expect(quoted.text == "Hello\n\"Grace\"" && quoted.quoted == nil && quoted.mentions.isEmpty)
        #expect((place.latitude, place.longitude) == (51.5, -0.12) && place.place == "London")
        #expect(place.sentAt == Date(timeIntervalSince1970: 1_772_348_402), "with an offset of two hours")
        // its kind is at the end
        #expect(image.imageURL.absoluteString == "https://images.example/cat.jpg" && image.caption == nil)
        #expect(image.preview == [0x00, 0xff, 0x40, 0x80])
        #expect(image.sentAt == Date(timeIntervalSince1970: 1_772_355_601.5))

        let earlier = try await messenger.reply(
            to: Conversations.ListMessages(conversationID: Self.known, cursor: page.earlier))
        #expect(earlier.value.earlier == nil && earlier.value.messages.count == 1)
        guard case .text(let first) = earlier.value.messages[0] else { throw Unexpected(earlier.value.messages) }
        #expect(first.mentions == [2, 3])
        #expect(earlier.skipped.map(\.path) == ["$.data.messages[0].mentions[1]"])
        let path = await service.requests(on: "GET /conversations/*/messages").first?.path
        #expect(path?.lowercased() == "/conversations/\(ConversationsService.known)/messages")
        await service.end()
    }

    @Test func dropsAndReportsBadMessages() async throws {
        let service = try await ConversationsService.start()
        await service.setBadMessages(true)
        let messenger = try await Conversations.asAda(service)
        let reply = try await messenger.reply(to: Conversations.ListMessages(conversationID: Self.known))
        #expect(reply.value.messages.count == 4)
        #expect(
            reply.skipped.map(\.path) == [
                "$.data.messages[0].id", "$.data.messages[1]", "$.data.messages[2]", "$.data.messages[6].mentions[1]",
            ])
        await service.end()
    }

    @Test func keepsAMessageOfAKindThatCameLater() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let body = #"{"data":{"messages":[{"kind":"poll","question":"Tea?","votes":[1,2]}],"earlier_cursor":null}}"#
        await service.script(.body(body), on: "GET /conversations/*/messages")
        let page = try await messenger.listMessages(conversationID: Self.known)
        guard case .unrecognized("poll", let value) = page.messages.first else { throw Unexpected(page.messages) }
        #expect(value["question"]?.string == "Tea?" && value["votes"]?.array?.count == 2)
        await service.end()
    }

    @available(*, deprecated, message: "It tests what is deprecated.")
    @Test func theDeprecatedEndpointWorks() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        #expect(try await messenger.recentMessages(conversationID: Self.known).count == 4)
        await service.end()
    }

    @Test func saysSomethingOfEveryKind() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let text = "Zoë says: \"naïve\" \u{1F469}\u{200D}\u{1F4BB}\u{0}\u{2028}\t/"
        let quotes = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001"))
        let sent = try await messenger.sendMessage(
            conversationID: Self.known, draft: .text(.init(text: text, quotes: quotes)), notify: false)
        guard case .text(let message) = sent else { throw Unexpected(sent) }
        #expect(message.text == text && message.senderID == 1)
        let url = try #require(URL(string: "https://images.example/a%20b.jpg?x=1&y=%C3%BC"))
        let image = try await messenger.sendMessage(conversationID: Self.known, draft: .image(.init(imageURL: url)))
        guard case .image(let picture) = image else { throw Unexpected(image) }
        #expect(picture.imageURL == url)
        let location = try await messenger.sendMessage(
            conversationID: Self.known, draft: .location(.init(latitude: -90, longitude: 0.1)))
        guard case .location(let place) = location else { throw Unexpected(location) }
        #expect((place.latitude, place.longitude) == (-90, 0.1))

        let bodies = await service.requests(on: "POST /conversations/*/messages").compactMap(\.json)
        #expect(bodies.first?["draft"]?["quotes"]?.text?.uppercased() == quotes.uuidString)
        #expect(bodies.first?["notify"] == false && bodies.last?["notify"] == true)
        #expect(bodies.map { $0["draft"]?["kind"]?.text } == ["text", "image", "location"])
        #expect(bodies.last?["draft"]?["longitude"] == .number("0.1"))
        await service.end()
    }

    @Test func saysWhatTheContractDoesNotKnowYet() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let body = #"{"data":{"kind":"poll","question":"Tea?","id":7}}"#
        await service.script(.body(body), on: "POST /conversations/*/messages")
        let draft = Conversations.Draft.unrecognized("poll", ["kind": "poll", "question": "Tea?", "n": [1.50, nil]])
        let sent = try await messenger.sendMessage(conversationID: Self.known, draft: draft)
        guard case .unrecognized("poll", let value) = sent else { throw Unexpected(sent) }
        #expect(value["id"] == 7)
        let request = try #require(await service.requests(on: "POST /conversations/*/messages").first)
        #expect(request.json?["draft"] == ["kind": "poll", "question": "Tea?", "n": [1.5, nil]])
        await service.end()
    }

    @Test func startsAndLeavesConversations() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        guard case .completed(let started) = try await messenger.startConversation(memberIDs: [2, 4], title: "New")
        else { throw Unexpected("exists") }
        #expect(started.title == "New" && started.members.map(\.id) == [1, 2, 4])
        let exists = try await messenger.startConversation(memberIDs: [2])
        guard case .alreadyExists(let data) = exists else { throw Unexpected(exists) }
        #expect(data?.conversation.id == Self.known)
        #expect(
            await service.requests(on: "POST /conversations").first?.json == ["member_ids": [2, 4], "title": "New"])
        await service.script(
            .body(#"{"error":{"code":"conversation_exists","text":"known"},"data":{"conversation":7}}"#),
            on: "POST /conversations")
        guard case .alreadyExists(nil) = try await messenger.startConversation(memberIDs: [2]) else {
            throw Unexpected("data")
        }

        let message = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000004"))
        try await messenger.markRead(conversationID: Self.known, messageID: message)
        #expect(await service.readMarkers.map { $0.uppercased() } == [message.uuidString])
        try await messenger.leaveConversation(conversationID: Self.known, keepHistory: false)
        #expect(await service.requests(on: "DELETE /conversations/*").first?.rawQuery == "keep_history=false")
        #expect(try await messenger.listConversations().map(\.id).contains(Self.known) == false)
        await service.end()
    }

    @Test func uploadsBytesAsTheyAre() async throws {
        let service = try await ConversationsService.start()
        let messenger = try await Conversations.asAda(service)
        let id = UUID()
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let stored = try await messenger.uploadImage(imageID: id, mediaType: "image/webp", body: .bytes(bytes))
        #expect((stored.width, stored.height) == (640, 480))
        #expect(stored.imageURL.host == "images.example")
        #expect(await service.pictures.values.first == bytes)
        let request = try #require(await service.requests(on: "PUT /images/*").first)
        #expect(request.header("X-Media-Type") == "image/webp")
        #expect(request.header("Content-Length") == "70000")
        _ = try await messenger.uploadImage(imageID: id, body: .bytes([]))
        #expect(await service.requests(on: "PUT /images/*").last?.header("X-Media-Type") == "image/jpeg")
        #expect(await service.pictures.values.first == [])
        await service.end()
    }
}
