import ContractModel

/// Names that a person would choose, made of the names of a document.
enum NameText {
    /// The name of a field, an endpoint or a case: `billing_details` is `billingDetails`.
    static func valueName(_ text: String) -> String {
        if let signed = signed(text) { return signed }
        var words = words(of: text)
        guard let first = words.first else { return spelled(text) }
        words[0] = hasSmallLetter(first) || first.count == 1 ? NameWords.uncapitalized(first) : first.lowercased()
        for position in words.indices.dropFirst() {
            words[position] = NameWords.capitalized(abbreviation(words[position]))
        }
        return startingWithLetter(words.joined(), isType: false)
    }

    /// The name of a type: `billing_details` is `BillingDetails`.
    static func typeName(_ text: String) -> String {
        let words = words(of: text).map { word in
            word.utf8.allSatisfy { $0 < 0x80 }
                ? word : String(String.UnicodeScalarView(word.unicodeScalars.filter { $0.isASCII }))
        }.filter { !$0.isEmpty }
        guard !words.isEmpty else {
            let isASCII = text.unicodeScalars.allSatisfy(\.isASCII)
            return isASCII
                ? NameWords.capitalized(spelled(text))
                : "U" + text.unicodeScalars.prefix(8).map { String($0.value, radix: 16) }.joined(separator: "u")
        }
        return startingWithLetter(words.map { NameWords.capitalized(abbreviation($0)) }.joined(), isType: true)
    }

    /// The name of a service: that of the document without what every one of them has.
    static func serviceName(_ title: String) -> String {
        let parts = title.split(whereSeparator: \.isWhitespace).filter { !isVersion($0) }
        let named = parts.isEmpty ? title : parts.joined(separator: " ")
        var words = words(of: named).filter { $0.unicodeScalars.allSatisfy(\.isASCII) }
        // What follows describes the document: `Spotify Web API with fixes and improvements`.
        let clauses: Set<String> = ["with", "without", "from", "by", "via", "including", "using"]
        if let end = words.dropFirst().firstIndex(where: { clauses.contains($0.lowercased()) }) {
            words = Array(words[..<end])
        }
        let noise: Set<String> = ["api", "rest", "openapi", "swagger", "specification", "spec", "definition", "the"]
        let meaningful = words.filter { !noise.contains($0.lowercased()) }
        if !meaningful.isEmpty { words = meaningful }
        words = Array(words.prefix(5))
        let links: Set<String> = ["and", "or", "of", "for", "to", "in", "on", "at", "a", "an", "as"]
        while words.count > 1, let last = words.last, links.contains(last.lowercased()) { words.removeLast() }
        let name = startingWithLetter(words.map(NameWords.capitalized).joined(), isType: true)
        return name.isEmpty ? "Service" : name
    }

    /// Whether it is a version: `v2`, `1.0`, `(v2.1)`.
    private static func isVersion(_ part: Substring) -> Bool {
        let marks: Set<Character> = ["(", ")", "[", "]", ",", ":", "-"]
        var text = Substring(part.filter { !marks.contains($0) })
        let isMarked = text.first == "v" || text.first == "V"
        if isMarked { text = text.dropFirst() }
        let isNumber = text.first?.isNumber == true && text.allSatisfy { $0.isNumber || $0 == "." }
        return isNumber && (isMarked || text.contains("."))
    }

    /// `ServiceName` as the name of a file: `service-name`.
    static func fileStem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return String(name.prefix { $0 != "." })
    }

    /// The singular of a name.
    static func singular(_ name: String) -> String {
        let name = typeName(name)
        if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes"] where name.hasSuffix(ending) { return String(name.dropLast(2)) }
        for ending in ["ss", "us", "is", "ews"] where name.hasSuffix(ending) { return name + "Item" }
        if name.hasSuffix("s"), name.count > 2 { return String(name.dropLast()) }
        return name + "Item"
    }

    /// Two names that differ in letter case or underscores only are one in Swift's eyes, or in a reader's.
    static func folded(_ name: String) -> String {
        let folded = name.lowercased()
        return folded.utf8.contains(UInt8(ascii: "_")) ? folded.filter { $0 != "_" } : folded
    }

    static func isFree(_ name: String, _ taken: Set<String>) -> Bool {
        !name.isEmpty && !taken.contains(folded(name)) && !ReservedNames.forbidden.contains(name)
    }

    /// The name, or the first free one with a number appended.
    static func free(_ name: String, _ taken: Set<String>, _ others: [String] = []) -> String {
        var numbers: [String: Int] = [:]
        return free(name, taken, others, &numbers)
    }

    /// The same for many names: `numbers` are the last ones that were appended, so that equal names do not try them again.
    static func free(
        _ name: String, _ taken: Set<String>, _ others: [String], _ numbers: inout [String: Int]
    ) -> String {
        for candidate in [name] + others where isFree(candidate, taken) { return candidate }
        var number = numbers[name] ?? 2
        while !isFree(name + String(number), taken) { number += 1 }
        numbers[name] = number
        return name + String(number)
    }

    // MARK: Words

    /// The words of a name, cut at all characters other than letters and digits. A name without lowercase letters is lower-cased.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isArity = false
        for scalar in text.unicodeScalars {
            // .NET has the number of a generic type's parameters in its name: ``Page`1``.
            if isArity {
                isArity = scalar.properties.numericType != nil
                if isArity { continue }
            }
            if scalar == "`" {
                isArity = true
            }
            if isPart(scalar) {
                word.unicodeScalars.append(scalar)
            } else if scalar == "'" || scalar == "’" {
                continue
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        guard words.count > 1 || text.count > 3 else { return words }
        return hasSmallLetter(text) ? words : words.map { $0.lowercased() }
    }

    /// Nearly all lowercase letters are ASCII, which needs no table.
    private static func hasSmallLetter(_ text: String) -> Bool {
        text.utf8.contains { (0x61...0x7A).contains($0) } || text.contains(where: \.isLowercase)
    }

    /// Whether it is a letter or a digit. Nearly all characters are ASCII, which needs no table.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case _ where scalar.isASCII: false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        }
    }

    private static func abbreviation(_ word: String) -> String {
        (2...3).contains(word.utf8.count) && ["id", "url"].contains(word.lowercased()) ? word.uppercased() : word
    }

    private static let numbers = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    /// A name that would begin with a digit begins with a word.
    private static func startingWithLetter(_ name: String, isType: Bool) -> String {
        guard let first = name.unicodeScalars.first, first.properties.numericType != nil else { return name }
        let digits = name.prefix { $0.isNumber }
        let rest = name.dropFirst(digits.count)
        if let ordinal = ordinal(digits, rest) { return isType ? NameWords.capitalized(ordinal) : ordinal }
        let begin = Int(digits).flatMap { numbers.indices.contains($0) ? numbers[$0] : nil } ?? "value\(digits)"
        let result = begin + (begin.hasPrefix("value") ? String(rest) : NameWords.capitalized(String(rest)))
        return isType ? NameWords.capitalized(result) : result
    }

    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ]

    /// The word for a number in a row: `1stName` is `firstName`. Nil for other names that begin with a number.
    private static func ordinal(_ digits: Substring, _ rest: Substring) -> String? {
        let ending = rest.prefix(2).lowercased()
        guard let number = Int(digits), ordinals.indices.contains(number - 1),
            ending == ["1": "st", "2": "nd", "3": "rd"][digits, default: "th"],
            rest.dropFirst(2).first?.isLowercase != true
        else { return nil }
        return ordinals[number - 1] + NameWords.capitalized(String(rest.dropFirst(2)))
    }

    /// A number with its sign: `+1` is `plus1`. Without the sign it would be another number's name.
    private static func signed(_ text: String) -> String? {
        guard let sign = text.first, sign == "+" || sign == "-", text.count > 1,
            text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return (sign == "+" ? "plus" : "minus") + text.dropFirst()
    }

    /// A text whose signs before digits are words: `Etc/GMT+1` is `Etc/GMT plus 1`.
    static func withSigns(_ text: String) -> String {
        var result = ""
        for (letter, next) in zip(text, text.dropFirst().map { Optional($0) } + [nil]) {
            let isSign = (letter == "+" || letter == "-") && next?.isNumber == true && !result.isEmpty
            result += isSign ? (letter == "+" ? " plus " : " minus ") : String(letter)
        }
        return result
    }

    private static let marks: [Character: String] = [
        "+": "plus", "-": "minus", "*": "star", "/": "slash", "<": "lessThan", ">": "greaterThan", "=": "equals",
        "!": "not", "%": "percent", "#": "hash", "@": "at", "&": "and", "$": "dollar", "_": "underscore", ".": "dot",
        ",": "comma", ":": "colon", ";": "semicolon", "?": "question", "|": "or", "~": "tilde", "^": "caret",
        " ": "blank", "(": "open", ")": "close", "[": "open", "]": "close",
    ]

    /// A name in which marks are words: `-created` is `minusCreated`.
    static func spelled(_ text: String) -> String {
        guard !text.isEmpty else { return "empty" }
        var words: [String] = []
        var word = ""
        for letter in text.prefix(60) {
            if letter.isLetter || letter.isNumber {
                word.append(letter)
                continue
            }
            if !word.isEmpty { words.append(word) }
            word = ""
            // Marks between words only part them.
            if words.isEmpty || words.allSatisfy({ marks.values.contains($0) }) {
                words.append(marks[letter] ?? "u" + letter.unicodeScalars.map { String($0.value, radix: 16) }.joined())
            }
        }
        if !word.isEmpty { words.append(word) }
        let first = words.first.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? "empty"
        return startingWithLetter(first + words.dropFirst().map(NameWords.capitalized).joined(), isType: false)
    }
}
