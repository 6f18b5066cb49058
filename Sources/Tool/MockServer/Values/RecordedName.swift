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

    /// The path of a URL with the segments that a contract has, and `…` in place of everything else. What else is in a path can be a
    /// person's name or a code, and looks like a word.
    package static func shape(ofPath path: some StringProtocol, knowing segments: Set<String>) -> String {
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let shown = all.prefix(8).map { $0.isEmpty || segments.contains(String($0)) ? String($0) : hidden }
        return "/" + shown.joined(separator: "/") + (all.count > 8 ? "/" + hidden : "")
    }

    /// Whether a text consists of a few words of letters, such as `accountHolder`, `X-Request-ID` or `line_2`. Random texts have digits
    /// between the letters, single letters between capitals, or letters that no word has next to each other.
    package static func looksChosen(_ name: some StringProtocol) -> Bool {
        guard (1...longest).contains(name.utf8.count), let words = words(of: name) else { return false }
        guard (1...mostWords).contains(words.count), words.count(where: { $0.count == 1 }) <= 1 else { return false }
        let ofLetters = words.filter { $0.contains { $0 >= 0x41 } }
        // Base64 without digits has a capital every few letters.
        if ofLetters.count > 2, 2 * ofLetters.joined().count < 5 * ofLetters.count { return false }
        var acronyms = 0
        for (position, word) in words.enumerated() {
            guard let kind = kind(of: word, isFirst: position == 0) else { return false }
            if kind == .acronym { acronyms += 1 }
        }
        // The groups of a voucher look like several acronyms.
        return acronyms <= 1
    }

    /// The parts between signs, and those that begin with a capital. Nil for a text with other characters.
    private static func words(of name: some StringProtocol) -> [[UInt8]]? {
        var words: [[UInt8]] = [[]]
        for byte in name.utf8 {
            let word = words[words.count - 1]
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"):
                if !word.isEmpty { words.append([]) }
                continue
            case 0x41...0x5A where word.last.map { (0x61...0x7A).contains($0) } ?? false:
                words.append([byte])
            case 0x61...0x7A where word.count > 1 && word.suffix(2).allSatisfy { (0x41...0x5A).contains($0) }:
                // The last capital of `HTTPStatus` begins a word.
                let capital = words[words.count - 1].removeLast()
                words.append([capital, byte])
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: words[words.count - 1].append(byte)
            default: return nil
            }
        }
        if words.last?.isEmpty == true { words.removeLast() }
        return words
    }

    private enum WordKind {
        case word, acronym
    }

    /// Nil for what is neither: a word is letters, and then at most two digits. A number alone is a part of a name only after a word.
    private static func kind(of word: [UInt8], isFirst: Bool) -> WordKind? {
        let letters = word.prefix { $0 >= 0x41 }
        let digits = word.dropFirst(letters.count)
        guard word.count <= longestWord, digits.count <= 2, digits.allSatisfy({ $0 < 0x41 }) else { return nil }
        if letters.isEmpty { return isFirst ? nil : .word }
        if isPronounceable(letters) { return .word }
        if letters.count <= 3 { return .acronym }
        return acronyms.contains(String(decoding: letters, as: UTF8.self).lowercased()) ? .acronym : nil
    }

    private static let acronyms: Set<String> = [
        "ascii", "cidr", "grpc", "html", "http", "https", "iban", "json", "jsonp", "jwks", "sftp", "smtp", "uuid",
        "xhtml",
    ]

    /// Whether all neighbors among the letters are neighbors in words, too, and some letters are vowels. Of the random texts of 16 letters,
    /// this holds for one in a thousand.
    private static func isPronounceable(_ letters: ArraySlice<UInt8>) -> Bool {
        let lower = letters.map { $0 | 0x20 }
        for (letter, next) in zip(lower, lower.dropFirst())
        where !followers[Int(letter - UInt8(ascii: "a"))].contains(next) { return false }
        if lower.count < 3 { return true }
        let vowels = lower.count { Self.vowels.contains($0) }
        let longestRun = lower.split(whereSeparator: Self.vowels.contains).map(\.count).max() ?? 0
        return longestRun <= 4 && (lower.count > 8 ? 5 * vowels >= lower.count : vowels > 0)
    }

    private static let vowels = Set("aeiouy".utf8)

    /// The letters that follow `a`, `b`, `c` … inside the words of names in public descriptions of APIs.
    private static let followers: [Set<UInt8>] = [
        "abcdfgiklmnprstuvwxyz", "abcefhijlmnoprstuy", "aceghiklopqrstuy", "abdegijlmoprstuvwy",
        "abcdefghijklmnopqrstuvwxyz", "aefilorstuy", "aeghilmnorstuy", "abcdefilmnorstuy", "abcdefgklmnoprstuvxz",
        "aeiou",
        "abdefgilmnopstuy", "abcdefgilmorstuvy", "abceilmnopsuy", "abcdefghiklmnopqrstuvy", "abcdefgijklmnoprstuvwxy",
        "adefghilmoprstuy", "u", "abcdefgiklmnoprstuvwy", "abcefhiklmnopqrstuwy", "abcdefghilmnoprstuwy",
        "abcdefgilmnoprstx", "aeio", "aehilnors", "acefipt", "abcefgilmnoprstuw", "aeioy",
    ].map { Set($0.utf8) }
}
