import Testing

@testable import ErrandRuntime

/// What a private cache does with a response and a later request, case by case, after the areas of the public suite of HTTP caches
/// (https://cache-tests.fyi).
@Suite struct CacheTableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var asked: [String] = []
        var status = 200
        let answered: [String]
        /// How long the response took.
        var delay = Duration.zero
        /// How much later the same is asked for.
        var after = Duration.seconds(10)
        var askedAgain: [String] = []
        let reaction: CacheBench.Reaction

        var testDescription: String { name }
    }

    @Test(arguments: freshness + heuristics + directives + validators + variants + requests)
    func theCacheDoesWhatTheHeadersSay(_ row: Case) {
        let bench = CacheBench()
        bench.load(bench.lookup(row.asked), status: row.status, row.answered, taking: row.delay)
        bench.now += row.after
        #expect(bench.react(to: bench.lookup(row.askedAgain)) == row.reaction)
    }

    static let freshness: [Case] = [
        Case(name: "max-age in the future", answered: ["Cache-Control: max-age=60"], reaction: .reused),
        Case(name: "max-age is over", answered: ["Cache-Control: max-age=5"], reaction: .fetched),
        Case(name: "max-age is just over", answered: ["Cache-Control: max-age=10"], reaction: .fetched),
        Case(name: "max-age of 0", answered: ["Cache-Control: max-age=0"], after: .zero, reaction: .fetched),
        Case(name: "names in any case", answered: ["cache-control: MAX-AGE=60"], reaction: .reused),
        Case(name: "max-age in quotation marks", answered: ["Cache-Control: max-age=\"60\""], reaction: .reused),
        Case(name: "max-age with a fraction", answered: ["Cache-Control: max-age=60.5"], reaction: .fetched),
        Case(name: "max-age below 0", answered: ["Cache-Control: max-age=-60"], reaction: .fetched),
        Case(name: "max-age without a number", answered: ["Cache-Control: max-age"], reaction: .fetched),
        Case(name: "max-age with a space", answered: ["Cache-Control: max-age= 60"], reaction: .fetched),
        Case(
            name: "max-age greater than any number", answered: ["Cache-Control: max-age=99999999999999999999"],
            reaction: .reused),
        Case(
            name: "two equal numbers", answered: ["Cache-Control: max-age=60, max-age=60"], reaction: .reused),
        Case(
            name: "two numbers that differ", answered: ["Cache-Control: max-age=60", "Cache-Control: max-age=90"],
            reaction: .fetched),
        Case(
            name: "max-age in the text of another directive", answered: ["Cache-Control: x=\"a, max-age=60\""],
            reaction: .fetched),
        Case(
            name: "directives in several fields", answered: ["Cache-Control: x", "Cache-Control: max-age=60"],
            reaction: .reused),
        Case(
            name: "empty elements", answered: ["Cache-Control: , ,max-age=60,,"], reaction: .reused),
        Case(
            name: "a directive that nothing knows", answered: ["Cache-Control: max-age=60, zippy=\"1\", y"],
            reaction: .reused),
        Case(name: "s-maxage is for others", answered: ["Cache-Control: s-maxage=60"], reaction: .fetched),
        Case(
            name: "s-maxage does not shorten", answered: ["Cache-Control: s-maxage=0, max-age=60"], reaction: .reused),
        Case(name: "Age counts", answered: ["Cache-Control: max-age=60", "Age: 55"], reaction: .fetched),
        Case(name: "Age leaves something", answered: ["Cache-Control: max-age=60", "Age: 49"], reaction: .reused),
        Case(
            name: "the first of several ages", answered: ["Cache-Control: max-age=60", "Age: 0, 90"], reaction: .reused),
        Case(name: "an age that is no number", answered: ["Cache-Control: max-age=60", "Age: old"], reaction: .reused),
        Case(name: "an age below 0", answered: ["Cache-Control: max-age=60", "Age: -90"], reaction: .reused),
        Case(
            name: "the time on the way counts", answered: ["Cache-Control: max-age=15"], delay: .seconds(6),
            reaction: .fetched),
        Case(name: "Expires in the future", answered: ["Date: {0}", "Expires: {60}"], reaction: .reused),
        Case(name: "Expires without Date", answered: ["Expires: {60}"], reaction: .reused),
        Case(name: "Expires in the past", answered: ["Date: {0}", "Expires: {-60}"], reaction: .fetched),
        Case(name: "Expires now", answered: ["Date: {0}", "Expires: {0}"], after: .zero, reaction: .fetched),
        Case(name: "Expires of 0", answered: ["Expires: 0"], after: .zero, reaction: .fetched),
        Case(
            name: "Expires of 0 after another one", answered: ["Date: {0}", "Expires: {60}", "Expires: 0"],
            after: .zero, reaction: .fetched),
        Case(
            name: "Expires of 0 before another one", answered: ["Date: {0}", "Expires: 0", "Expires: {60}"],
            after: .zero, reaction: .fetched),
        Case(
            name: "Expires twice, with two dates", answered: ["Date: {0}", "Expires: {60}", "Expires: {90}"],
            after: .zero, reaction: .fetched),
        Case(
            name: "Expires twice, with one date", answered: ["Date: {0}", "Expires: {60}", "Expires: {60}"],
            reaction: .reused),
        Case(name: "Expires that is no date", answered: ["Expires: soon"], after: .zero, reaction: .fetched),
        Case(
            name: "Expires that is no date allows no guess", answered: ["Expires: soon", "Last-Modified: {-90000}"],
            reaction: .validated(["If-Modified-Since"])),
        Case(
            name: "Expires counts from Date", answered: ["Date: {-7200}", "Expires: {-7140}"], reaction: .reused),
        Case(
            name: "max-age before Expires", answered: ["Cache-Control: max-age=60", "Expires: {-60}"], reaction: .reused
        ),
        Case(
            name: "max-age of 0 before Expires", answered: ["Cache-Control: max-age=0", "Expires: {60}"],
            reaction: .fetched),
    ]

    static let heuristics: [Case] = [
        Case(
            name: "a tenth of the time since the last change", answered: ["Last-Modified: {-1000}"], reaction: .reused),
        Case(
            name: "more than a tenth", answered: ["Last-Modified: {-1000}"], after: .seconds(101),
            reaction: .validated(["If-Modified-Since"])),
        Case(
            name: "no longer than a day", answered: ["Last-Modified: {-31536000}"], after: .seconds(86_401),
            reaction: .validated(["If-Modified-Since"])),
        Case(name: "nothing to guess from", answered: ["ETag: \"1\""], after: .zero, reaction: .validated),
        Case(
            name: "changed in the future", answered: ["Last-Modified: {1000}"], after: .zero,
            reaction: .validated(["If-Modified-Since"])),
        Case(
            name: "no guess beside max-age", answered: ["Last-Modified: {-9000}", "Cache-Control: max-age=1"],
            reaction: .validated(["If-Modified-Since"])),
        Case(name: "a 203", status: 203, answered: ["Last-Modified: {-1000}"], reaction: .reused),
        Case(name: "a 204", status: 204, answered: ["Last-Modified: {-1000}"], reaction: .reused),
    ]

    static let directives: [Case] = [
        Case(
            name: "more directives than are read",
            answered: ["Cache-Control: max-age=60" + String(repeating: ", a", count: 64)], reaction: .fetched),
        Case(
            name: "more than is read of a field",
            answered: ["Cache-Control: max-age=60, a=" + String(repeating: "b", count: 8 << 10)], reaction: .fetched),
        Case(name: "no-store", answered: ["Cache-Control: no-store, max-age=60", "ETag: \"1\""], reaction: .fetched),
        Case(name: "no-store in any case", answered: ["Cache-Control: No-StOrE, max-age=60"], reaction: .fetched),
        Case(
            name: "must-understand, and it is", answered: ["Cache-Control: no-store, must-understand, max-age=60"],
            reaction: .reused),
        Case(
            name: "must-understand, and it is not", status: 299,
            answered: ["Cache-Control: no-store, must-understand, max-age=60"], reaction: .fetched),
        Case(
            name: "no-cache", answered: ["Cache-Control: no-cache, max-age=60", "ETag: \"1\""], after: .zero,
            reaction: .validated),
        Case(
            name: "no-cache with the names of fields",
            answered: ["Cache-Control: no-cache=\"set-cookie\", max-age=60", "ETag: \"1\""], reaction: .validated),
        Case(
            name: "no-cache without a validator", answered: ["Cache-Control: no-cache, max-age=60"], reaction: .fetched),
        Case(name: "private", answered: ["Cache-Control: private, max-age=60"], reaction: .reused),
        Case(name: "private with names", answered: ["Cache-Control: private=\"a\", max-age=60"], reaction: .reused),
        Case(
            name: "must-revalidate while fresh", answered: ["Cache-Control: must-revalidate, max-age=60"],
            reaction: .reused),
        Case(name: "immutable", answered: ["Cache-Control: immutable, max-age=60"], reaction: .reused),
        Case(
            name: "Pragma has no meaning in a response", answered: ["Pragma: no-cache", "Cache-Control: max-age=60"],
            reaction: .reused),
        Case(name: "a part", status: 206, answered: ["Cache-Control: max-age=60"], reaction: .fetched),
        Case(name: "an error", status: 404, answered: ["Cache-Control: max-age=60"], reaction: .fetched),
        Case(name: "a redirect", status: 301, answered: ["Cache-Control: max-age=60"], reaction: .fetched),
        Case(
            name: "stale-while-revalidate", answered: ["Cache-Control: max-age=1, stale-while-revalidate=60"],
            reaction: .reusedAndAsked),
        Case(
            name: "stale-while-revalidate is over", answered: ["Cache-Control: max-age=1, stale-while-revalidate=5"],
            reaction: .fetched),
        Case(
            name: "stale-while-revalidate against must-revalidate",
            answered: ["Cache-Control: max-age=1, stale-while-revalidate=60, must-revalidate"], reaction: .fetched),
        Case(
            name: "stale-while-revalidate against no-cache",
            answered: ["Cache-Control: max-age=1, stale-while-revalidate=60, no-cache", "ETag: \"1\""],
            reaction: .validated),
        Case(
            name: "stale-while-revalidate against the caller's no-cache",
            answered: ["Cache-Control: max-age=1, stale-while-revalidate=60", "ETag: \"1\""],
            askedAgain: ["Cache-Control: no-cache"], reaction: .validated),
    ]

    static let validators: [Case] = [
        Case(
            name: "both validators", answered: ["ETag: \"1\"", "Last-Modified: {-10}", "Cache-Control: max-age=1"],
            reaction: .validated(["If-None-Match", "If-Modified-Since"])),
        Case(name: "a weak tag", answered: ["ETag: W/\"1\"", "Cache-Control: max-age=1"], reaction: .validated),
        Case(
            name: "a tag without quotation marks", answered: ["ETag: 1", "Cache-Control: max-age=1"],
            reaction: .validated),
        Case(name: "an empty tag", answered: ["ETag:", "Cache-Control: max-age=1"], reaction: .fetched),
        Case(
            name: "validated although it can be used never else",
            answered: ["ETag: \"1\"", "Cache-Control: max-age=0"],
            reaction: .validated),
    ]

    static let variants: [Case] = [
        Case(
            name: "the same value", asked: ["Accept-Language: de"],
            answered: ["Vary: Accept-Language", "Cache-Control: max-age=60"], askedAgain: ["accept-language: de"],
            reaction: .reused),
        Case(
            name: "another value", asked: ["Accept-Language: de"],
            answered: ["Vary: Accept-Language", "Cache-Control: max-age=60"], askedAgain: ["Accept-Language: en"],
            reaction: .fetched),
        Case(
            name: "no value", asked: ["Accept-Language: de"],
            answered: ["Vary: accept-language", "Cache-Control: max-age=60"], reaction: .fetched),
        Case(
            name: "a value where none was", answered: ["Vary: Accept-Language", "Cache-Control: max-age=60"],
            askedAgain: ["Accept-Language: en"], reaction: .fetched),
        Case(
            name: "no value both times", answered: ["Vary: Accept-Language", "Cache-Control: max-age=60"],
            reaction: .reused),
        Case(
            name: "the value in several fields", asked: ["X: a, b"],
            answered: ["Vary: X", "Cache-Control: max-age=60"],
            askedAgain: ["X: a", "X: b"], reaction: .reused),
        Case(
            name: "another order", asked: ["X: a, b"], answered: ["Vary: X", "Cache-Control: max-age=60"],
            askedAgain: ["X: b, a"], reaction: .fetched),
        Case(
            name: "the second of two", asked: ["X: a", "Y: b"],
            answered: ["Vary: X", "Vary: Y", "Cache-Control: max-age=60"], askedAgain: ["X: a", "Y: c"],
            reaction: .fetched),
        Case(
            name: "a field that is not named", asked: ["X: a"], answered: ["Vary: Y", "Cache-Control: max-age=60"],
            askedAgain: ["X: b"], reaction: .reused),
        Case(name: "all fields", answered: ["Vary: *", "Cache-Control: max-age=60"], reaction: .fetched),
        Case(
            name: "all fields among others", answered: ["Vary: X, *", "Cache-Control: max-age=60"], reaction: .fetched),
        Case(
            name: "the token, renewed", asked: ["Authorization: Bearer 1"],
            answered: ["Vary: Authorization", "Cache-Control: max-age=60"], askedAgain: ["Authorization: Bearer 2"],
            reaction: .fetched),
        Case(
            name: "the token, without Vary", asked: ["Authorization: Bearer 1"],
            answered: ["Cache-Control: max-age=60"], askedAgain: ["Authorization: Bearer 2"], reaction: .reused),
    ]

    static let requests: [Case] = [
        Case(
            name: "the caller's no-cache", answered: ["Cache-Control: max-age=60", "ETag: \"1\""],
            askedAgain: ["Cache-Control: no-cache"], reaction: .validated),
        Case(
            name: "the caller's max-age, old enough", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["Cache-Control: max-age=5"], reaction: .fetched),
        Case(
            name: "the caller's max-age, young enough", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["Cache-Control: max-age=30"], reaction: .reused),
        Case(
            name: "the caller's max-age of 0", answered: ["Cache-Control: max-age=60", "ETag: \"1\""],
            askedAgain: ["Cache-Control: max-age=0"], reaction: .validated),
        Case(
            name: "the caller's max-age counts Age", answered: ["Cache-Control: max-age=60", "Age: 25"],
            askedAgain: ["Cache-Control: max-age=30"], reaction: .fetched),
        Case(
            name: "a max-age of the caller's that is no number", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["Cache-Control: max-age=x"], reaction: .fetched),
        Case(
            name: "the caller's min-fresh", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["Cache-Control: min-fresh=50"], reaction: .reused),
        Case(
            name: "the caller's min-fresh, too much", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["Cache-Control: min-fresh=51"], reaction: .fetched),
        Case(
            name: "the caller's no-store", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["Cache-Control: no-store"], reaction: .fetched),
        Case(
            name: "the caller's max-stale is not followed", answered: ["Cache-Control: max-age=1"],
            askedAgain: ["Cache-Control: max-stale"], reaction: .fetched),
        Case(
            name: "a validator of the caller's", answered: ["Cache-Control: max-age=60"],
            askedAgain: ["If-None-Match: \"1\""], reaction: .fetched),
        Case(
            name: "a part for the caller", answered: ["Cache-Control: max-age=60"], askedAgain: ["Range: bytes=0-1"],
            reaction: .fetched),
    ]

    // MARK: Stale responses

    struct StaleCase: CustomTestStringConvertible, Sendable {
        let answered: [String]
        var offline: Duration?
        var asked: [String] = []
        let use: StoredResponse.StaleUse
        /// At one second after its lifetime of ten, for a minute and for two.
        let isAllowed: [Bool]

        var testDescription: String { "\(answered), \(use)" }
    }

    @Test(arguments: stale) func aStaleResponseIsUsedWhereThatIsAllowed(_ row: StaleCase) {
        for (after, isAllowed) in zip([11, 70, 130], row.isAllowed) {
            let bench = CacheBench()
            bench.rule = CacheRule(offline: row.offline)
            bench.load(bench.lookup(), row.answered)
            bench.now += .seconds(after)
            #expect(bench.allows(row.use, bench.lookup(row.asked)) == isAllowed, "after \(after) s")
        }
    }

    static let stale: [StaleCase] = [
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=60"], use: .ifError, isAllowed: [true, true, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=60, must-revalidate"], use: .ifError,
            isAllowed: [false, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=60, no-cache", "ETag: \"1\""], use: .ifError,
            isAllowed: [false, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=60, proxy-revalidate"], use: .ifError,
            isAllowed: [true, true, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=60"], asked: ["Cache-Control: no-cache"],
            use: .ifError, isAllowed: [false, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=60"], asked: ["Cache-Control: max-age=20"],
            use: .ifError, isAllowed: [true, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, stale-if-error=x"], use: .ifError, isAllowed: [false, false, false]),
        StaleCase(answered: ["Cache-Control: max-age=10"], use: .ifError, isAllowed: [false, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10"], offline: .seconds(60), use: .offline,
            isAllowed: [true, true, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10"], offline: .seconds(60), use: .ifError,
            isAllowed: [false, false, false]),
        StaleCase(
            answered: ["X: nothing about a lifetime"], offline: .seconds(60), use: .offline,
            isAllowed: [true, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, must-revalidate"], offline: .seconds(60), use: .offline,
            isAllowed: [false, false, false]),
        StaleCase(
            answered: ["Cache-Control: max-age=10, no-cache", "ETag: \"1\""], offline: .seconds(60), use: .offline,
            isAllowed: [false, false, false]),
        StaleCase(
            answered: ["Cache-Control: no-store"], offline: .seconds(60), use: .offline,
            isAllowed: [false, false, false]),
        StaleCase(answered: ["Cache-Control: max-age=10"], use: .offline, isAllowed: [false, false, false]),
    ]
}
