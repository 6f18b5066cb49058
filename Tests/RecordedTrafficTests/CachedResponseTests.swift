import Testing

@testable import RecordedTraffic

/// Responses of an endpoint with a cache, by what their headers say about keeping them (RFC 9111).
@Suite struct CachedResponseTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        errors: {closed: {category: nonRetryable, when: {status: 409}, message: No.}}
        endpoints:
          listNames: {get: /names, response: [string], cache: http, errors: [closed]}
          listOthers: {get: /others, response: [string]}
        """

    private static func found(_ headers: [(String, String)], path: String = "/names", status: Int = 200) throws
        -> [String]
    {
        let listed = headers.map { #"{"name":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
        let entry =
            #"{"request":{"method":"GET","url":"https://shop.example\#(path)"},"response":{"status":\#(status),"headers":[\#(listed)],"content":{"text":"[]"}}}"#
        return Recordings.judge(Recordings.har([entry]), by: [try Recordings.contract(contract)]).lines
            .filter { $0.contains("uncacheable-response") }
    }

    @Test(arguments: [
        [("Cache-Control", "max-age=60")], [("cache-control", "public , MAX-AGE=60")], [("ETag", "W/1")],
        [("Last-Modified", "Sat, 28 Nov 2026 09:00:00 GMT")], [("Expires", "0")],
        [("Cache-Control", "no-cache"), ("ETag", "1")], [("Cache-Control", "stale-if-error=60")],
        [("Vary", "Accept"), ("Cache-Control", "no-store, must-understand, max-age=9")],
    ])
    func aResponseThatCanBeKeptIsNoFinding(_ headers: [(String, String)]) throws {
        #expect(try Self.found(headers) == [])
    }

    @Test(arguments: [
        ([], "says neither how long it is fresh nor which version it is"),
        ([("Cache-Control", "private, no-cache")], "says neither"),
        ([("ETag", "1"), ("Cache-Control", "max-age=60, No-Store")], "forbids to keep it (`Cache-Control: no-store`)"),
        ([("ETag", "1"), ("Vary", "*")], "is for no other request (`Vary: *`)"),
    ])
    func aResponseThatCannotBeKeptIsOne(_ headers: [(String, String)], _ reason: String) throws {
        let found = try Self.found(headers)
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("warning") && $0.contains("`listNames`") })
    }

    @Test func onlySuccessesOfACacheAreJudged() throws {
        #expect(try Self.found([], path: "/others") == [])
        #expect(try Self.found([], status: 409) == [])
    }
}
