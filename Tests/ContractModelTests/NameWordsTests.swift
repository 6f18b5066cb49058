import ContractModel
import Testing

@Suite struct NameWordsTests {
    @Test(arguments: [
        ("publishedAt", ["published", "at"]), ("published_at", ["published", "at"]),
        ("published-at", ["published", "at"]),
        ("imageURL", ["image", "url"]), ("URLOfImage", ["urlof", "image"]), ("v2Name", ["v2name"]), ("", []),
        ("__", []),
        ("_a__B-", ["a", "b"]), ("größeÄndern", ["größe", "ändern"]), ("a_é", ["a", "é"]),
    ])
    func aNameIsItsWords(_ name: String, _ words: [String]) {
        #expect(NameWords.of(name) == words)
    }
}
