import ErrandJSON
import Foundation
import TestSeeds
import Testing

/// Against Foundation, and at the edge of memory.
@Suite struct DifferentialTests {
    struct Item: Codable, Equatable, JSONReadable, JSONWritable {
        var id: Int
        var name: String
        var price: Double
        var ratio: Float
        var isActive: Bool
        var note: String?
        var tags: [String]
        var children: [Item]
        var counts: [String: Int64]

        static let keys = JSONKeys(
            ["id", "name", "price", "ratio", "isActive", "note", "tags", "children", "counts"], optional: ["note"])

        static func load(from reader: inout JSONReader) -> Item? {
            var item = Item(
                id: 0, name: "", price: 0, ratio: 0, isActive: false, tags: [], children: [], counts: [:])
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0: item.id = reader.readInt()
                case 1: item.name = reader.readString()
                case 2: item.price = reader.readDouble()
                case 3: item.ratio = reader.readFloat()
                case 4: item.isActive = reader.readBool()
                case 5: item.note = reader.readNull() ? nil : reader.readString()
                case 6: item.tags = reader.readArray { $0.readString() }
                case 7: item.children = reader.readArray(Item.load)
                case 8: item.counts = reader.readMap { $0.readInt64() }
                default: break field
                }
            }
            return reader.isFaulted ? nil : item
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("id")
            writer.write(id)
            writer.key("name")
            writer.write(name)
            writer.key("price")
            writer.write(price)
            writer.key("ratio")
            writer.write(ratio)
            writer.key("isActive")
            writer.write(isActive)
            if let note {
                writer.key("note")
                writer.write(note)
            }
            writer.key("tags")
            writer.writeArray(tags) { $1.write($0) }
            writer.key("children")
            writer.writeArray(children) { $0.write(to: &$1) }
            writer.key("counts")
            writer.writeMap(counts) { $1.write($0) }
            writer.endObject()
        }

        static func random(_ random: inout SeededGenerator, depth: Int = 2) -> Item {
            var price = Double(bitPattern: random.next())
            if !price.isFinite { price = 0.5 }
            return Item(
                id: Int(bitPattern: UInt(random.next() >> (random.next() % 64))), name: RandomValue.text(&random),
                price: price, ratio: Float(random.next() % 100_000) / 1000, isActive: random.next() % 2 == 0,
                note: random.next() % 2 == 0 ? nil : RandomValue.text(&random),
                tags: (0..<random.next() % 4).map { _ in RandomValue.text(&random) },
                children: depth == 0
                    ? [] : (0..<random.next() % 3).map { _ in Item.random(&random, depth: depth - 1) },
                counts: [RandomValue.text(&random): Int64(bitPattern: random.next())])
        }
    }

    @Test func modelsAgainstCodable() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let encoder = JSONEncoder()
        for round in 0..<500 {
            encoder.outputFormatting = round % 2 == 0 ? .prettyPrinted : [.sortedKeys, .withoutEscapingSlashes]
            let item = Item.random(&random)
            let read = try JSON.scan([UInt8](encoder.encode(item)), Item.load)
            #expect(read == item, "seed \(seed)")
            let written = try JSON.bytes(item.write)
            #expect(try JSONDecoder().decode(Item.self, from: Data(written)) == item, "seed \(seed)")
        }
    }

    @Test func mutatedAndTruncatedDocuments() throws {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let alphabet =
            Array(#"{}[]",:\tfn0123456789.eE+-u/ x"#.utf8) + [0x09, 0x0A, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
        var known = 0
        for _ in 0..<20_000 {
            var bytes = Array(RandomValue.make(&random, depth: 3).description.utf8)
            for _ in 0...random.next() % 2 where !bytes.isEmpty {
                let place = Int(random.next() % UInt64(bytes.count))
                let byte = alphabet[Int(random.next() % UInt64(alphabet.count))]
                switch random.next() % 4 {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                case 2: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            let isAccepted = ReferenceReading.ofReading(bytes)
            #expect(ReferenceReading.ofSkipping(bytes) == isAccepted, "seed \(seed): \(bytes)")
            if ReferenceReading.ofFoundation(bytes) != isAccepted {
                known += 1
                #expect(
                    ReferenceReading.isKnownDifference(bytes), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
                )
            }
        }
        #expect(known < 1_000)
    }

    /// The last byte of each document borders on memory that must not be touched.
    @Test func neverReadsPastTheEnd() throws {
        let guarded = try #require(GuardedMemory(capacity: 1 << 16))
        let document = Array(ExampleModelTests.document.utf8)
        for count in 0...document.count {
            guarded.withCopy(of: Array(document[..<count])) { bytes in
                let isComplete = (try? JSON.scan(bytes, Bank.Account.load)) != nil
                #expect(isComplete == (count == document.count))
                #expect(((try? JSON.scan(bytes) { $0.readValue() }) != nil) == (count == document.count))
            }
        }
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let samples =
            [
                "123", "-", "1.", "1e", "\"abc", "\"\\", "\"\\u", "\"\\u12", "\"\\ud83d", "\"\\ud83d\\",
                "\"\\ud83d\\ude0",
                "tru", "n", "\"2026-11-21T02:57:01", "\"é", "{\"a", "{\"amount\"", "{\"amount", "[", "{", " ", "\"AAA",
                "1.5",
            ].map { Array($0.utf8) } + [[0x22, 0xC3], [0x22, 0xE2, 0x82], [0x22, 0xF0, 0x9F, 0x98], [0xEF, 0xBB]]
        for sample in samples + (0..<300).map({ _ in Array(RandomValue.make(&random, depth: 3).description.utf8) }) {
            guarded.withCopy(of: sample) { bytes in
                for read in Self.everyRead { _ = try? JSON.scan(bytes, read) }
            }
        }
    }

    /// Every way to read one value.
    static let everyRead: [@Sendable (inout JSONReader) -> Bool?] = [
        {
            _ = $0.readBool()
            return true
        },
        {
            _ = $0.readInt()
            return true
        },
        {
            _ = $0.readDouble()
            return true
        },
        {
            _ = $0.readFloat()
            return true
        },
        {
            _ = $0.readDecimal()
            return true
        },
        {
            _ = $0.readString()
            return true
        },
        {
            _ = $0.readTimestamp()
            return true
        },
        {
            _ = $0.readUnixTimestamp()
            return true
        },
        {
            _ = $0.readCalendarDate()
            return true
        },
        {
            _ = $0.readUUID()
            return true
        },
        {
            _ = $0.readURL()
            return true
        },
        {
            _ = $0.readBytes()
            return true
        },
        {
            _ = $0.readValue()
            return true
        },
        {
            _ = $0.readLenientBool()
            return true
        },
        {
            _ = $0.readLenientInt()
            return true
        },
        {
            _ = $0.readLenientString()
            return true
        },
        {
            _ = $0.readLenientDecimal()
            return true
        },
        {
            _ = $0.readNullOrEmpty()
            return true
        },
        {
            _ = $0.readToken(JSONTokens(["a", "amounts", "transaction"]))
            return true
        },
        {
            _ = $0.peekToken(at: "kind", JSONTokens(["a"]))
            return true
        },
        {
            _ = $0.text(at: JSONPath("a", "0"))
            $0.skipValue()
            return true
        },
        {
            _ = $0.readArrayOrSingleSkippingInvalid { $0.readInt() }
            return true
        },
        {
            _ = $0.readMap { $0.readValue() }
            return true
        },
        { reader in
            let keys = JSONKeys(
                ["amount", "a", "transactionIdentifier"], optional: ["amount", "a", "transactionIdentifier"])
            var fields = reader.beginObject()
            while reader.nextField(keys, &fields) >= 0 { reader.skipValue() }
            return true
        },
    ]
}

/// Memory with a page after it that traps when touched.
final class GuardedMemory {
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private let page: Int

    /// Nil if the system has no such memory.
    init?(capacity: Int) {
        page = Int(sysconf(Int32(_SC_PAGESIZE)))
        size = (capacity + page - 1) / page * page
        guard let base = mmap(nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
            base != MAP_FAILED, mprotect(base + size, page, PROT_NONE) == 0
        else { return nil }
        self.base = base
    }

    deinit { munmap(base, size + page) }

    func withCopy(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        precondition(bytes.count <= size)
        let target = base + (size - bytes.count)
        target.copyMemory(from: bytes, byteCount: bytes.count)
        body(UnsafeRawBufferPointer(start: target, count: bytes.count))
    }
}
