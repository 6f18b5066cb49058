import ContractModel

/// Texts within the constraints of a contract, made from the names of their fields.
enum SampleText {
    private static let people = [
        "Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth",
        "Katherine Johnson", "Dennis Ritchie", "Radia Perlman", "Ken Thompson", "Frances Allen", "Tony Hoare",
    ]
    private static let places = ["London", "Oslo", "Kyoto", "Lisbon", "Quito", "Nairobi", "Riga", "Perth"]
    private static let sentences = [
        "The train is late.", "See you tomorrow at eight.", "Everything has arrived.", "Please bring the blue one.",
        "This is a longer text, so that a line may have to break.",
    ]

    static func text(
        _ constraints: [Constraints], named name: String, isIdentity: Bool, _ number: Int, _ random: inout SeededRandom
    ) -> String {
        let bounds = CountBounds(constraints.compactMap(\.length?.value))
        let patterns = constraints.compactMap(\.pattern?.value)
        if let pattern = patterns.first {
            var choice = random
            let sample = PatternText.sample(of: pattern, ofAtLeast: bounds.least) { count in
                Int.random(in: 0..<max(1, count), using: &choice)
            }
            random = choice
            if let sample, fits(sample, constraints) { return sample }
        }
        let text = fitted(isIdentity ? "\(slug(name))-\(number)" : words(name, &random), bounds)
        return text
    }

    private static func fits(_ text: String, _ constraints: [Constraints]) -> Bool {
        var trial = ConstraintTrial()
        return constraints.allSatisfy { trial.problem(ofText: text, $0) == nil }
    }

    /// The text, cut or repeated until its length is within the bounds.
    private static func fitted(_ text: String, _ bounds: CountBounds) -> String {
        var fitted = text.isEmpty ? "text" : text
        while fitted.count < bounds.least { fitted += " " + text }
        let wanted = bounds.clamp(fitted.count)
        fitted = String(fitted.prefix(wanted))
        // A blank at the end is lost where texts are trimmed.
        if fitted.last == " " { fitted = fitted.dropLast() + "." }
        return fitted
    }

    private static func words(_ name: String, _ random: inout SeededRandom) -> String {
        let number = Int.random(in: 1...99, using: &random)
        let word = name.lowercased()
        func has(_ parts: String...) -> Bool { parts.contains { word.contains($0) } }
        if has("email") { return "person\(number)@example.com" }
        if has("phone", "mobile") { return "+1555010\(number < 10 ? "0" : "")\(number)" }
        if has("token", "secret") { return "sample-\(slug(name))-\(number)" }
        if has("owner", "author", "person", "username", "displayname", "fullname") || word == "name" {
            return people.randomElement(using: &random) ?? ""
        }
        if has("city", "place", "town") { return places.randomElement(using: &random) ?? "" }
        if has("currency") { return "EUR" }
        if has("country") { return "NO" }
        if has("language", "locale") { return "en" }
        if has("text", "message", "description", "comment", "note", "summary") {
            return sentences.randomElement(using: &random) ?? ""
        }
        return "\(spaced(name)) \(number)"
    }

    /// `lastDigits` as `last digits`, and `userID` as `user id`.
    private static func spaced(_ name: String) -> String {
        var text = ""
        var last: Character?
        for character in name {
            if character.isUppercase, last?.isLowercase == true { text += " " }
            last = character
            text += character == "_" || character == "-" ? " " : character.lowercased()
        }
        return text.isEmpty ? "text" : text
    }

    /// The name as a part of a URL.
    static func slug(_ name: String) -> String {
        let slug = spaced(name).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
        return slug.isEmpty ? "text" : slug
    }
}
