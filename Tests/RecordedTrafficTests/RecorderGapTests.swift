import ContractModel
import Diagnostics
import Testing

@testable import RecordedTraffic

/// What recorders leave out or change, and headers of responses.
@Suite struct RecorderGapTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example/v1}
        common: {headers: {Authorization: string}}
        types:
          Size: {enum: [small, large]}
        endpoints:
          getItem:
            get: /item
            response:
              fields: {id: int}
              headers:
                left: {wire: X-Left, type: int}
                size: {wire: X-Size, type: Size?}
                days: {wire: X-Days, type: "[int]?"}
                since: {wire: X-Since, type: timestamp?}
                cookie: {wire: Set-Cookie, type: string, sensitive: true}
          send: {post: /send, effect: once, query: {tags: {type: "[string]?", items: 1..2}, one: int?}, body: {text: string}}
          fill: {post: /fill, effect: once, body: {encoding: form, fields: {text: string}}}
        """

    private static func lines(_ entries: String...) throws -> [String] {
        Recordings.judge(Recordings.har(entries), by: [try Recordings.contract(contract)]).lines
    }

    private static func item(_ headers: [String: String]) -> String {
        Recordings.entry("GET", "https://shop.example/v1/item", 200, #"{"id":1}"#, answered: headers)
    }

    @Test func headersOfResponsesAreReadByTheirTypes() throws {
        let fine = [
            "x-left": " 3 ", "X-Size": "large", "X-Days": "1, 2", "X-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
            "X-Other": "x",
        ]
        #expect(try Self.lines(Self.item(fine)).isEmpty)
        #expect(try Self.lines(Self.item(["X-Left": "3", "X-Since": "2026-11-21T08:00:00Z", "X-Size": ""])).isEmpty)
        let unreadable = "error undecodable-payload: clients cannot read a success of `getItem`: "
        let tolerated =
            "note tolerated-value: clients read a success of `getItem` although it is not what the contract says: "
        func found(_ headers: [String: String]) throws -> [String] {
            try Self.lines(Self.item(headers)).map { String($0.prefix { $0 != "(" }) }
        }
        #expect(try found([:]) == [unreadable + "`headers.X-Left` is missing "])
        #expect(try found(["X-Left": "many"]) == [unreadable + "`headers.X-Left` must be an integer "])
        #expect(
            try found(["X-Left": "1", "X-Size": "huge"]) == [
                tolerated + "`headers.X-Size` must be one of `small`, `large`, and is another text "
            ])
        #expect(
            try found(["X-Left": "1", "X-Days": "1,x"]) == [tolerated + "`headers.X-Days[]` must be an integer "])
    }

    /// A recorder that cuts a body is no client that sends a wrong one.
    @Test func cutRequestBodiesAreNotJudged() throws {
        func sent(_ path: String, _ text: String, _ size: Int) -> String {
            #"{"request":{"method":"POST","url":"https://shop.example/v1/\#(path)","bodySize":\#(size),"postData":{"text":"\#(text)"}},"response":{"status":200}}"#
        }
        #expect(try Self.lines(sent("send", #"{\"te"#, 2_000_000)).isEmpty)
        #expect(try Self.lines(sent("fill", "te", 2_000_000)).isEmpty)
        #expect(try Self.lines(sent("fill", "te", 2)).count == 2)
        // One message for all bodies that cannot be read, wherever they end.
        let both = try Self.lines(sent("send", #"{\"te"#, 4), sent("send", #"{\"text"#, 6))
        #expect(both.count == 1 && both[0].contains("in 2 entries"), "\(both)")
        // What is whole is judged, also if its size was that of the compressed text.
        #expect(try Self.lines(sent("send", #"{\"text\":7}"#, 2_000)).count == 1)
    }

    @Test func numbersOfARequestAreNotInItsFindings() throws {
        func query(_ query: String) -> String {
            Recordings.entry("POST", "https://shop.example/v1/send?\(query)", 200, sent: #"{"text":"a"}"#)
        }
        let items = try Self.lines(query("tags=a&tags=b&tags=c"), query("tags=a&tags=b&tags=c&tags=d"))
        #expect(
            items.count == 1 && items[0].contains("`query.tags` is outside `items: 1..2` (in 2 entries"), "\(items)")
        let times = try Self.lines(query("one=1&one=2"), query("one=1&one=2&one=3"))
        #expect(times.count == 1 && times[0].contains("`query.one` is there several times (in 2 entries"), "\(times)")
    }

    // MARK: URLs

    @Test func locationsAreRelativeToTheRequest() throws {
        let url = try #require(RecordedURL("https://shop.example/a/b/c?q=1"))
        for (reference, target) in [
            ("/x?y#z", "https://shop.example/x?y"), ("//other.example/x", "https://other.example/x"),
            ("d", "https://shop.example/a/b/d"), ("../d?e", "https://shop.example/a/d?e"),
            ("./", "https://shop.example/a/b/"), ("../../../d", "https://shop.example/d"),
            ("?r", "https://shop.example/a/b/c?r"), ("#f", "https://shop.example/a/b/c?q=1"),
            ("/x#f", "https://shop.example/x"),
            ("http://other.example:8080/", "http://other.example:8080/"),
        ] {
            #expect(url.target(reference) == RecordedURL(target), "\(reference)")
        }
        #expect(url.target("mailto:a") == nil)
    }

    @Test func theUsualPortsAreOne() {
        #expect(RecordedURL("http://a/b") == RecordedURL("https://a:443/b"))
        #expect(RecordedURL("ws://a:80/b") == RecordedURL("https://a/b"))
        #expect(RecordedURL("http://a:8080/b") != RecordedURL("https://a/b"))
        #expect(RecordedURL("http://a/b")?.origin.description == "a")
        #expect(RecordedURL("https://a:80/b")?.origin.description == "a:80")
    }

    /// A redirect leads to one response, with the same method, in the same recording.
    @Test func redirectsLeadNowhereElse() throws {
        let contract = try Recordings.contract(Recordings.shop)
        let url = "https://shop.example/v1/items/1"
        let step = Recordings.entry("GET", url, 302, answered: ["Location": "../files/a"])
        let target = "https://shop.example/v1/files/a"
        func judge(_ entries: String...) -> TrafficReport { Recordings.judge(Recordings.har(entries), by: [contract]) }
        #expect(judge(step, Recordings.entry("GET", target, 418)).lines.first?.contains("`getItem`") == true)
        #expect(judge(step, Recordings.entry("PUT", target, 418)).counts.unmatched == 1)
        // Many other redirects do not push it out at once.
        let others = (0..<200).map {
            Recordings.entry("GET", url, 302, answered: ["Location": "https://cdn.example/\($0)"])
        }
        let many = Recordings.judge(
            Recordings.har(others + [step] + others + [Recordings.entry("GET", target, 418)]), by: [contract])
        #expect(many.lines.first?.contains("`getItem`") == true)
    }

    // MARK: Services

    @Test func aServiceWithUndeclaredRequestsIsRecorded() throws {
        let report = Recordings.judge(
            Recordings.har([Recordings.entry("GET", "https://shop.example/v1/other", 200)]),
            by: [try Recordings.contract(Recordings.shop)])
        #expect(
            report.lines == ["warning undeclared-request: Shop has no endpoint for `GET /v1/…` (in `entries[0]`)"])
    }
}
