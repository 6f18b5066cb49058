import ContractModel
import Diagnostics
import JSONTree
import Testing

@testable import MockServer
@testable import RecordedTraffic

/// The forms in which browsers and proxies write what they have recorded, and what is no recording.
@Suite struct RecordingFormTests {
    private static let item =
        #"{"id":1,"name":"a","price":1,"kind":"book","tags":[],"labels":{},"parts":[]}"#
    private static let url = "https://shop.example/v1/items/1"
    private static let good = Recordings.entry("GET", url, 200, item)

    private static func judge(_ entries: [String], at addresses: [String] = []) throws -> TrafficReport {
        Recordings.judge(
            Recordings.har(entries), by: [try Recordings.contract(Recordings.shop)], at: addresses)
    }

    // MARK: Which entries are judged

    @Test func entriesOfOthersAreCountedAndNotJudged() throws {
        let preflight = Recordings.entry(
            "OPTIONS", Self.url, 204, headers: ["access-control-request-method": "GET"])
        let report = try Self.judge([
            Self.good, preflight, Recordings.entry("GET", "https://cdn.example/v1/items/1", 500),
            Recordings.entry("GET", "https://shop.example/other/items/1", 500),
            Recordings.entry("GET", "https://shop.example:444/v1/items/1", 500),
            Recordings.entry("GET", "data:text/plain,x", 200), Recordings.entry("GET", Self.url, 0),
            Recordings.entry("GET", Self.url, 304),
            Recordings.entry("GET", Self.url, 101, "", #","_webSocketMessages":[{"data":"x"}]"#),
            Recordings.entry("GET", "HTTPS://Shop.Example:443/v1/items/1?x#y", 304),
        ])
        var wanted = TrafficCounts()
        // Each entry is counted once.
        (wanted.entries, wanted.judged, wanted.otherHosts, wanted.preflights) = (10, 1, 4, 1)
        (wanted.withoutResponse, wanted.cached, wanted.connections) = (1, 2, 1)
        #expect(report.counts == wanted)
        #expect(report.lines.count == 1 && report.lines[0].contains("`query.x`"), "\(report.lines)")
    }

    /// The response after a redirect belongs to the endpoint that was asked.
    @Test func redirectsAreFollowed() throws {
        let first = Recordings.entry("GET", Self.url, 302, answered: ["Location": "/v1/files/a81"])
        let wrong = Recordings.entry("GET", "https://shop.example/v1/files/a81", 200, #"{"id":true}"#)
        let report = try Self.judge([first, wrong])
        #expect(report.counts.redirects == 1 && report.counts.judged == 1 && report.counts.entries == 2)
        #expect(report.lines.first?.contains("a success of `getItem`: `body.id` must be") == true, "\(report.lines)")
        let elsewhere = Recordings.entry("GET", Self.url, 307, answered: ["location": "https://cdn.example/a?b=c"])
        let other = Recordings.entry("GET", "https://cdn.example/a?b=c", 418)
        #expect(try Self.judge([elsewhere, other]).lines.first?.contains("`getItem` responds with HTTP 418") == true)
        // The second request of the address is one of its own.
        #expect(
            try Self.judge([elsewhere, Self.good.replacing("cdn", with: "x"), other, other]).counts.otherHosts == 1)
    }

    /// A 303 to a QUERY leads to a GET, and other redirects to a QUERY.
    @Test func aQueryIsJudged() throws {
        let contract = try Recordings.contract(
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example/v1}
            endpoints:
              findItems: {query: /items, body: {text: string}, response: {found: int}}
            """)
        let url = "https://shop.example/v1/items"
        func judge(_ entries: [String]) -> TrafficReport { Recordings.judge(Recordings.har(entries), by: [contract]) }
        let asked = #"{"text":"a"}"#
        let good = Recordings.entry("QUERY", url, 200, #"{"found":1}"#, sent: asked)
        #expect(judge([good]).lines == [])
        let wrong = Recordings.entry("QUERY", url, 200, #"{"found":1}"#, sent: #"{"text":7}"#)
        #expect(judge([wrong]).lines.count == 1)
        for (status, method) in [(303, "GET"), (302, "QUERY"), (307, "QUERY")] {
            let first = Recordings.entry("QUERY", url, status, sent: asked, answered: ["Location": "/v1/results/7"])
            let last = Recordings.entry(method, "https://shop.example/v1/results/7", 200, #"{"found":"x"}"#)
            let report = judge([first, last])
            #expect(report.counts.redirects == 1 && report.counts.judged == 1, "\(status)")
            #expect(report.lines.count == 1 && report.lines[0].contains("`findItems`"), "\(report.lines)")
        }
        let other = Recordings.entry("QUERY", "https://shop.example/v1/books", 200)
        #expect(judge([other]).lines.first?.contains("QUERY") == true)
    }

    /// A client does not follow what would turn its command into a GET. The GET of the browser is one of its own.
    @Test func redirectsOfCommandsAreTheResponse() throws {
        for status in [301, 302, 303] {
            let buy = Recordings.entry(
                "POST", Self.url + "/purchases", status, sent: #"{"count":1}"#, answered: ["Location": "/v1/items/1"])
            let report = try Self.judge([buy, Self.good])
            #expect(report.counts.redirects == 0 && report.counts.judged == 2)
            #expect(
                report.lines == [
                    "error undeclared-response: `buyItem` responds with HTTP \(status), which the contract does not declare: clients take it for `malformed` (in `entries[0]`)"
                ])
            #expect(report.services.first?.endpoints.first { $0.name == "getItem" }?.meanings == ["success": 1])
        }
        let kept = Recordings.entry(
            "POST", Self.url + "/purchases", 307, sent: #"{"count":1}"#, answered: ["Location": "/v1/other"])
        let target = Recordings.entry("POST", "https://shop.example/v1/other", 200, #"{"receipt":"r"}"#)
        #expect(try Self.judge([kept, target]).lines.isEmpty)
    }

    @Test func addressesStandForTheContractsServer() throws {
        let local = Self.good.replacing("https://shop.example/v1", with: "http://127.0.0.1:8080/api")
        #expect(try Self.judge([local], at: ["http://127.0.0.1:8080/api/"]).lines.isEmpty)
        #expect(try Self.judge([local], at: ["Shop=http://127.0.0.1:8080/api"]).lines.isEmpty)
        let missed = try Self.judge([local], at: ["Bank=http://127.0.0.1:8080/api"])
        #expect(
            missed.lines == [
                "warning unrecorded-service: the recording has no request of Shop; it has `127.0.0.1:8080`"
            ])
        // An address without a path has the contract's.
        let usual = Self.good.replacing("https://shop.example", with: "http://127.0.0.1:8080")
        #expect(try Self.judge([usual], at: ["http://127.0.0.1:8080"]).lines.isEmpty)
        for text in ["", "shop.example", "=http://a", "ftp://a", "http://a?b=c", "http://"] {
            #expect(RecordedAddress(text) == nil, "\(text)")
        }
    }

    @Test func severalContractsShareARecording() throws {
        let other = try Recordings.contract(
            Recordings.shop.replacing("service: Shop", with: "service: Depot")
                .replacing("shop.example/v1", with: "shop.example/v2"))
        let report = Recordings.judge(
            Recordings.har([Self.good, Self.good.replacing("/v1/", with: "/v2/")]),
            by: [try Recordings.contract(Recordings.shop), other])
        #expect(report.lines.isEmpty && report.services.map(\.endpoints.count) == [1, 1])
    }

    // MARK: Forms of bodies

    @Test func bodiesAreReadInTheFormsOfRecorders() throws {
        let base64 = TextCoding.base64(Array(Self.item.utf8))
        let encoded = Self.good.replacing(
            JSONNode.string(Self.item).description, with: "\"\(base64)\",\"encoding\":\"base64\"")
        #expect(encoded != Self.good)
        #expect(try Self.judge([encoded]).lines.isEmpty)
        let text = #","text":\#(JSONNode.string(Self.item).description)"#
        // A body that was not kept: only the status counts.
        for without in ["", #","comment":"too large""#, #","text":"!!!","encoding":"base64""#] {
            let entry = Self.good.replacing(text, with: without)
            #expect(entry != Self.good)
            #expect(try Self.judge([entry]).lines.isEmpty)
        }
        // One that was cut is none that cannot be read.
        let cut = Self.good.replacing(text, with: #","text":"{\"id\":1,""#)
        #expect(try Self.judge([cut]).lines.isEmpty)
        let bank = Recordings.judge(
            Recordings.har([
                #"{"request":{"method":"GET","url":"https://api.bank.example/v1/accounts/7"},"response":{"status":200,"content":{"size":9}}}"#
            ]), by: [try Recordings.shipped("bank")])
        #expect(
            bank.lines == [
                "note unrecorded-body: what `getAccount` responds depends on a body that was not recorded (in `entries[0]`)"
            ])
    }

    /// A header that a tool hides is unknown, and not absent. A text is compared as a client compares it.
    @Test func headersAndTextsDecide() throws {
        let contract = try Recordings.contract(
            """
            errand: 1
            service: Shop
            servers: {main: https://shop.example/v1}
            errors:
              usedUp: {category: retryable, when: {status: 418, header: {X-Left: "0*"}}, message: Later.}
              away: {category: retryable, when: {status: 418, text: "*away*"}, message: Later.}
            endpoints: {getItem: {get: "/items/{id:int}", response: json, errors: [usedUp, away]}}
            """)
        func line(_ answered: [String: String], _ body: String? = nil) -> String? {
            let entry = Recordings.entry("GET", Self.url, 418, body, answered: answered)
            return Recordings.judge(Recordings.har([entry]), by: [contract]).lines.first
        }
        #expect(line(["X-Left": "0"]) == nil && line(["x-left": "05"], "{}") == nil)
        #expect(line([:], " all away now\n") == nil)
        for others in [line(["X-Left": "3"]), line([:]), line([:], #""all away""#)] {
            #expect(others?.contains("responds with HTTP 418") == true, "\(others ?? "")")
        }
        for mark in ["•••", "[REDACTED]", "***", "<filtered>"] {
            #expect(
                line(["X-Left": mark])?.contains("depends on the header `x-left`, which the recording hides") == true)
        }
    }

    @Test func requestsAreReadInTheFormsOfRecorders() throws {
        let form = """
            errand: 1
            service: Shop
            servers: {main: https://shop.example/v1}
            endpoints:
              find:
                post: /find
                effect: read
                headers: {X-Part: int, Authorization: string}
                cookies: {basket: string}
                body: {encoding: form, fields: {word: string, size: int}}
                response: none
            """
        let contract = try Recordings.contract(form)
        func judge(_ request: String) -> [String] {
            Recordings.judge(
                Recordings.har([
                    #"{"request":{"method":"post","url":"https://shop.example/v1/find",\#(request)},"response":{"status":200}}"#
                ]), by: [contract]
            ).lines.compactMap { $0.split(separator: ": ", maxSplits: 2).last.map(String.init) }
        }
        let headers = #""headers":[{"name":":authority","value":"a"},{"name":"x-part","value":"3"},7,{"name":"b"}]"#
        let cookies = #""cookies":[{"name":"basket","value":"b"}]"#
        #expect(judge(#"\#(headers),\#(cookies),"postData":{"text":"word=a+b&size=1"}"#).isEmpty)
        #expect(
            judge(
                #"\#(headers),\#(cookies),"postData":{"params":[{"name":"word","value":"a"},{"name":"size","value":"x"}]}"#
            )
                == ["`body.size` must be an integer (`int`), and is another value (in `entries[0]`)"])
        // Browsers leave out cookies, headers with secrets, and large bodies.
        #expect(judge(#"\#(headers),"bodySize":70000"#).isEmpty)
        #expect(
            Set(judge(#""headers":[],"cookies":[{"name":"other","value":"b"}],"bodySize":-1"#)) == [
                "`cookies.basket` is missing (in `entries[0]`)", "`headers.X-Part` is missing (in `entries[0]`)",
            ])
    }

    // MARK: What is no recording

    @Test func wrongEntriesAreReportedAndTheOthersJudged() throws {
        let wrong = [
            "7", "[]", "{}", #"{"request":[],"response":{}}"#,
            #"{"request":{"method":1,"url":"\#(Self.url)"},"response":{"status":200}}"#,
            #"{"request":{"method":"GET"},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":"\#(Self.url)"},"response":{"status":"OK"}}"#,
            #"{"request":{"method":"GET","url":"\#(Self.url)","headers":{}},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":"https://a\x"},"response":{"status":200}}"#,
            #"{"request":\#(String(repeating: "[", count: 100))\#(String(repeating: "]", count: 100)),"response":{}}"#,
        ]
        let report = try Self.judge([Self.good] + wrong + [Self.good])
        #expect(report.counts.unreadable == wrong.count && report.counts.judged == 2)
        let messages = Set(report.findings.filter { $0.isOf(.unreadableEntry) }.map { $0.message.prefix { $0 != "(" } })
        #expect(
            messages == [
                "an entry cannot be judged: it is not an object ",
                "an entry cannot be judged: `request` is missing, or is not an object ",
                "an entry cannot be judged: `request.method` is missing, or is not a string ",
                "an entry cannot be judged: `request.url` is missing, or is not a string ",
                "an entry cannot be judged: `response.status` is missing, or is not a number from 0 to 999 ",
                "an entry cannot be judged: `request.headers` is missing, or is not a list ",
                "an entry cannot be judged: it is not JSON: this escape does not exist ",
                "an entry cannot be judged: it is not JSON: the values are nested deeper than 64 ",
            ])
        #expect(report.findings.filter { $0.isOf(.unreadableEntry) }.allSatisfy { $0.range?.file == "a.har" })
    }

    /// What others send is not judged, so nothing about it fails the run.
    @Test func entriesOfOthersCannotBeWrong() throws {
        let others = [
            #"{"request":{"method":"GET","url":"https://a"},"response":{"status":"OK"}}"#,
            #"{"request":{"method":"GET","url":"data:a","headers":{}},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":"https://a"},"response":{"status":200,"content":{"text":"\ud800\ud800\udc00"}}}"#,
            #"{"request":{"method":"GET","url":"https://a"},"response":{"status":200,"content":{"text":"\#(String(repeating: "a", count: 9_000))"}}}"#,
            #"{"_webSocketMessages":["\#(String(repeating: "a", count: 9_000))"],"request":{"method":"GET","url":"\#(Self.url)"},"response":{"status":101}}"#,
        ]
        let contract = try Recordings.contract(Recordings.shop)
        let report = Recordings.judge(Recordings.har([Self.good] + others), by: [contract], longestEntry: 8_000)
        #expect(report.lines.isEmpty)
        #expect(report.counts.otherHosts == 4 && report.counts.connections == 1 && report.counts.unreadable == 0)
        let own = Recordings.judge(
            Recordings.har([others[3].replacing("https://a", with: Self.url)]), by: [contract], longestEntry: 8_000)
        #expect(own.counts.unreadable == 1)
    }

    /// A body of many small values would take many times its bytes.
    @Test func aBodyWithTooManyValuesIsNotRead() throws {
        let body = "[" + String(repeating: "0,", count: 600_000) + "0]"
        #expect(try Self.judge([Recordings.entry("GET", Self.url, 200, body)]).lines.isEmpty)
        #expect(try !Self.judge([Recordings.entry("GET", Self.url, 200, "[0,0]")]).lines.isEmpty)
    }

    /// What is no JSON ends the reading. A stream may have no end.
    @Test func aFailureEndsTheReading() throws {
        var judge = TrafficJudge([try Recordings.contract(Recordings.shop)])
        var reader = RecordingReader()
        func goesOn(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { judge.read($0, of: "a.har", with: &reader) }
        }
        #expect(goesOn("{"))
        #expect(!goesOn("y\ny\n"))
    }

    @Test func whatIsNoRecordingSaysWhere() throws {
        let contract = try Recordings.contract(Recordings.shop)
        let whole = Recordings.har([Self.good, Self.good])
        func found(_ text: String) -> (message: String?, place: String?, judged: Int) {
            let report = Recordings.judge(text, by: [contract], chunk: 64)
            let finding = report.findings.first { $0.isOf(.unreadableRecording) }
            return (finding?.message, finding?.range?.description, report.counts.judged)
        }
        #expect(found(whole).message == nil)
        #expect(found("\u{FEFF}" + whole) == (nil, nil, 2))
        let cut = found(String(whole.dropLast(200)))
        #expect(cut.message == "the recording ends before its last bracket" && cut.judged == 1)
        #expect(found("") == ("the recording ends before its last bracket", "a.har:1:1", 0))
        #expect(found("{\n\"log\":{}}").message == "this is not a recording: it has no list `log.entries`")
        #expect(found("<!doctype html>") == ("this is not JSON: `{` is missing", "a.har:1:1", 0))
        let broken = found(whole.replacing("},{\"startedDateTime", with: "}\n {\"startedDateTime"))
        #expect(
            broken.message == "this is not JSON: `,` is missing" && broken.place == "a.har:2:2" && broken.judged == 1)
        let invalid = Recordings.judge(
            Array(whole.utf8).map { $0 == UInt8(ascii: "1") ? 0xFF : $0 }, by: [contract])
        #expect(invalid.counts.unreadable + invalid.counts.judged + invalid.counts.otherHosts <= 2)
    }

    /// Each beginning of a recording, and each with one byte changed, gives a report.
    @Test func noBytesStopTheRun() throws {
        let contract = try Recordings.contract(Recordings.shop)
        let bytes = Array(Recordings.har([Self.good]).utf8)
        for position in stride(from: 0, to: bytes.count, by: 3) {
            _ = Recordings.judge(Array(bytes[..<position]), by: [contract], chunk: 100)
            for byte in [0x22, 0x7B, 0x5D, 0x5C, 0x00, 0xF0] as [UInt8] {
                var changed = bytes
                changed[position] = byte
                let report = Recordings.judge(changed, by: [contract], chunk: 100)
                #expect(report.counts.entries <= 2)
            }
        }
    }

    /// What is kept of a recording does not grow with it, and no number of notes takes the place of an error.
    @Test func differentFindingsAreBounded() throws {
        let contract = try Recordings.contract(Recordings.shop)
        let letters = Array("bcdfgklmnp")
        var entries = (0..<TrafficFindings.most + 500).map { number -> String in
            let name = String(number).compactMap { Int(String($0)) }.map { "\(letters[$0])a" }.joined()
            let item = Self.item.replacing("{\"id\"", with: "{\"\(name)\":0,\"id\"")
            return Recordings.entry("GET", Self.url, 200, item)
        }
        entries.append(Recordings.entry("GET", Self.url, 418))
        let report = Recordings.judge(Recordings.har(entries), by: [contract], chunk: 1 << 16)
        let notes = report.findings.filter { $0.isOf(.undeclaredMember) }
        #expect(notes.count == TrafficFindings.most + 1)
        let rest = notes.last
        #expect(rest?.message == "500 more findings of this kind are not shown, the first is in `entries[1000]`")
        #expect(rest?.severity == .note)
        #expect(report.findings.contains { $0.isOf(.undeclaredResponse) && $0.severity == .error })
    }
}
