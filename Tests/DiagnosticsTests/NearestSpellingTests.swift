import Diagnostics
import Testing

@Suite struct NearestSpellingTests {
    static let keys = [
        "category", "when", "data", "message", "retry", "applied", "doc", "baseURL", "skipInvalid", "id",
    ]

    @Test(arguments: [
        ("catgory", "category"), ("categroy", "category"), ("wehn", "when"), ("Data", "data"), ("mesage", "message"),
        ("base_url", "baseURL"), ("base-url", "baseURL"), ("BaseUrl", "baseURL"), ("skip_invalid", "skipInvalid"),
        ("ID", "id"), ("di", "id"), ("docs", "doc"),
    ])
    func isFound(_ word: String, _ wanted: String) {
        let near = nearestSpelling(of: word, among: Self.keys)
        #expect(near == wanted)
    }

    @Test(arguments: ["", "x", "endpoint", "data", "zzz", ".."])
    func isNotInvented(_ word: String) {
        #expect(nearestSpelling(of: word, among: Self.keys) == nil)
    }

    /// Apart from the others: an argument is printed as it is.
    @Test func isNotInventedForAnEndlessWord() {
        let word = String(repeating: "a", count: 100_000)
        #expect(nearestSpelling(of: word, among: Self.keys) == nil)
    }

    @Test func theFirstOfEquallyNearOnesIsTheSameEveryTime() {
        for _ in 0..<20 {
            #expect(nearestSpelling(of: "cat", among: Set(["bat", "car", "rat", "hat", "eat"])) == "bat")
        }
        #expect(nearestSpelling(of: "bat", among: ["rat", "b_at", "cat"]) == "b_at")
    }
}
