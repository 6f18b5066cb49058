/// The words that a name is made of.
enum NameWords {
    /// `publishedAt`, `published_at` and `published-at` are `published` and `at`; `imageURL` is `image` and `url`.
    static func of(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for character in name {
            let isJoint = character == "_" || character == "-"
            if isJoint || (character.isUppercase && word.last?.isLowercase == true) {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if !isJoint { word.append(character) }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }
}
