/// The candidate that `word` was most likely meant to be, or `nil` when none is near.
///
/// A candidate that differs only in case or in the separators of its words (`base_url`, `base-url`, `baseURL`) is always near.
/// Otherwise the distance counts inserted, deleted, replaced and swapped letters, and may be about a third of the longer word.
/// Among equally near candidates, the first in alphabetical order wins, so that a set always gives the same result. A word that
/// is itself a candidate gets no suggestion.
package func nearestSpelling(of word: String, among candidates: some Sequence<String>) -> String? {
    NearSpelling(of: word, among: candidates)?.candidate
}

/// The candidate that a word was most likely meant to be; see ``nearestSpelling(of:among:)``.
package struct NearSpelling: Sendable {
    package let candidate: String
    /// Whether nothing else can be meant: the two differ in case or joints alone, or by one letter of at least five, and no
    /// other candidate is near.
    package let isCertain: Bool

    package init?(of word: String, among candidates: some Sequence<String>) {
        let longestWorthComparing = 100
        let letters = Array(word.lowercased())
        guard !letters.isEmpty, letters.count <= longestWorthComparing else { return nil }
        let folded = foldedSpelling(letters)

        var best: (candidate: String, distance: Int)?
        var nextDistance = Int.max
        for candidate in candidates where !candidate.isEmpty {
            if candidate == word { return nil }
            if candidate == best?.candidate { continue }
            let other = Array(candidate.lowercased())
            let distance: Int
            if !folded.isEmpty, foldedSpelling(other) == folded {
                distance = 0
            } else {
                let limit = allowedDistance(letters.count, other.count)
                guard abs(letters.count - other.count) <= limit else { continue }
                distance = editDistance(letters, other)
                guard distance <= limit else { continue }
            }
            if let known = best, (known.distance, known.candidate) <= (distance, candidate) {
                nextDistance = min(nextDistance, distance)
                continue
            }
            nextDistance = min(nextDistance, best?.distance ?? .max)
            best = (candidate, distance)
        }
        guard let best else { return nil }
        candidate = best.candidate
        isCertain = best.distance == 0 ? nextDistance > 0 : best.distance == 1 && letters.count >= 5 && nextDistance > 2
    }

    /// The fix that writes the candidate in the place of the word.
    package func fix(at range: SourceRange) -> Fix {
        Fix(
            title: "write `\(candidate)`", applicability: isCertain ? .certain : .needsALook,
            edits: [Fix.Edit(replacing: range, with: candidate)])
    }
}

/// The letters without the marks that only join words.
private func foldedSpelling(_ letters: [Character]) -> [Character] {
    letters.filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "." }
}

/// One-letter words are never near each other, and two-letter words only by one letter (`it` for `id`).
private func allowedDistance(_ first: Int, _ second: Int) -> Int {
    let longer = max(first, second)
    return longer < 2 ? 0 : max(1, longer / 3)
}

/// Damerau–Levenshtein distance in its restricted form (optimal string alignment): a swap of neighbors counts one.
private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: second.count + 1)
    var previous = Array(0...second.count)
    var current = beforePrevious
    for row in 1...first.count {
        current[0] = row
        for column in 1...second.count {
            let replacement = previous[column - 1] + (first[row - 1] == second[column - 1] ? 0 : 1)
            var distance = min(replacement, previous[column] + 1, current[column - 1] + 1)
            if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                distance = min(distance, beforePrevious[column - 2] + 1)
            }
            current[column] = distance
        }
        (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[second.count]
}
