/// The video service's data.
enum VideoEntries {
    static func entry(_ number: Int) -> WireJSON {
        let author: [WireJSON.Member] = number % 2 == 0 ? [.init("author", "Ada")] : []
        return .object(
            author + [
                .init("id", .string("v\(number)")), .init("title", .string("Video № \(number)")),
                .init("published", "2026-02-03T04:05:06.789+01:00"),
                .init("recordedOn", number % 3 == 0 ? "2026-02-01" : .null), .init("seconds", .number("12.5")),
                .init("rating", number % 5 == 0 ? .null : .number("4.5")), .init("views", .number("9007199254740993")),
                .init("likes", .number(number)), .init("quality", [360, 720, 1080, 2160]),
                .init(
                    "images",
                    ["small": "https://images.example/s.png", "large": "https://images.example/l.png?x=1&y=2"]),
                .init("repeat", .bool(number == 1)),
                // the contract does not declare it
                .init("embedded", ["width": 640, "nested": [[], [:], nil]]),
            ])
    }

    /// One entry as an object where there is one, or a list, with two bad ones in it where asked for.
    static func related(to id: String, bad: Bool) -> WireJSON {
        if id == "v1" { return entry(2) }
        let good = [2, 3, 4].map(entry)
        guard bad else { return .array(good) }
        return .array([good[0], "not an entry", good[1], ["id": 17, "title": "the id is a number"], good[2]])
    }

    static let comments: WireJSON = [
        [
            "id": 1, "author": "Grace", "text": "First!", "written": 1_770_000_000,
            "replies": [
                [
                    "id": 2, "author": "Ada", "text": "Second \u{1F600}", "written": 1_770_000_060,
                    "replies": [["id": 3, "author": "Grace", "text": "Third", "written": 1_770_000_120]],
                ]
            ],
        ],
        ["id": 4, "author": "Kurt", "text": "", "written": 1_770_000_180, "replies": []],
    ]
}
