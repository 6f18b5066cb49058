/// The live service's data, with types as loose as an old server's.
enum LiveRooms {
    static let ids = 1...45

    static func title(of id: Int) -> String { ["Piano", "Chess", "Cooking & more"][id % 3] + " \(id)" }

    static func room(_ id: Int) -> WireJSON {
        [
            "id": id % 2 == 0 ? .number(id) : .string("\(id)"), "title": .string(title(of: id)), "host": host(id),
            "watching": id % 3 == 0 ? .number(id * 10) : .string("\(id * 10)"), "open": [1, 0, true, "1"][id % 4],
            "startedAt": id % 2 == 0 ? 1_770_000_000 : "1770000000",
            "cover": id % 2 == 0 ? "" : "https://images.example/cover.png",
            "tags": id % 2 == 0 ? "music" : ["music", "live"], "level": .number(id % 5),
        ]
    }

    static func host(_ id: Int) -> WireJSON {
        ["id": .string("\(id)"), "name": .string("Host \(id)"), "followed": .number(id % 2), "signature": ""]
    }

    static func rank(_ position: Int) -> WireJSON {
        ["position": .number(position), "host": host(position), "score": .string("\(1000 - position).10")]
    }

    static let badRooms: [WireJSON] = ["closed", ["id": "not a number", "title": "bad"]]
}

extension LiveService {
    func enter(_ request: ReceivedRequest) async -> ServedAnswer {
        if request.form == nil { await complain(request, "no form, but \(request.mediaType ?? "nothing")") }
        if request.parameter("quality") == nil { await complain(request, "no quality") }
        guard let id = Int(request.segments[1]), LiveRooms.ids.contains(id) else {
            return envelope(4040, "closed", .null)
        }
        if id == 7 { return envelope(4100, "please wait", ["position": "12"]) }
        return success(["streamURL": .string("rtmp://stream.example/\(id)"), "watching": "128"])
    }

    func takeGift(_ request: ReceivedRequest) async -> ServedAnswer {
        guard request.form != nil, let gift = request.parameter("giftID").flatMap({ Int($0) }),
            let count = request.parameter("count").flatMap({ Int($0) })
        else {
            await complain(request, "no form with giftID and count: \(request.bodyText)")
            return envelope(4000, "bad gift", .null)
        }
        guard let id = Int(request.segments[1]), LiveRooms.ids.contains(id) else {
            return envelope(4040, "closed", .null)
        }
        let price = gift * 10 * count
        if price > coins {
            return envelope(4020, "too few coins", ["coins": .string("\(coins)"), "price": .number(price)])
        }
        coins -= price
        giftsSent += count
        return success(["giftID": .number(gift), "coinsLeft": .string("\(coins)"), "total": .number("\(price).50")])
    }

    func keepCover(_ request: ReceivedRequest) async -> ServedAnswer {
        guard let parts = request.parts, let file = parts.first(where: { $0.name == "cover" }) else {
            await complain(request, "no parts, or no cover among them: \(request.header("Content-Type") ?? "")")
            return envelope(4150, "no cover", .null)
        }
        if file.contentType != "image/png" { await complain(request, "cover is \(file.contentType ?? "untyped")") }
        if request.parameter("title")?.isEmpty != false { await complain(request, "no title") }
        if file.bytes.isEmpty { return envelope(4150, "an empty picture", .null) }
        cover = file.bytes
        return success(["cover": "https://images.example/cover.png"], message: "Looks good!")
    }
}
