extension WireNaming {
    /// `dailyLimit` as `daily_limit`, `userID` as `user_id`, `mediaIDs` as `media_ids`.
    package func wireName(of name: String) -> String {
        guard self != .asWritten else { return name }
        let words = Self.words(of: name)
        switch self {
        case .asWritten: return name
        case .snakeCase: return words.joined(separator: "_")
        case .kebabCase: return words.joined(separator: "-")
        case .pascalCase: return words.map(NameWords.capitalized).joined()
        case .camelCase: return (words.first ?? "") + words.dropFirst().map(NameWords.capitalized).joined()
        }
    }

    /// The words of a name in lower case. A run of capitals is one word, whose last letter begins the next one where a
    /// small letter follows: `imageURLPath` is image, url, path. A single `s` after the run is its plural: `mediaIDs` is media, ids.
    private static func words(of name: String) -> [String] {
        // Most names are one word in lowercase.
        let isWord = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        if isWord, !name.isEmpty { return [name] }
        let letters = Array(name)
        var words: [String] = []
        var current = ""
        for (position, letter) in letters.enumerated() {
            if letter == "_" || letter == "-" || letter == " " || letter == "." {
                if !current.isEmpty { words.append(current) }
                current = ""
                continue
            }
            if letter.isUppercase, position > 0, !current.isEmpty {
                let follows = position + 1 < letters.count && letters[position + 1].isLowercase
                if !letters[position - 1].isUppercase || follows && !isPlural(letters, position) {
                    words.append(current)
                    current = ""
                }
            }
            current += letter.lowercased()
        }
        if !current.isEmpty { words.append(current) }
        return words
    }

    /// Whether the letter after a capital is the `s` of a plural, which ends its word: `IDs`, `URLsByName`.
    private static func isPlural(_ letters: [Character], _ position: Int) -> Bool {
        letters[position + 1] == "s" && (position + 2 == letters.count || !letters[position + 2].isLowercase)
    }
}
