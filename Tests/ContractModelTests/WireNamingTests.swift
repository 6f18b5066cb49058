import ContractModel
import TestSeeds
import Testing

/// The names on the wire that `naming` gives to fields.
@Suite struct WireNamingTests {
    @Test(arguments: [
        ("dailyLimit", "daily_limit"), ("userID", "user_id"), ("imageURLPath", "image_url_path"),
        ("mediaIDs", "media_ids"),
        ("IDs", "ids"), ("URLsByName", "urls_by_name"), ("mediaIDsOrURLs", "media_ids_or_urls"), ("vCPUs", "v_cpus"),
        ("hasATest", "has_a_test"), ("isAs", "is_as"), ("IDs2", "ids2"), ("userIDset", "user_i_dset"), ("x", "x"),
        ("HTTPSProxy", "https_proxy"), ("askedAs", "asked_as"),
    ])
    func wordsOfANameBecomeSnakeCase(name: String, wire: String) {
        #expect(WireNaming.snakeCase.wireName(of: name) == wire)
    }

    @Test func otherCasesHaveTheSameWords() {
        #expect(WireNaming.kebabCase.wireName(of: "mediaIDs") == "media-ids")
        #expect(WireNaming.pascalCase.wireName(of: "mediaIDs") == "MediaIds")
        #expect(WireNaming.camelCase.wireName(of: "mediaIDs") == "mediaIds")
    }

    /// A name that is spelled as Swift spells it, with acronyms in capitals and their plurals, has the words that it was made of. Two
    /// acronyms in a row have no mark between them, and are left out.
    @Test func namesKeepTheirWords() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        let acronyms = ["id", "url", "http", "html", "cpu", "ip", "uuid"]
        let words = ["media", "user", "sources", "limit", "status", "base64", "line", "is", "as", "s3"]
        for _ in 0..<5_000 {
            var parts: [String] = []
            var name = ""
            var wasAcronym = false
            for position in 0...random.below(5) {
                if !wasAcronym, random.below(3) == 0 {
                    let word = acronyms[random.below(acronyms.count)]
                    let isPlural = random.below(2) == 0
                    parts.append(word + (isPlural ? "s" : ""))
                    name += (position == 0 ? word : word.uppercased()) + (isPlural ? "s" : "")
                    wasAcronym = true
                } else {
                    // `URLIs` looks like a plural, and `URLS3` like one word.
                    let word = words[random.below(words.count - (wasAcronym ? 3 : 0))]
                    parts.append(word)
                    name += position == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
                    wasAcronym = false
                }
            }
            #expect(WireNaming.snakeCase.wireName(of: name) == parts.joined(separator: "_"), "seed \(seed): \(name)")
        }
    }
}
