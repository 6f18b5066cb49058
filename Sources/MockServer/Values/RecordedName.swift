/// The names that others gave to what a contract does not declare: members, parameters and parts of a path. A name can be data, such as
/// the key of a map, a number of a card or a token. A report shows only what looks like the name that a programmer chose.
package enum RecordedName {
    /// What stands for a name that is not shown.
    package static let hidden = "…"
    /// The longest name that is shown.
    private static let longest = 48
    private static let longestWord = 16
    private static let mostWords = 6
    /// An object with more members that are not declared is probably a map, and its keys are data.
    private static let mostMembers = 16

    /// The places of undeclared members, each name shown or hidden.
    package static func places(of names: [String], in place: String) -> [String] {
        if names.count > mostMembers { return ["\(place).*"] }
        return names.map { "\(place).\(shown($0))" }
    }

    package static func shown(_ name: some StringProtocol) -> String { looksChosen(name) ? String(name) : hidden }

    /// The path of a URL with its names, and `…` in place of everything else.
    package static func shape(ofPath path: some StringProtocol) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let shown = segments.prefix(8).map { segment in segment.isEmpty ? "" : self.shown(segment) }
        return "/" + shown.joined(separator: "/") + (segments.count > 8 ? "/" + hidden : "")
    }

    /// Whether a text consists of a few words of letters, such as `accountHolder`, `X-Request-ID` or `line_2`. Random texts have digits
    /// between the letters, single letters between capitals, or long runs without a vowel.
    package static func looksChosen(_ name: some StringProtocol) -> Bool {
        guard (1...longest).contains(name.utf8.count) else { return false }
        var words: [[UInt8]] = [[]]
        var last: UInt8 = 0
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"):
                if words.last?.isEmpty == false { words.append([]) }
            case 0x41...0x5A where (0x61...0x7A).contains(last):
                words.append([byte])
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: words[words.count - 1].append(byte)
            default: return false
            }
            last = byte
        }
        if words.last?.isEmpty == true { words.removeLast() }
        guard (1...mostWords).contains(words.count), words.count(where: { $0.count == 1 }) <= 1 else { return false }
        let ofLetters = words.filter { $0.contains { $0 >= 0x41 } }
        // Base64 without digits has a capital every few letters.
        if ofLetters.count > 2, ofLetters.joined().count < 3 * ofLetters.count { return false }
        return words.enumerated().allSatisfy { position, word in isWord(word, isFirst: position == 0) }
    }

    private static let vowels = Set("aeiouyAEIOUY".utf8)

    /// Whether it is letters, and then at most two digits. A number alone is a part of a name only after a word.
    private static func isWord(_ word: [UInt8], isFirst: Bool) -> Bool {
        let letters = word.prefix { $0 >= 0x41 }
        let digits = word.dropFirst(letters.count)
        guard word.count <= longestWord, digits.count <= 2, digits.allSatisfy({ $0 < 0x41 }) else { return false }
        if letters.isEmpty { return !isFirst && digits.count <= 2 }
        // An acronym, as in `HTTPStatus`, has at most five letters without a vowel.
        return letters.count <= 5 || letters.contains(where: vowels.contains)
    }
}
