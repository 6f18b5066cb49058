/// Documents as a server of the contract `feed` would send them, compact and in UTF-8. The same seed gives the same bytes.
///
/// An article takes about 460 bytes: numbers, texts (one in eight with other letters than ASCII, one in twelve with an
/// escape), optionals that are there, null or absent, lists, a map, and one key that the contract does not know.
public struct FeedDocument {
    /// The seed, unless the environment names another.
    public static let defaultSeed: UInt64 = 20_261_121

    private var random: SeededRandom

    public init(seed: UInt64 = defaultSeed) { random = SeededRandom(seed: seed) }

    /// A list with a number of articles.
    public mutating func articles(count: Int) -> [UInt8] {
        Self.list((0..<count).map { article($0) })
    }

    /// A list of articles with at least a number of bytes, and at most one article more than needed.
    public mutating func articles(bytes: Int) -> [UInt8] {
        var elements: [String] = []
        var size = 2
        while size < bytes {
            elements.append(article(elements.count))
            size += (elements.last?.utf8.count ?? 0) + 1
        }
        return Self.list(elements)
    }

    /// The same with the keys of each article in another order than the contract's, a new one for each.
    public mutating func shuffledArticles(bytes: Int) -> [UInt8] {
        var elements: [String] = []
        var size = 2
        while size < bytes {
            elements.append(Self.object(articleFields(elements.count).shuffled(using: &random)))
            size += (elements.last?.utf8.count ?? 0) + 1
        }
        return Self.list(elements)
    }

    /// A list of events, which have three or four timestamps each, of at least so many bytes.
    public mutating func events(bytes: Int) -> [UInt8] {
        var elements: [String] = []
        var size = 2
        while size < bytes {
            elements.append(event(elements.count))
            size += (elements.last?.utf8.count ?? 0) + 1
        }
        return Self.list(elements)
    }

    /// A payload in the contract's envelope.
    ///
    /// - Parameter codeFirst: whether the code is before the payload, or after it.
    public static func enveloped(_ payload: [UInt8], codeFirst: Bool) -> [UInt8] {
        let status = "\"code\":0,\"message\":\"fine\""
        return codeFirst
            ? Array("{\(status),\"data\":".utf8) + payload + Array("}".utf8)
            : Array("{\"data\":".utf8) + payload + Array(",\(status)}".utf8)
    }

    // MARK: Elements

    private mutating func article(_ index: Int) -> String { Self.object(articleFields(index)) }

    private mutating func articleFields(_ index: Int) -> [String] {
        let author = number(1...90_000)
        var fields = [
            "\"id\":\(100_000 + index * 7)",
            "\"title\":\(text(words: 3...8))",
        ]
        if !random.chance(oneIn: 4) {
            fields.append("\"summary\":\(random.chance(oneIn: 3) ? "null" : text(words: 6...14))")
        }
        fields += [
            "\"kind\":\"\(pick(["story", "report", "interview", "review", "notice"]))\"",
            "\"author\":{\"id\":\(author),\"name\":\(text(words: 2...2)),\"isVerified\":\(random.chance(oneIn: 2)),\"homepage\":"
                + (random.chance(oneIn: 2) ? "null}" : "\"https://people.example/\(author)\"}"),
            "\"tags\":[\((0..<number(0...5)).map { _ in text(words: 1...1) }.joined(separator: ","))]",
            "\"views\":\(number(0...2_000_000))",
            "\"likes\":\(number(0...90_000))",
            "\"rating\":\(number(0...4)).\(number(0...9))",
            "\"etag\":\"\(String(random.next(), radix: 16))\"",
        ]
        if random.chance(oneIn: 2) { fields.append("\"price\":\(number(0...300)).\(number(10...99))") }
        let reactions = ["joy", "anger", "doubt", "thanks"].prefix(number(0...4)).map {
            "\"\($0)\":\(number(1...9000))"
        }
        let images = (0..<number(0...2)).map { _ in
            "{\"path\":\"/images/\(number(1...9_999_999)).jpeg\",\"width\":\(number(64...4096)),\"height\":\(number(64...4096))}"
        }
        fields += [
            "\"isPinned\":\(random.chance(oneIn: 20))",
            "\"reactions\":{\(reactions.joined(separator: ","))}",
            "\"images\":[\(images.joined(separator: ","))]",
        ]
        if random.chance(oneIn: 3) { fields.append("\"parent\":\(number(100_000...999_999))") }
        return fields
    }

    private mutating func event(_ index: Int) -> String {
        var fields = ["\"id\":\(index + 1)", "\"name\":\(text(words: 2...6))"]
        if random.chance(oneIn: 2) { fields.append("\"place\":\(text(words: 1...3))") }
        fields += ["\"createdAt\":\(timestamp())", "\"changedAt\":\(timestamp())", "\"startsAt\":\(timestamp())"]
        fields.append("\"endsAt\":\(random.chance(oneIn: 3) ? "null" : timestamp())")
        fields += ["\"seats\":\(number(5...5000))", "\"isPublic\":\(random.chance(oneIn: 2))"]
        return Self.object(fields)
    }

    // MARK: Values

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func pick(_ words: [String]) -> String { words[number(0...words.count - 1)] }

    private mutating func text(words count: ClosedRange<Int>) -> String {
        var words = (0..<number(count)).map { _ in pick(Self.words) }
        if random.chance(oneIn: 8) { words.append(pick(["café", "Straße", "日本語", "naïve", "😀"])) }
        if random.chance(oneIn: 12) {
            words.append(pick(["\\\"so\\\"", "a\\/b", "\\u00e9t\\u00e9", "\\n", "\\ud83d\\ude00"]))
        }
        return "\"\(words.joined(separator: " "))\""
    }

    /// In RFC 3339 form, in UTC and without a fraction, which is all that `.iso8601` of `JSONDecoder` takes.
    private mutating func timestamp() -> String {
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = "\(number(1999...2037))-\(padded(number(1...12)))-\(padded(number(1...28)))"
        return "\"\(date)T\(padded(number(0...23))):\(padded(number(0...59))):\(padded(number(0...59)))Z\""
    }

    private static func object(_ fields: [String]) -> String { "{\(fields.joined(separator: ","))}" }
    private static func list(_ elements: [String]) -> [UInt8] { Array("[\(elements.joined(separator: ","))]".utf8) }

    private static let words = [
        "harbour", "of", "the", "morning", "light", "council", "votes", "again", "on", "bridge", "prices", "rise", "in",
        "spring", "after", "long", "winter", "players", "return", "to", "city", "library", "opens", "new", "wing",
    ]
}
