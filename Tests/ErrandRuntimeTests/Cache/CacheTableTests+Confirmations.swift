import Testing

@testable import ErrandRuntime

// What a 304 changes, and the ages of responses.
extension CacheTableTests {
    struct ConfirmationCase: CustomTestStringConvertible, Sendable {
        let stored: [String]
        let confirmation: [String]
        /// The fields of the response after that; nil if the 304 is about another one.
        let updated: [String: String?]?

        var testDescription: String { "\(stored), \(confirmation)" }
    }

    @Test(arguments: confirmations) func aConfirmationBringsTheNewFields(_ row: ConfirmationCase) throws {
        let bench = CacheBench()
        let stored = try #require(
            StoredResponse(
                status: 200, headers: bench.headers(row.stored), body: [], to: [:], rule: CacheRule(),
                sent: bench.now, received: bench.now, date: bench.date))
        bench.now += .seconds(100)
        let updated = stored.headers(confirmedBy: bench.headers(row.confirmation))
        #expect((updated == nil) == (row.updated == nil))
        for (name, value) in row.updated ?? [:] { #expect(updated?.combined(name) == value, "\(name)") }
    }

    static let confirmations: [ConfirmationCase] = [
        ConfirmationCase(
            stored: ["ETag: \"1\"", "X: a", "Y: b", "Age: 7"], confirmation: ["ETag: \"1\"", "X: c", "Z: d"],
            updated: ["X": "c", "Y": "b", "Z": "d", "Age": nil, "ETag": "\"1\""]),
        ConfirmationCase(
            stored: ["ETag: \"1\"", "X: a", "X: b"], confirmation: ["X: c"], updated: ["X": "c", "ETag": "\"1\""]),
        ConfirmationCase(
            stored: ["ETag: \"1\"", "Content-Length: 2", "Content-Encoding: gzip", "Content-Type: a/b"],
            confirmation: ["Content-Length: 0", "Content-Encoding: br", "Content-Type: c/d"],
            updated: ["Content-Length": "2", "Content-Encoding": "gzip", "Content-Type": "c/d"]),
        ConfirmationCase(
            stored: ["ETag: \"1\"", "Cache-Control: max-age=1"], confirmation: ["Cache-Control: max-age=9"],
            updated: ["Cache-Control": "max-age=9"]),
        ConfirmationCase(
            stored: ["ETag: \"1\""], confirmation: ["Connection: X", "X: a", "Keep-Alive: 5"],
            updated: ["X": nil, "Connection": nil, "Keep-Alive": nil]),
        ConfirmationCase(stored: ["ETag: \"1\""], confirmation: ["ETag: W/\"1\""], updated: ["ETag": "W/\"1\""]),
        ConfirmationCase(stored: ["ETag: \"1\""], confirmation: ["ETag: \"2\""], updated: nil),
        ConfirmationCase(stored: ["Last-Modified: {-9}"], confirmation: ["ETag: \"2\""], updated: nil),
        ConfirmationCase(stored: ["Last-Modified: {-9}"], confirmation: ["Last-Modified: {-109}"], updated: [:]),
        ConfirmationCase(stored: ["Last-Modified: {-9}"], confirmation: ["Last-Modified: {-9}"], updated: nil),
        ConfirmationCase(stored: ["ETag: \"1\""], confirmation: ["Last-Modified: {-9}"], updated: [:]),
    ]

    /// A confirmed response lives as long as the confirmation says, from then on.
    @Test func aConfirmationRenewsTheLifetime() throws {
        let bench = CacheBench()
        let lookup = bench.lookup()
        bench.load(lookup, ["ETag: \"1\"", "Cache-Control: max-age=10", "Age: 5", "Date: {0}"])
        bench.now += .seconds(100)
        let stored = try #require(bench.find(lookup))
        let headers = try #require(stored.headers(confirmedBy: bench.headers(["ETag: \"1\"", "Date: {0}"])))
        bench.load(lookup, headers.fields.map { "\($0.name): \($0.value)" })
        bench.now += .seconds(9)
        #expect(bench.react(to: lookup) == .reused)
        bench.now += .seconds(1)
        #expect(bench.react(to: lookup) == .validated)
        #expect(bench.state.count == 1)
    }

    /// The date of the device may be wrong, and may be changed: neither makes a response older or younger.
    @Test func theDateOfTheDeviceDoesNotMatter() throws {
        let bench = CacheBench()
        for date in [bench.date - 31_536_000, bench.date, bench.date + 31_536_000] {
            let stored = try #require(
                StoredResponse(
                    status: 200, headers: bench.headers(["Date: {0}", "Expires: {60}"]), body: [], to: [:],
                    rule: CacheRule(), sent: bench.now, received: bench.now, date: date))
            #expect(stored.isFresh(at: bench.now + .seconds(59), for: CacheDemand([:])))
            #expect(!stored.isFresh(at: bench.now + .seconds(60), for: CacheDemand([:])))
        }
    }

    @Test func theAgeIsSaid() throws {
        let bench = CacheBench()
        bench.load(bench.lookup(), ["Cache-Control: max-age=600", "Age: 7"], taking: .milliseconds(1_500))
        bench.now += .seconds(30)
        let stored = try #require(bench.find(bench.lookup()))
        #expect(stored.age(at: bench.now) == .milliseconds(38_500))
        #expect(stored.headers(at: bench.now)["Age"] == "38")
    }
}
