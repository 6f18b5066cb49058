/// The users of the social network.
enum FriendsPeople {
    static let ids = 1...45

    static func name(of id: Int) -> String {
        ["Ada", "Grace", "Kurt", "Émilie", "Søren"][id % 5] + " \(id)"
    }

    static func user(_ id: Int) -> WireJSON {
        [
            "id": .number(id), "handle": .string("user\(id)"), "name": .string(name(of: id)),
            "e_mail": id % 2 == 0 ? .null : .string("user\(id)@example.org"),
            "birthday": id % 3 == 0 ? .null : .string("1990-0\(id % 9 + 1)-28"), "joinedAt": "2020-02-29T23:59:59Z",
            "photo": id % 4 == 0 ? .null : .string("https://images.example/\(id).jpg"), "verified": .bool(id == 1),
            "tags": ["a", "b"],
            "interests": [["name": "chess", "weight": 0.5], ["name": 7], ["name": "tea", "weight": 1]],
        ]
    }

    /// No user at all, one without an id, one whose name is a number.
    static let badUsers: [WireJSON] = [
        nil, ["handle": "ghost", "name": "No id", "joinedAt": "2020-01-01T00:00:00Z"],
        ["id": 99, "handle": "number", "name": 12, "joinedAt": "2020-01-01T00:00:00Z"],
    ]

    static func friendship(with id: Int, closeness: Int) -> WireJSON {
        ["user": user(id), "since": 1_600_000_000, "closeness": .number(closeness)]
    }

    static func birthdays(in month: Int) -> [(key: String, value: String)] {
        [(key: "user2", value: "1990-\(month < 10 ? "0" : "")\(month)-28")]
    }
}

/// The person's own page.
struct FriendsProfile {
    var name = "Ada"
    var email: String? = "ada@example.org"
    var birthday: String? = "1815-12-10"
    var tags: [String] = []

    var json: WireJSON {
        [
            "id": 1, "handle": "ada", "name": .string(name), "e_mail": email.map(WireJSON.string) ?? .null,
            "birthday": birthday.map(WireJSON.string) ?? .null, "joinedAt": "2020-02-29T23:59:59Z",
            "tags": .array(tags.map(WireJSON.string)),
        ]
    }
}

extension FriendsService {
    /// Absent fields stay as they are; null takes away.
    func changeProfile(_ request: ReceivedRequest) async -> ServedAnswer {
        guard request.mediaType == "application/json", let body = request.json, body.members != nil else {
            await complain(request, "body is no JSON object")
            return Self.failure(400, "no JSON")
        }
        if let email = body["e_mail"]?.text, !email.contains("@") {
            return .json(["message": "not valid", "fields": ["e_mail": "has no @"]], status: 422)
        }
        if let name = body["name"]?.text { profile.name = name }
        if let email = body["e_mail"] { profile.email = email.text }
        if let birthday = body["birthday"] { profile.birthday = birthday.text }
        if let tags = body["tags"]?.elements { profile.tags = tags.compactMap(\.text) }
        return .json(profile.json)
    }

    func changePhoto(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let parts = request.parts, let file = parts.first(where: { $0.name == "photo" }) else {
            await complain(request, "no parts, or no photo among them: \(request.header("Content-Type") ?? "")")
            return Self.failure(400, "no photo")
        }
        if file.contentType != "image/jpeg" { await complain(request, "photo is \(file.contentType ?? "untyped")") }
        if file.fileName == nil { await complain(request, "photo has no file name") }
        photo = file.bytes
        return .json(["photo": "https://images.example/new.jpg"])
    }
}
