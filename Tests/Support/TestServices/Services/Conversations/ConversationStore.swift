/// The messenger's data.
struct ConversationStore {
    struct Stored {
        var id: String
        var title: String?
        var members: [Int]
        var mutedUntil: String?
        var pinned = false
        var messages: [WireJSON] = []
    }

    static let known = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    static let closed = "00000000-0000-4000-8000-00000000c105"
    static let names = [1: "Ada", 2: "Grace", 3: "Kurt"]

    /// By lower case id.
    private(set) var conversations: [String: Stored]

    init() {
        var first = Stored(id: Self.known, title: "Engines", members: [1, 2])
        first.messages = Self.openingMessages
        conversations = [first.id: first, Self.closed: Stored(id: Self.closed, members: [1, 3])]
    }

    subscript(id: String) -> Stored? {
        get { conversations[id.lowercased()] }
        set { conversations[id.lowercased()] = newValue }
    }

    func conversation(of members: [Int]) -> Stored? {
        conversations.values.first { Set($0.members) == Set(members) }
    }

    static func json(of conversation: Stored) -> WireJSON {
        .object([
            .init("id", .string(conversation.id)), .init("title", conversation.title.map(WireJSON.string) ?? .null),
            .init("members", .array(conversation.members.map(participant))),
            .init("last_message", conversation.messages.last ?? .null),
            .init("unread_count", .number(conversation.messages.count)),
            .init("muted_until", conversation.mutedUntil.map(WireJSON.number) ?? .null),
            .init("created_at", "2026-01-02T03:04:05Z"), .init("pinned", .bool(conversation.pinned)),
            .init("extra", ["theme": "dark", "n": [1, 2.5, nil]]),
        ])
    }

    static func participant(_ id: Int) -> WireJSON {
        [
            "id": .number(id), "display_name": .string(names[id] ?? "Nobody"),
            "presence": .string(["off", "on", "away", "invisible"][id % 4]), "last_seen_at": 1_770_000_000_123,
        ]
    }

    /// A message of each kind, one of them a quotation, and one of a kind that no contract knows.
    private static let openingMessages: [WireJSON] = [
        [
            "kind": "text", "id": "00000000-0000-4000-8000-000000000001", "sender_id": 1,
            "sent_at": "2026-03-01T09:00:00Z", "text": "Hello\n\"Grace\"", "mentions": [2, "everybody", 3],
        ],
        [
            "id": "00000000-0000-4000-8000-000000000002", "sender_id": 2, "sent_at": "2026-03-01T09:00:01.5Z",
            "image_url": "https://images.example/cat.jpg", "preview": "AP9AgA==", "caption": nil, "kind": "image",
        ],
        [
            "kind": "location", "id": "00000000-0000-4000-8000-000000000003", "sender_id": 1,
            "sent_at": "2026-03-01T09:00:02+02:00", "latitude": 51.5, "longitude": -0.12, "place": "London",
        ],
        [
            "kind": "text", "id": "00000000-0000-4000-8000-000000000004", "sender_id": 2,
            "sent_at": "2026-03-01T09:00:03Z", "text": "Ah!",
            "quoted": [
                "kind": "text", "id": "00000000-0000-4000-8000-000000000001", "sender_id": 1,
                "sent_at": "2026-03-01T09:00:00Z", "text": "Hello\n\"Grace\"",
            ],
        ],
    ]

    static let badMessages: [WireJSON] = [
        ["kind": "text", "id": "not a uuid", "sender_id": 1, "sent_at": "yesterday", "text": "bad"],
        42,
        ["kind": "image", "id": "00000000-0000-4000-8000-000000000005"],
    ]
}
