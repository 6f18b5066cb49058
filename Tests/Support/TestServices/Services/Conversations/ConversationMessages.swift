extension ConversationsService {
    /// Whatever is below `/conversations/ID`.
    func answer(_ request: ReceivedRequest, about conversation: ConversationStore.Stored) async -> ServedAnswer {
        switch request {
        case "GET /conversations/*/messages": return await messages(request, of: conversation)
        case "GET /conversations/*/recent": return Self.success(.array(shown(conversation.messages)))
        case "POST /conversations/*/messages": return await say(request, in: conversation)
        case "PATCH /conversations/*": return await change(request, conversation)
        case "PUT /conversations/*/read-marker":
            guard let id = request.json?["message_id"]?.text else {
                await complain(request, "no message_id: \(request.bodyText)")
                return ServedAnswer(400)
            }
            readMarkers.append(id)
            return ServedAnswer(204)
        case "DELETE /conversations/*":
            guard ["true", "false"].contains(request.queryValue("keep_history")) else {
                await complain(request, "no keep_history")
                return ServedAnswer(400)
            }
            store[conversation.id] = nil
            return Self.success(.null)
        default: return ServedAnswer(404)
        }
    }

    private func messages(_ request: ReceivedRequest, of conversation: ConversationStore.Stored) async -> ServedAnswer {
        guard let limit = request.queryValue("limit").flatMap({ Int($0) }) else {
            await complain(request, "no limit")
            return ServedAnswer(400)
        }
        let start = request.queryValue("cursor").flatMap { Int($0) } ?? 0
        let page = conversation.messages.reversed().dropFirst(start).prefix(limit)
        let next = start + page.count
        let more = next < conversation.messages.count
        return Self.success([
            "messages": .array(shown(Array(page))), "earlier_cursor": more ? .string("\(next)") : .null,
        ])
    }

    private func shown(_ messages: [WireJSON]) -> [WireJSON] {
        hasBadMessages ? ConversationStore.badMessages + messages : messages
    }

    private func say(_ request: ReceivedRequest, in conversation: ConversationStore.Stored) async -> ServedAnswer {
        guard let key = request.header("Idempotency-Key"), !key.isEmpty else {
            await complain(request, "no idempotency key")
            return ServedAnswer(400)
        }
        switch keyed.lookUp(key, fingerprint: request.bodyText) {
        case .replay(let answer): return answer
        case .misused:
            await complain(request, "one key for two commands")
            return ServedAnswer(400)
        case .new: break
        }
        if conversation.id == Self.closed {
            let data: WireJSON = ["closed_at": "2026-02-28T18:00:00Z", "closed_by": ConversationStore.participant(3)]
            return Self.failure("conversation_closed", status: 409, data: data)
        }
        guard let message = message(from: request.json) else {
            await complain(request, "no draft: \(request.bodyText)")
            return ServedAnswer(400)
        }
        store[conversation.id]?.messages.append(message)
        said.append(message["text"]?.text ?? message["kind"]?.text ?? "")
        let answer = Self.success(message, status: 201)
        keyed.keep(answer, for: key, fingerprint: request.bodyText)
        return answer
    }

    /// The draft, with what the server adds to it.
    private func message(from body: WireJSON?) -> WireJSON? {
        guard let draft = body?["draft"], let kind = draft["kind"]?.text, body?["notify"]?.flag != nil else {
            return nil
        }
        let wanted = ["text": ["text"], "image": ["image_url"], "location": ["latitude", "longitude"]][kind]
        guard let wanted, wanted.allSatisfy({ draft[$0]?.scalarText != nil }) else { return nil }
        let number = String(said.count + 1)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
        var members = (draft.members ?? []).filter { $0.name != "quotes" }
        members += [.init("id", .string(id)), .init("sender_id", 1), .init("sent_at", "2026-03-02T10:00:00Z")]
        return .object(members)
    }

    /// Absent fields stay as they are; null takes away.
    private func change(_ request: ReceivedRequest, _ conversation: ConversationStore.Stored) async -> ServedAnswer {
        guard let body = request.json, body.members != nil else {
            await complain(request, "body is no JSON object")
            return ServedAnswer(400)
        }
        var changed = conversation
        if let title = body["title"] { changed.title = title.text }
        if let muted = body["muted_until"] { changed.mutedUntil = muted.numberText }
        if let pinned = body["pinned"]?.flag { changed.pinned = pinned }
        store[conversation.id] = changed
        return Self.success(ConversationStore.json(of: changed))
    }
}
