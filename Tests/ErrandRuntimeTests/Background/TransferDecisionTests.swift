import Foundation
import Testing

@testable import ErrandBackground
@testable import ErrandRuntime

/// The first step of a command with an id, for all possible facts about the id.
@Suite struct TransferDecisionTests {
    static let record = TransferRecord(
        id: "one", attempt: "a1", endpoint: "Attic.store", url: "https://attic.example/box", effect: .once,
        isDownload: false)

    static func identity(_ effect: Effect, url: String? = "https://attic.example/box") -> TransferIdentity {
        TransferIdentity(id: "one", endpoint: "Attic.store", url: url, effect: effect, isDownload: false)
    }

    /// All combinations of possible facts.
    static var all: [TransferKnowledge] {
        var all: [TransferKnowledge] = []
        let ends: [TransferEnd?] = [
            nil, .fault(.lost, .sent), .response(status: 200, headers: [], size: 0),
            .response(status: 409, headers: ["ETag", "1"], size: 5),
        ]
        for effect in Effect.allCases {
            var entries: [TransferJournal.Entry] = [
                .absent, .damaged, .newer, .unreadable(.system(call: "open", code: 13)),
            ]
            for end in ends {
                for (endpoint, url) in [
                    ("Attic.store", record.url), ("Attic.other", record.url), ("Attic.store", "https://else.example"),
                ] {
                    entries.append(
                        .record(
                            TransferRecord(
                                id: "one", attempt: "a1", endpoint: endpoint, url: url, effect: effect,
                                isDownload: false, end: end)))
                }
            }
            for entry in entries {
                for underWay in [[], ["a1"], ["a0"], ["a0", "a1"]] as [Set<String>] {
                    for received in [nil, 0, 5] {
                        for (isClaimed, acceptsOnce) in [(true, true), (false, false), (false, true)] {
                            for url in [nil, record.url] {
                                for count in [0, TransferJournal.capacity] {
                                    all.append(
                                        TransferKnowledge(
                                            wanted: identity(effect, url: url), entry: entry, underWay: underWay,
                                            received: received, isClaimed: isClaimed, count: count,
                                            acceptsOnce: acceptsOnce))
                                }
                            }
                        }
                    }
                }
            }
        }
        return all
    }

    @Test func whatMayHaveBeenSentIsNotStarted() {
        #expect(Self.all.count > 5_000)
        for known in Self.all {
            let step = beginTransfer(known)
            let effect = known.wanted.effect
            switch step {
            case .start:
                #expect(!known.isClaimed && known.wanted.url != nil && known.count < TransferJournal.capacity)
                if effect == .once { #expect(known.acceptsOnce) }
                switch known.entry {
                case .absent: #expect(!effect.isUnsafe || known.underWay.isEmpty)
                case .damaged: #expect(!effect.isUnsafe)
                case .record, .newer, .unreadable: Issue.record("\(known) starts")
                }
            case .wait(let record):
                #expect(known.underWay.contains(record.attempt) && record.end == nil)
            case .deliver(let record):
                #expect(record.end != nil && record.endpoint == known.wanted.endpoint)
                if case .response(_, _, let size) = record.end { #expect(known.received ?? 0 == size) }
            case .lost(let record):
                if record == nil {
                    #expect(effect.isUnsafe)
                } else {
                    #expect(known.entry == .record(record ?? Self.record))
                }
            case .refuse: break
            case .fail(let problem): #expect(known.entry == .unreadable(problem))
            }
            // A result is never given to another command, or to two commands at the same time.
            if known.isClaimed, case .refuse = step {} else if known.isClaimed { Issue.record("\(known): \(step)") }
        }
    }

    @Test func everyKindOfStepIsMet() {
        var met: Set<String> = []
        for known in Self.all {
            switch beginTransfer(known) {
            case .start: met.insert("start")
            case .wait: met.insert("wait")
            case .deliver: met.insert("deliver")
            case .lost(nil): met.insert("lost")
            case .lost: met.insert("lost with a record")
            case .refuse(let problem): met.insert(problem.description)
            case .fail: met.insert("fail")
            }
        }
        #expect(met.count == 12, "\(met.sorted())")
    }

    @Test func whatMayHaveTakenEffectIsKept() {
        for effect in Effect.allCases {
            for applied in [Applied.never, .maybe] {
                #expect(keepsTransfer(effect, hasSucceeded: true, applied: applied) == effect.isUnsafe)
                let wanted = effect.isUnsafe && applied == .maybe
                #expect(keepsTransfer(effect, hasSucceeded: false, applied: applied) == wanted)
            }
        }
    }

    // MARK: Records

    @Test func aRecordComesBack() throws {
        for end in [
            nil, TransferEnd.fault(.tls, .notSent), .response(status: 201, headers: ["ETag", "\"7\"\n"], size: 9),
        ] {
            var record = Self.record
            record.attempts = 3
            record.mayHaveBeenApplied = true
            record.limit = 12
            record.fingerprint = 0xFFFF_FFFF
            record.end = end
            #expect(TransferRecord(kept: try #require(record.keptBytes)) == record)
            record.login = "5x-7"
            record.key = "key"
            record.keyUsed = 1_785_578_400.5
            #expect(TransferRecord(kept: try #require(record.keptBytes)) == record)
        }
    }

    /// A later version of the app reads what this one has written.
    @Test func theFormOfARecordStays() throws {
        var record = TransferRecord(
            id: "one", attempt: "5-7", endpoint: "Video.preloadVideo", url: "https://video.example/1", effect: .read,
            isDownload: true)
        record.end = .response(status: 200, headers: ["ETag", "\"7\""], size: 12)
        record.redirectedTo = "https://cdn.example"
        var text = String(decoding: try #require(record.keptBytes), as: UTF8.self)
        #expect(
            text == #"{"version":1,"id":"one","attempt":"5-7","endpoint":"Video.preloadVideo","#
                + #""url":"https://video.example/1","effect":"read","download":true,"attempts":1,"open":false,"#
                + #""limit":67108864,"fingerprint":0,"status":200,"headers":["ETag","\"7\""],"size":12,"#
                + #""redirectedTo":"https://cdn.example"}"#)
        record.end = .fault(.tls, .notSent)
        (record.login, record.key, record.keyUsed, record.redirectedTo) = ("5x-7", "key", 1_785_578_400.5, nil)
        text = String(decoding: try #require(record.keptBytes), as: UTF8.self)
        #expect(
            text.hasSuffix(
                #""login":"5x-7","key":"key","keyUsed":1785578400.5,"fault":"tls","evidence":"notSent"}"#), "\(text)")
    }

    @Test func whatIsNoRecordIsNone() throws {
        var record = Self.record
        record.end = .response(status: 200, headers: ["A", "b"], size: 1)
        let bytes = try #require(record.keptBytes)
        for count in 0..<bytes.count { #expect(TransferRecord(kept: Array(bytes.prefix(count))) == nil) }
        let text = String(decoding: bytes, as: UTF8.self)
        for (from, to) in [
            ("\"once\"", "\"twice\""), ("[\"A\",\"b\"]", "[\"A\"]"), ("\"attempts\":1", "\"attempts\":0"),
            ("\"size\":1", "\"size\":-1"), ("\"version\":1", "\"version\":2"), ("\"status\":200", "\"fault\":\"none\""),
        ] {
            let changed = text.replacingOccurrences(of: from, with: to)
            #expect(changed != text)
            #expect(TransferRecord(kept: Array(changed.utf8)) == nil, "\(to)")
        }
        #expect(TransferRecord(kept: Array(text.replacingOccurrences(of: "{", with: "{\"new\":[],").utf8)) != nil)
        #expect(TransferRecord.version(of: Array(#"{"id":{},"version":7}"#.utf8)) == 7)
    }

    @Test func aSecretOfAnAnswerIsNotKept() {
        let headers: HTTPHeaders = ["Set-Cookie": "a", "WWW-Authenticate": "b", "X-Session": "c", "ETag": "\"d\""]
        #expect(
            TransferEnd.response(status: 200, headers) == .response(status: 200, headers: ["ETag", "\"d\""], size: 0))
        let many = HTTPHeaders((0..<10_000).map { HTTPHeaders.Field("Name-\($0)", String(repeating: "x", count: 100)) })
        guard case .response(_, let kept, _) = TransferEnd.response(status: 200, many) else { return }
        #expect(kept.count > 100 && kept.joined().utf8.count <= 64 << 10)
    }

    @Test func aNameIsFoundInItsText() {
        for id in ["one", "a b  c", "ü/..", " "] {
            let name = TransferName(id: id, attempt: "5-7")
            #expect(TransferName(name.text) == name)
        }
        for text in [nil, "", "one", "errand-1", "errand-1 a", "errand-1 a ", "errand-1  id", "errand-2 a id"] {
            #expect(TransferName(text) == nil)
        }
    }

    @Test func whatIsLeftOfACrashIsRemoved() throws {
        let folder = try Folder()
        let journal = TransferJournal(folder: folder.url.path)
        try journal.write(Self.record)
        for path in [journal.bodyPath("one"), journal.bodyPath("two"), journal.receivedPath("two")] {
            try journal.empty(path)
        }
        journal.removeOrphans()
        #expect(folder.names == ["6f6e65.body", "6f6e65.json"])
        #expect(journal.ids == ["one"])
        try journal.remove("one")
        #expect(folder.names == [])
    }
}
