import Foundation
import Testing

@testable import ErrandRuntime

/// The rules of section 9.2.6 of the HTML standard, with the stream cut at every byte.
@Suite struct StreamParserTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let stream: [UInt8]
        let items: [StreamItem]
        var lastID: String?
        var retry: Duration?
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ items: [(String, String)], lastID: String? = nil, retry: Duration? = nil)
        {
            self.name = name
            stream = Array(text.utf8)
            self.items = items.map { StreamItem(data: Array($0.1.utf8), name: $0.0) }
            self.lastID = lastID
            self.retry = retry
        }
    }

    static let cases = [
        Case("two lines of data", "data: YHOO\ndata: +2\ndata: 10\n\n", [("", "YHOO\n+2\n10")]),
        Case(
            "comments, ids and an unfinished event",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [("", "first event"), ("", "second event")]),
        Case("empty data", "data\n\ndata\ndata\n\ndata:", [("", ""), ("", "\n")]),
        Case(
            "one blank is dropped", "data:test\n\ndata: test\n\ndata:  test\n\n",
            [("", "test"), ("", "test"), ("", " test")]),
        Case("CR", "event: a\rdata: 1\r\rdata: 2\r\r", [("a", "1"), ("", "2")]),
        Case("CRLF", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", [("a", "1"), ("", "2")]),
        Case("mixed ends", "data: 1\n\r\ndata: 2\r\n\ndata: 3\r\r\n", [("", "1"), ("", "2"), ("", "3")]),
        Case("a byte order mark", "\u{FEFF}data: 1\n\n", [("", "1")]),
        Case("a second byte order mark", "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", [("", "2")]),
        Case("an id stays", "id: 7\ndata: 1\n\ndata: 2\n\n", [("", "1"), ("", "2")]),
        Case("the last one has an id", "data: 1\n\nid: 8\ndata: 2\n\n", [("", "1"), ("", "2")], lastID: "8"),
        Case("an id without data", "data: 1\n\nid: 9\n\n", [("", "1")], lastID: "9"),
        Case("an id with NUL is ignored", "id: 7\nid: a\u{0}b\ndata: 1\n\n", [("", "1")], lastID: "7"),
        Case("an empty id", "id: 7\ndata: 1\n\nid\ndata: 2\n\n", [("", "1"), ("", "2")]),
        Case("an id that no header carries", "id: a\u{1}b\ndata: 1\n\n", [("", "1")]),
        Case("retry", "retry: 2500\nretry: 1x\nretry:\ndata: 1\n\n", [("", "1")], retry: .milliseconds(2500)),
        Case("retry without an end", "retry: 99999999999999999999\n\n", [], retry: .seconds(86_400)),
        Case("names are exact", "Data: 1\ndata : 2\n data: 3\nevents: x\n\n", []),
        Case("an event's name goes with it", "event: a\n\ndata: 1\n\n", [("", "1")]),
        Case("a colon in the value", "data: a: b\nevent::x\n\n", [(":x", "a: b")]),
        Case("comments alone", ":\n:\n: heartbeat\n\n\n\n", []),
        Case("text beyond ASCII", "event: naïve 🐙\ndata: 🐙\n\n", [("naïve 🐙", "🐙")]),
    ]

    @Test(arguments: cases) func itIsCutAlikeWhereverItIsCut(_ wanted: Case) throws {
        for first in 0...wanted.stream.count {
            let chunks = [Array(wanted.stream[..<first]), Array(wanted.stream[first...])]
            try check(wanted, chunks, "cut at \(first)")
        }
        try check(wanted, wanted.stream.map { [$0] }, "byte by byte")
    }

    private func check(_ wanted: Case, _ chunks: [[UInt8]], _ comment: Comment) throws {
        var parser = EventParser(limit: 1_000)
        var items: [StreamItem] = []
        for chunk in chunks {
            parser.append(chunk)
            while let item = try parser.next() { items.append(item) }
        }
        #expect(items == wanted.items, comment)
        #expect(parser.lastID == wanted.lastID, comment)
        #expect(parser.retry == wanted.retry, comment)
    }

    @Test func theIDIsThatOfTheLastEventThatWasGiven() throws {
        var parser = EventParser(limit: 1_000)
        parser.append(Array("id: 1\ndata: a\n\nid: 2\ndata: b\n\n".utf8))
        _ = try parser.next()
        #expect(parser.lastID == "1")
        _ = try parser.next()
        #expect(parser.lastID == "2")
    }

    @Test(arguments: [
        "data: " + String(repeating: "x", count: 101) + "\n\n", String(repeating: "data: 1234567\n", count: 20) + "\n",
        ":" + String(repeating: "x", count: 200), String(repeating: "x", count: 200),
    ])
    func whatIsTooLongIsRefused(_ text: String) {
        for size in [1, 7, 1_000] {
            var parser = EventParser(limit: 100)
            #expect(throws: OversizedElement.self) {
                for start in stride(from: 0, to: text.utf8.count, by: size) {
                    parser.append(Array(text.utf8.dropFirst(start).prefix(size)))
                    while try parser.next() != nil {}
                }
            }
        }
    }

    @Test func linesAreCutAlikeWhereverTheyAreCut() throws {
        let stream = Array("\u{FEFF}{\"a\":1}\n\n \t\r\n{\"a\":2}\r\n{\"a\":3}".utf8)
        let wanted = ["{\"a\":1}", "{\"a\":2}\r", "{\"a\":3}"]
        for first in 0...stream.count {
            var parser = LineParser(limit: 100)
            var lines: [String] = []
            for chunk in [stream[..<first], stream[first...]] {
                parser.append(Array(chunk))
                while let item = try parser.next() { lines.append(String(decoding: item.data, as: UTF8.self)) }
            }
            if let item = parser.finish() { lines.append(String(decoding: item.data, as: UTF8.self)) }
            #expect(lines == wanted)
        }
    }

    @Test func theNameBecomesAMember() {
        func named(_ data: String, _ name: String, _ member: String? = "kind") -> String {
            String(decoding: StreamItem(data: Array(data.utf8), name: name).data(naming: member), as: UTF8.self)
        }
        #expect(named(#"{"a":1}"#, "b") == #"{"kind":"b","a":1}"#)
        #expect(named(" { } ", "b") == #"{"kind":"b" } "#)
        #expect(named(#"{"a":1}"#, "") == #"{"kind":"message","a":1}"#)
        #expect(named(#"{}"#, "\"\\") == #"{"kind":"\"\\"}"#)
        #expect(named("[1]", "b") == "[1]")
        #expect(named(#"{"a":1}"#, "b", nil) == #"{"a":1}"#)
    }
}
