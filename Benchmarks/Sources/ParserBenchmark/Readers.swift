import ErrandJSON
import FeedClient
import Foundation

/// Reading and writing as generated clients do it.
enum Generated {
    static func articles(_ bytes: [UInt8]) throws -> [Feed.Article] { try JSON.scan(bytes, Feed.ListArticles.load) }

    static func events(_ bytes: [UInt8]) throws -> [Feed.Event] { try JSON.scan(bytes, Feed.ListEvents.load) }

    static func bytes(_ articles: [Feed.Article]) throws -> [UInt8] {
        try JSON.bytes { writer in articles.write(to: &writer) }
    }

    static func bytes(_ events: [Feed.Event]) throws -> [UInt8] {
        try JSON.bytes { writer in events.write(to: &writer) }
    }

    /// Whether the bytes are JSON.
    static func isValid(_ bytes: [UInt8]) -> Bool {
        (try? JSON.scan(bytes) { reader in
            reader.skipValue()
            return true
        }) ?? false
    }
}

/// Reading and writing by Foundation's coders, which are made once.
struct FoundationCoders {
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    init() {
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        // Without this option, Foundation escapes slashes, which isn't needed.
        encoder.outputFormatting = .withoutEscapingSlashes
    }

    func read<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try decoder.decode(type, from: data)
    }

    func data(_ value: some Encodable) throws -> Data { try encoder.encode(value) }
}
