import TestSeeds

/// One expression three times: as we write it, as ICU does, whose `\w`, `\b`, `.` and `$` mean something else, and as what it
/// means, by definition.
struct RandomPattern: Sendable {
    typealias Text = [Unicode.Scalar]

    var ours: String
    var theirs: String
    /// Where the expression can end that begins at a place.
    var ends: @Sendable (Text, Int) -> Set<Int>
    var isNullable = false
    /// Whether something that matches the empty text is repeated, of which ICU makes something else.
    var repeatsNothing = false

    func matches(_ text: Text) -> Bool {
        ends(text, 0).contains(text.count)
    }

    static func random(depth: Int, _ random: inout SeededGenerator) -> RandomPattern {
        let kind = Int.random(in: 0..<10, using: &random)
        if depth == 0 || kind < 2 {
            return (Int.random(in: 0..<8, using: &random) == 0 ? places : atoms).randomElement(using: &random)
                ?? atoms[0]
        }
        let one = RandomPattern.random(depth: depth - 1, &random)
        switch kind {
        case 2, 3, 4: return sequence(one, .random(depth: depth - 1, &random))
        case 5, 6: return choice(one, .random(depth: depth - 1, &random))
        case 7: return choice(one, nothing)
        default:
            let name = Int.random(in: 0...999_999_999, using: &random)
            let opening = ["(", "(?:", "(?<n\(name)>"].randomElement(using: &random) ?? "("
            return repetition(one, opening, repetitions.randomElement(using: &random) ?? repetitions[0])
        }
    }

    // MARK: Compositions

    private static let nothing = RandomPattern(ours: "", theirs: "", ends: { [$1] }, isNullable: true)

    private static func sequence(_ one: RandomPattern, _ other: RandomPattern) -> RandomPattern {
        RandomPattern(
            ours: one.ours + other.ours, theirs: one.theirs + other.theirs,
            ends: { text, start in one.ends(text, start).reduce(into: []) { $0.formUnion(other.ends(text, $1)) } },
            isNullable: one.isNullable && other.isNullable, repeatsNothing: one.repeatsNothing || other.repeatsNothing)
    }

    private static func choice(_ one: RandomPattern, _ other: RandomPattern) -> RandomPattern {
        RandomPattern(
            ours: "(?:\(one.ours)|\(other.ours))", theirs: "(?:\(one.theirs)|\(other.theirs))",
            ends: { one.ends($0, $1).union(other.ends($0, $1)) },
            isNullable: one.isNullable || other.isNullable, repeatsNothing: one.repeatsNothing || other.repeatsNothing)
    }

    private typealias Repetition = (sign: String, least: Int, most: Int?)
    private static let repetitions: [Repetition] = [
        ("*", 0, nil), ("+", 1, nil), ("?", 0, 1), ("{2}", 2, 2), ("{0,2}", 0, 2), ("{1,3}", 1, 3), ("{2,}", 2, nil),
        ("{0}", 0, 0), ("*?", 0, nil),
        ("+?", 1, nil), ("??", 0, 1), ("{1,2}?", 1, 2),
    ]

    private static func repetition(_ one: RandomPattern, _ opening: String, _ repetition: Repetition) -> RandomPattern {
        let (sign, least, most) = repetition
        return RandomPattern(
            ours: "\(opening)\(one.ours))\(sign)", theirs: "(?:\(one.theirs))\(sign)",
            ends: { text, start in
                var current: Set<Int> = [start]
                var all: Set<Int> = least == 0 ? [start] : []
                // More rounds than there are places lead nowhere else.
                for round in 1...max(1, most ?? least + text.count + 1) where most != 0 {
                    current = current.reduce(into: []) { $0.formUnion(one.ends(text, $1)) }
                    if round >= least { all.formUnion(current) }
                }
                return all
            },
            isNullable: one.isNullable || least == 0, repeatsNothing: one.repeatsNothing || one.isNullable)
    }

    // MARK: What is composed

    private static func atom(
        _ ours: String, _ theirs: String? = nil, _ holds: @escaping @Sendable (Unicode.Scalar) -> Bool
    ) -> RandomPattern {
        RandomPattern(ours: ours, theirs: theirs ?? ours, ends: { $1 < $0.count && holds($0[$1]) ? [$1 + 1] : [] })
    }

    private static func place(_ ours: String, _ theirs: String, _ holds: @escaping @Sendable (Text, Int) -> Bool)
        -> RandomPattern
    {
        RandomPattern(ours: ours, theirs: theirs, ends: { holds($0, $1) ? [$1] : [] }, isNullable: true)
    }

    @Sendable private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    @Sendable private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }
    @Sendable private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\n" }
    @Sendable private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }
    @Sendable private static func isBoundary(_ text: Text, _ place: Int) -> Bool {
        (place > 0 && isWord(text[place - 1])) != (place < text.count && isWord(text[place]))
    }

    private static let word = "[A-Za-z0-9_]"
    private static let places = [
        place("^", "\\A") { $1 == 0 }, place("$", "\\z") { $1 == $0.count },
        place("\\b", "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))", isBoundary),
        place("\\B", "(?:(?<=\(word))(?=\(word))|(?<!\(word))(?!\(word)))") { !isBoundary($0, $1) },
    ]
    private static let atoms = [
        atom("a") { $0 == "a" }, atom("b") { $0 == "b" }, atom("c") { $0 == "c" }, atom("A") { $0 == "A" },
        atom("é") { $0 == "é" },
        atom("🧾") { $0 == "🧾" }, atom("\\n") { $0 == "\n" }, atom("\\-") { $0 == "-" }, atom("\\x61") { $0 == "a" },
        atom("\\u{1F9FE}", "\\x{1F9FE}") { $0 == "🧾" }, atom(".", "[^\\n\\r\\u2028\\u2029]") { $0 != "\n" },
        atom("\\d", "[0-9]", isDigit), atom("\\D", "[^0-9]") { !isDigit($0) }, atom("\\w", word, isWord),
        atom("\\W", "[^A-Za-z0-9_]") { !isWord($0) },
        atom("\\s", "[ \\n]", isSpace), atom("\\S", "[^ \\n]") { !isSpace($0) },
        atom("[abc]") { "abc".unicodeScalars.contains($0) },
        atom("[^abc]") { !"abc".unicodeScalars.contains($0) },
        atom("[a-c0-9]") { isDigit($0) || ("a"..."c").contains($0) },
        atom("[^a-c\\s]", "[^a-c \\n]") { !isSpace($0) && !("a"..."c").contains($0) },
        atom("[\\w-]", "[A-Za-z0-9_\\-]") { isWord($0) || $0 == "-" },
        atom("[^\\W0]", "[A-Za-z1-9_]") { isWord($0) && $0 != "0" },
        atom("[\\D1]", "[^023456789]") { !isDigit($0) || $0 == "1" },
        atom("\\p{L}", nil, isLetter), atom("\\P{Lu}") { !$0.properties.isUppercase },
        atom("[\\p{Lu}\\p{So}]") { $0 == "A" || $0 == "🧾" },
        atom("[^\\p{L}b]") { !isLetter($0) }, atom("[é-🧾]") { ("é"..."🧾").contains($0) },
    ]
}
