/// The commands of a person.
extension PresenceService {
    func answer(
        _ kind: String, _ correlation: String, _ data: WireJSON, from peer: MessagePeer, of person: Int
    ) async {
        switch kind {
        case "info.query":
            guard let user = data["of"]?.integer, (1...9).contains(user) else {
                return await fail(peer, correlation, "no_such_user")
            }
            let info: WireJSON = [
                "user": .number(user), "name": .string("Person \(user)"), "status": "online", "text": nil,
            ]
            await reply(kind, correlation, info, to: peer)
        case "status.set":
            statuses.append(data)
            await reply(kind, correlation, nil, to: peer)
            let change: [WireJSON.Member] = [.init("user", .number(person))] + (data.members ?? [])
            await publish(.object(change))
        case "message.send": await store(data, correlation, from: peer, of: person)
        case "poke":
            guard let user = data["user"]?.integer, user > 0 else {
                return await fail(peer, correlation, "no_such_user")
            }
            if user == 7 { return await fail(peer, correlation, "muted") }
            pokes[user, default: 0] += 1
            await reply(kind, correlation, ["pokes": .number(pokes[user] ?? 0)], to: peer)
        case "room.follow": await follow(data, correlation, by: peer)
        case "typing.watch":
            guard let room = room(in: data) else { return await fail(peer, correlation, "no_such_room") }
            followers.append(Follower(peer: peer, correlation: correlation, subject: .typing(room)))
        default: await host.complain("no frame \(kind)")
        }
    }

    private func room(in data: WireJSON) -> Int? {
        data["room"]?.integer.flatMap { (1...99).contains($0) ? $0 : nil }
    }

    private func publish(_ change: WireJSON) async {
        await sendText(Self.frame("status.changed", nil, change).description)
    }

    /// Stores a message once for each key.
    private func store(_ data: WireJSON, _ correlation: String, from peer: MessagePeer, of person: Int) async {
        guard let room = room(in: data), let text = data["text"]?.text else {
            return await fail(peer, correlation, "no_such_room")
        }
        if room == 13 { return await fail(peer, correlation, "room_full", [.init("limit", 4)]) }
        guard let key = data["key"]?.text else { return await host.complain("message.send: no key") }
        if let message = messages[key] {
            if message["text"] != .string(text) { await host.complain("message.send: the key of another message") }
            return await reply("message.send", correlation, message, to: peer)
        }
        let message: WireJSON = [
            "number": .number((rooms[room]?.count ?? 0) + 1), "room": .number(room), "user": .number(person),
            "text": .string(text),
        ]
        messages[key] = message
        stored.append(text)
        await happen(in: room, text, by: person)
        await reply("message.send", correlation, message, to: peer)
    }

    /// Sends the events after a place, or from now on.
    private func follow(_ data: WireJSON, _ correlation: String, by peer: MessagePeer) async {
        guard let room = room(in: data) else { return await fail(peer, correlation, "no_such_room") }
        let events = rooms[room] ?? []
        if followers.contains(where: { $0.peer === peer && $0.subject == .room(room) }) {
            await host.complain("room.follow: twice on a connection")
        }
        followers.append(Follower(peer: peer, correlation: correlation, subject: .room(room)))
        for event in events.dropFirst(data["since"]?.integer ?? events.count) {
            await peer.send(Self.frame("room.event", correlation, event))
        }
    }
}
