/// The words of a name.
package enum NameWords {
    /// The words in lowercase: `publishedAt`, `published_at` and `published-at` give `published` and `at`, `imageURL` gives
    /// `image` and `url`.
    package static func of(_ name: String) -> [String] {
        // Several rules ask about every field of a contract, and nearly all names are ASCII.
        var name = name
        return name.withUTF8 { ofASCII($0) } ?? ofAny(name)
    }

    /// The name in lowercase without separators: `cardnumber` for `cardNumber` and `card_number`.
    package static func folded(_ name: String) -> String {
        let small = name.lowercased()
        let hasJoints = small.utf8.contains { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        return hasJoints ? small.filter { $0 != "_" && $0 != "-" } : small
    }

    /// The word with a capital letter at its start.
    package static func capitalized(_ word: String) -> String {
        if let first = word.utf8.first, (0x41...0x5A).contains(first) { return word }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// The word with lowercase letters at its start. A capital that begins the next word stays: `URLPath` gives `urlPath`.
    package static func uncapitalized(_ word: String) -> String {
        if let first = word.utf8.first, (0x61...0x7A).contains(first) { return word }
        let capitals = word.prefix(while: \.isUppercase)
        guard !capitals.isEmpty else { return word }
        let rest = word.dropFirst(capitals.count)
        if capitals.count > 1, let next = rest.first, next.isLowercase {
            return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
        }
        return capitals.lowercased() + rest
    }

    /// Nil if the name isn't ASCII.
    private static func ofASCII(_ name: UnsafeBufferPointer<UInt8>) -> [String]? {
        var words: [String] = []
        var start = 0
        func addWord(upTo end: Int) {
            guard start < end else { return }
            words.append(
                String(unsafeUninitializedCapacity: end - start) { buffer in
                    for index in start..<end {
                        let byte = name[index]
                        buffer[index - start] = isUppercase(byte) ? byte | 0x20 : byte
                    }
                    return end - start
                })
        }
        for (index, byte) in name.enumerated() {
            guard byte < 0x80 else { return nil }
            let isJoint = byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            if isJoint || (isUppercase(byte) && index > start && isLowercase(name[index - 1])) {
                addWord(upTo: index)
                start = isJoint ? index + 1 : index
            }
        }
        addWord(upTo: name.count)
        return words
    }

    private static func isUppercase(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func ofAny(_ name: String) -> [String] {
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
