import Foundation
import Testing

@testable import ErrandRuntime

/// The cache on the disk.
@Suite struct CacheFilesTests {
    @Test func aLaterProcessHasTheResponse() throws {
        let bench = FileBench()
        let lookup = bench.lookup(asked: ["Accept-Language": "de"], body: [1, 2, 3])
        bench.load(lookup, "7", in: bench.cache(), ["Vary": "Accept-Language", "X-Name": "ü"])
        bench.pass(40)
        let cache = bench.cache()
        let stored = try #require(cache.find(lookup, at: bench.now))
        #expect(stored.status == 200 && stored.body == Array("7".utf8) && stored.headers["X-Name"] == "ü")
        #expect(stored.age(at: bench.now) == .seconds(40) && stored.condition?.first?.value == "\"7\"")
        #expect(stored.isFresh(at: bench.now, for: lookup.demand))
        bench.pass(61)
        #expect(!stored.isFresh(at: bench.now, for: lookup.demand))
        #expect(stored.allows(.offline, at: bench.now, for: lookup.demand))
        // From now on, it is in memory.
        for name in bench.names { try FileManager.default.removeItem(atPath: bench.path(name)) }
        #expect(cache.find(lookup, at: bench.now) === stored)
        #expect(bench.told(lookup, by: bench.cache()) == nil)
    }

    @Test func anotherRequestAndAnotherLoginHaveNothing() {
        let bench = FileBench()
        bench.load(bench.lookup(), in: bench.cache())
        bench.load(bench.lookup("public", login: nil), "p", in: bench.cache())
        let cache = bench.cache()
        for other in [
            bench.lookup("y"), bench.lookup(login: "eve"), bench.lookup(login: nil),
            bench.lookup(endpoint: "Bank.other"),
            bench.lookup(body: [1]), bench.lookup("public"),
        ] {
            #expect(bench.told(other, by: cache) == nil)
        }
        #expect(bench.told(bench.lookup(), by: cache) == "1, fresh")
        #expect(bench.told(bench.lookup("public", login: nil), by: cache) == "p, fresh")
    }

    @Test func anEndedLoginLeavesNothing() {
        let bench = FileBench()
        let cache = bench.cache()
        bench.load(bench.lookup(), in: cache)
        bench.load(bench.lookup(login: "eve"), in: cache)
        cache.remove(login: "ada")
        #expect(bench.names.count == 1 && bench.told(bench.lookup(login: "eve"), by: bench.cache()) == "1, fresh")
        // A process that was ended before it could remove them: the next one does, once its sessions are known.
        let files = bench.files()
        let sessions = [SessionIdentity(), SessionIdentity()]
        for session in sessions { files.expect(session) }
        files.note(login: "bob", of: sessions[0])
        #expect(bench.names.count == 1)
        files.note(login: nil, of: sessions[1])
        #expect(bench.names.isEmpty)
    }

    @Test func aNewSecondResponseTakesThePlaceOfTheFirst() {
        let bench = FileBench()
        let lookup = bench.lookup()
        bench.load(lookup, "1", in: bench.cache())
        bench.load(lookup, "2", in: bench.cache())
        #expect(bench.told(lookup, by: bench.cache()) == "2, fresh" && bench.names.count == 1)
        // One that must not be stored removes what was there.
        bench.load(lookup, "3", in: bench.cache(), control: "no-store")
        #expect(bench.told(lookup, by: bench.cache()) == nil && bench.names.isEmpty)
    }

    // MARK: Writes

    @Test(arguments: [["https://a.example/x"], []], [["Bank.read"], []])
    func aWriteMakesFilesOutOfDateInAllProcesses(targets: [String], endpoints: [String]) {
        let bench = FileBench()
        let (one, other) = (bench.cache(), bench.cache())
        bench.load(bench.lookup(), in: one)
        bench.load(bench.lookup("y", endpoint: "Bank.list"), in: one)
        other.invalidate(targets: targets, endpoints: endpoints)
        let isGone = !targets.isEmpty || !endpoints.isEmpty
        #expect((bench.told(bench.lookup(), by: bench.cache()) == nil) == isGone)
        #expect(bench.told(bench.lookup("y", endpoint: "Bank.list"), by: bench.cache()) != nil)
    }

    /// Whichever process stores the response of a read from before a write, and when.
    @Test func aReadFromBeforeAWriteOfAnotherProcessDoesNotCount() {
        let bench = FileBench()
        let lookup = bench.lookup()
        let (one, other) = (bench.cache(), bench.cache())
        bench.load(lookup, "old", in: one) { other.invalidate(targets: ["https://a.example/x"], endpoints: []) }
        #expect(bench.told(lookup, by: other) == nil && bench.told(lookup, by: bench.cache()) == nil)
        bench.load(lookup, "new", in: other)
        #expect(bench.told(lookup, by: bench.cache()) == "new, fresh")
    }

    @Test func anEmptiedCacheIsEmptyForAll() {
        let bench = FileBench()
        let other = bench.cache()
        bench.load(bench.lookup(), in: bench.cache()) { other.removeAll() }
        #expect(bench.told(bench.lookup(), by: bench.cache()) == nil)
        bench.load(bench.lookup(), in: other)
        #expect(bench.told(bench.lookup(), by: bench.cache()) == "1, fresh")
        bench.cache().removeAll()
        #expect(bench.names.isEmpty)
    }

    // MARK: Secrets

    @Test func whatIsSecretIsOnlyOnASealedDisk() throws {
        let seal = StorageSeal(seal: { $0.map { $0 ^ 0x5A } }, open: { $0.map { $0 ^ 0x5A } })
        var credential = HTTPHeaders()
        credential.append("X-Key", "s3cret", isSensitive: true)
        var token = HTTPHeaders()
        token.append("Authorization", "s3cret", isSensitive: true)
        let cases: [(lookup: (FileBench) -> CacheLookup, HTTPHeaders)] = [
            ({ $0.lookup(rule: CacheRule(storage: .sealed)) }, [:]), ({ $0.lookup(asked: credential) }, [:]),
            ({ $0.lookup(asked: token) }, ["Vary": "Authorization"]), ({ $0.lookup() }, ["Set-Cookie": "id=s3cret"]),
        ]
        for (lookup, headers) in cases {
            let plain = FileBench()
            plain.load(lookup(plain), "s3cret", in: plain.cache(), headers)
            #expect(plain.names.isEmpty && plain.bytes.range(of: Data("s3cret".utf8)) == nil)
            let sealed = FileBench(seal: seal)
            sealed.load(lookup(sealed), "s3cret", in: sealed.cache(), headers)
            #expect(sealed.names.count == 1 && sealed.bytes.range(of: Data("s3cret".utf8)) == nil)
            #expect(sealed.told(lookup(sealed), by: sealed.cache()) == "s3cret, fresh")
            // Without the seal, it cannot be read, and is removed.
            let unsealed = FileBench(path: sealed.path)
            #expect(unsealed.told(lookup(unsealed), by: unsealed.cache()) == nil && sealed.names.isEmpty)
        }
        let never = FileBench(seal: seal)
        never.load(never.lookup(rule: CacheRule(storage: .memory)), in: never.cache())
        #expect(never.names.isEmpty)
    }

    // MARK: Clocks

    /// How far the date of a later process is off, and what it has of a response with 100 seconds whose age is 50 seconds.
    @Test(
        arguments: [
            (0, "1, fresh"), (30, "1, fresh"), (60, "1, stale"), (86_400, "1, stale"),
            // A correction, and dates before the response was stored.
            (-9, "1, fresh"), (-61, nil), (-86_400, nil),
        ] as [(Int64, String?)])
    func aDateThatJumpsMakesNothingYounger(off: Int64, wanted: String?) {
        let bench = FileBench()
        bench.load(bench.lookup(), in: bench.cache())
        bench.pass(50)
        bench.setDate(off: off)
        #expect(bench.told(bench.lookup(), by: bench.cache()) == wanted)
    }

    /// The date is set back by less than the age: only the latest date that was noted shows that.
    @Test func aDateThatWasSetBackRemovesWhatHasNoAge() {
        let bench = FileBench()
        bench.load(bench.lookup("old"), in: bench.cache())
        bench.pass(5_000)
        bench.load(bench.lookup("new"), in: bench.cache())
        bench.setDate(off: -4_950)
        #expect(bench.told(bench.lookup("old"), by: bench.cache()) == nil)
        bench.load(bench.lookup("old"), "2", in: bench.cache())
        #expect(bench.told(bench.lookup("old"), by: bench.cache()) == "2, fresh")
    }

    // MARK: Damage

    /// Files with bytes that are changed, cut, added and exchanged.
    @Test func aDamagedFileIsAbsentAndRemoved() throws {
        let bench = FileBench()
        let lookup = bench.lookup()
        let seed = UInt64.random(in: 0 ... .max)
        print("damaged cache files: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        bench.load(lookup, "whole", in: bench.cache(), ["X-More": String(repeating: "a", count: 50)])
        let path = bench.path(try #require(bench.names.first))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for number in 0..<2_000 {
            var bytes = Array(whole)
            switch number % 4 {
            case 0: bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case 2: bytes.append(UInt8.random(in: 0...255, using: &random))
            default:
                bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(bench.told(lookup, by: bench.cache()) == nil, "seed \(seed), file \(number)")
            #expect(!FileManager.default.fileExists(atPath: path), "seed \(seed), file \(number)")
        }
        try whole.write(to: URL(fileURLWithPath: path))
        #expect(bench.told(lookup, by: bench.cache()) == "whole, fresh")
    }

    /// The content is damaged in such a way that the checksum fits: the reader takes no more than is there.
    @Test func aRecordThatNobodyWroteIsRefused() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("cache records: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bench = FileBench()
        bench.load(bench.lookup(), in: bench.cache())
        let file = bench.path(try #require(bench.names.first))
        let whole = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
        let form = Array("errand-cache-1\n".utf8)
        for _ in 0..<5_000 {
            var rest = Array(whole[(form.count + 8)...])
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                rest[Int.random(in: 1..<rest.count, using: &random)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            var hash = StableHash()
            hash.add(rest)
            var head = RecordWriter()
            head.add(Int64(bitPattern: hash.value))
            // Any result will do: it must not trap.
            _ = CacheRecord(form + head.bytes + rest, nil, rule: CacheRule(), received: { _ in .zero })
        }
    }

    @Test func damagedMarksMakeEverythingOutOfDate() throws {
        for damage in [Data(), Data([1, 2, 3]), Data(count: 100_000)] {
            let bench = FileBench()
            bench.load(bench.lookup(), in: bench.cache())
            try damage.write(to: URL(fileURLWithPath: bench.path("marks")))
            #expect(bench.told(bench.lookup(), by: bench.cache()) == nil)
            bench.load(bench.lookup(), in: bench.cache())
            #expect(bench.told(bench.lookup(), by: bench.cache()) == "1, fresh")
        }
    }
}
