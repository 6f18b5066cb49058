import CAllocationCount
import FeedClient
import FeedDocuments
import FigureTables
import Foundation
import MeasuredTurns

/// The measured rows. Each row first checks that both sides have equal values.
struct ParserRows {
    let seed: UInt64
    let rounds: Int
    /// The minimum duration of one measurement of one contender, in seconds.
    let slot: Double
    private let foundation = FoundationCoders()
    private static let sizes = [2_000, 20_000, 231_000, 5_000_000]

    init(seed: UInt64, rounds: Int, slot: Double) {
        self.seed = seed
        self.rounds = rounds
        self.slot = slot
    }

    /// Ratios of time.
    func speed() async throws -> FigureTable {
        var table = FigureTable(
            "Reading and writing",
            columns: ["work", "bytes", "against", "ours", "theirs", "ratio", "spread", "promise", ""])
        for size in Self.sizes {
            try await decode(size, "decode", goal: .atLeast(10), in: &table) { $0.articles(bytes: size) }
        }
        try await decode(20_000, "decode, keys in any order", goal: nil, in: &table) {
            $0.shuffledArticles(bytes: 20_000)
        }
        for size in Self.sizes { try await decodeDates(size, in: &table) }
        try await envelope(codeFirst: false, goal: .atLeast(7), in: &table)
        try await envelope(codeFirst: true, goal: nil, in: &table)
        try await command(in: &table)
        for size in Self.sizes { try await encode(size, in: &table) }
        try await encodeDates(in: &table)
        #if HAS_YYJSON
        for size in Self.sizes { try await decodeBesideYYJSON(size, in: &table) }
        #endif
        try await validate(in: &table)
        return table
    }

    /// The number of allocations.
    func allocations() throws -> FigureTable {
        var table = FigureTable(
            "Allocations for 500 objects", columns: ["work", "against", "ours", "theirs", "ratio", "promise", ""])
        guard allocation_count_is_available() else {
            table.add(["decode", "JSONDecoder", "not counted here"])
            return table
        }
        var document = FeedDocument(seed: seed)
        let bytes = document.articles(count: 500)
        let data = Data(bytes)
        let values = try Generated.articles(bytes)
        let twins = try foundation.read([ArticleTwin].self, data)
        func add(_ work: String, _ peer: String, _ ours: Int, _ theirs: Int, _ goal: Goal?) {
            let ratio = Double(ours) / Double(theirs)
            table.add([work, peer, "\(ours)", "\(theirs)", rounded(ratio)] + (goal?.cells(ratio) ?? []))
        }
        add(
            "decode", "JSONDecoder", try Self.count { try Generated.articles(bytes) },
            try Self.count { try foundation.read([ArticleTwin].self, data) }, .atMost(0.3))
        add(
            "encode", "JSONEncoder", try Self.count { try Generated.bytes(values) },
            try Self.count { try foundation.data(twins) }, nil)
        return table
    }

    /// Calls of the allocator. Objects that are made once and kept were made before.
    private static func count<Value>(_ work: () throws -> Value) throws -> Int {
        let warm = try work()
        allocation_count_start()
        let value = try work()
        let calls = allocation_count_stop()
        withExtendedLifetime((warm, value)) {}
        return Int(calls)
    }

    // MARK: Reading

    private func decode(
        _ size: Int, _ work: String, goal: Goal?, in table: inout FigureTable, _ make: (inout FeedDocument) -> [UInt8]
    ) async throws {
        var document = FeedDocument(seed: seed)
        let bytes = make(&document)
        let data = Data(bytes)
        try Disagreement.check(
            work, Generated.articles(bytes).map(ArticleTwin.init), foundation.read([ArticleTwin].self, data))
        try await add(
            work, bytes.count, "JSONDecoder", goal, to: &table, ours: Contender { try Generated.articles(bytes).count },
            theirs: Contender { try foundation.read([ArticleTwin].self, data).count })
    }

    private func decodeDates(_ size: Int, in table: inout FigureTable) async throws {
        var document = FeedDocument(seed: seed)
        let bytes = document.events(bytes: size)
        let data = Data(bytes)
        try Disagreement.check(
            "dates", Generated.events(bytes).map(EventTwin.init), foundation.read([EventTwin].self, data))
        try await add(
            "decode with dates", bytes.count, "JSONDecoder, .iso8601", .atLeast(10), to: &table,
            ours: Contender { try Generated.events(bytes).count },
            theirs: Contender { try foundation.read([EventTwin].self, data).count })
    }

    private func envelope(codeFirst: Bool, goal: Goal?, in table: inout FigureTable) async throws {
        let work = codeFirst ? "envelope, code first" : "envelope, code last"
        let (bytes, data) = try envelopedArticles(codeFirst: codeFirst, work)
        try await add(
            work, bytes.count, "JSONDecoder", goal, to: &table,
            ours: Contender { try EnvelopeReading.articles(bytes).count },
            theirs: Contender { try foundation.read(EnvelopeTwin<[ArticleTwin]>.self, data).data?.count ?? 0 })
    }

    /// A command with all work of the dispatcher, against Foundation's parsing of its response alone.
    private func command(in table: inout FigureTable) async throws {
        let (bytes, data) = try envelopedArticles(codeFirst: false, "command")
        let client = InstantTransport.client(answering: bytes)
        try await add(
            "whole command, instant transport", bytes.count, "JSONDecoder, parsing alone", nil, to: &table,
            ours: Contender { try await client.listArticles().count },
            theirs: Contender { try foundation.read(EnvelopeTwin<[ArticleTwin]>.self, data).data?.count ?? 0 })
    }

    private func envelopedArticles(codeFirst: Bool, _ work: String) throws -> (bytes: [UInt8], data: Data) {
        var document = FeedDocument(seed: seed)
        let bytes = FeedDocument.enveloped(document.articles(bytes: 20_000), codeFirst: codeFirst)
        let data = Data(bytes)
        try Disagreement.check(
            work, EnvelopeReading.articles(bytes).map(ArticleTwin.init),
            foundation.read(EnvelopeTwin<[ArticleTwin]>.self, data).data ?? [])
        return (bytes, data)
    }

    #if HAS_YYJSON
    private func decodeBesideYYJSON(_ size: Int, in table: inout FigureTable) async throws {
        var document = FeedDocument(seed: seed)
        let bytes = document.articles(bytes: size)
        try Disagreement.check(
            "what yyjson reads", Generated.articles(bytes).map(ArticleTwin.init),
            (YYJSONReader.articles(bytes) ?? []).map(ArticleTwin.init))
        try await add(
            "decode", bytes.count, "yyjson in C, same structs", .atLeast(0.75), to: &table,
            ours: Contender { try Generated.articles(bytes).count },
            theirs: Contender { YYJSONReader.articles(bytes)?.count ?? 0 })
    }
    #endif

    private func validate(in table: inout FigureTable) async throws {
        var document = FeedDocument(seed: seed)
        let bytes = document.articles(bytes: 231_000)
        let data = Data(bytes)
        let ours = Contender { Generated.isValid(bytes) ? 1 : 0 }
        try await add(
            "validate alone", bytes.count, "JSONSerialization", nil, to: &table, ours: ours,
            theirs: Contender { try JSONSerialization.jsonObject(with: data) is [Any] ? 1 : 0 })
        #if HAS_YYJSON
        try await add(
            "validate alone", bytes.count, "yyjson in C, its tree", nil, to: &table, ours: ours,
            theirs: Contender { YYJSONReader.isValid(bytes) ? 1 : 0 })
        #endif
    }

    // MARK: Writing

    private func encode(_ size: Int, in table: inout FigureTable) async throws {
        var document = FeedDocument(seed: seed)
        let bytes = document.articles(bytes: size)
        let values = try Generated.articles(bytes)
        let twins = try values.map(ArticleTwin.init)
        let written = try Generated.bytes(values)
        try Disagreement.check("what was written", foundation.read([ArticleTwin].self, Data(written)), twins)
        try Disagreement.check(
            "what was written", Generated.articles(Array(foundation.data(twins))).map(ArticleTwin.init), twins)
        try await add(
            "encode", written.count, "JSONEncoder", .atLeast(12), to: &table,
            ours: Contender { try Generated.bytes(values).count },
            theirs: Contender { try foundation.data(twins).count })
    }

    private func encodeDates(in table: inout FigureTable) async throws {
        var document = FeedDocument(seed: seed)
        let values = try Generated.events(document.events(bytes: 20_000))
        let twins = values.map(EventTwin.init)
        let written = try Generated.bytes(values)
        try Disagreement.check("dates written", foundation.read([EventTwin].self, Data(written)), twins)
        try Disagreement.check(
            "dates written", Generated.events(Array(foundation.data(twins))).map(EventTwin.init), twins)
        try await add(
            "encode with dates", written.count, "JSONEncoder, .iso8601", nil, to: &table,
            ours: Contender { try Generated.bytes(values).count },
            theirs: Contender { try foundation.data(twins).count })
    }

    // MARK: Rows

    private func add(
        _ work: String, _ size: Int, _ peer: String, _ goal: Goal?, to table: inout FigureTable, ours: Contender,
        theirs: Contender
    ) async throws {
        let found = try await Comparison.measure(rounds: rounds, slot: slot, ours: ours, theirs: theirs)
        let spread = "\(rounded(found.spread.lowerBound))–\(rounded(found.spread.upperBound))"
        table.add(
            [work, "\(size)", peer, duration(found.ours), duration(found.theirs), "\(rounded(found.ratio)) ×", spread]
                + (goal?.cells(found.ratio) ?? []))
    }
}
