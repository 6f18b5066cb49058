import Diagnostics

/// One way to recognize an error or an outcome; all that it names must hold.
package struct Condition: Sendable {
    /// Ways in which the transport failed; any of them.
    package var transport: [Located<TransportKind>] = []
    /// HTTP statuses; any of them.
    package var statuses: [Located<ClosedRange<Int>>] = []
    /// The envelope's codes; any of them.
    package var codes: [Located<CodeMatch>] = []
    /// Values in the body, by path; all of them, compared as text.
    package var body: [BodyMatch] = []
    package var range: SourceRange

    package struct BodyMatch: Sendable {
        package var path: Located<FieldPath>
        package var text: Located<String>

        package init(path: Located<FieldPath>, text: Located<String>) {
            self.path = path
            self.text = text
        }
    }

    package init(range: SourceRange) {
        self.range = range
    }
}

/// A value that the code of the envelope is compared with.
package enum CodeMatch: Sendable, Hashable {
    case text(String)
    /// Any whole number of the range, however it is written: `4010` and `04010`.
    case range(ClosedRange<Int>)

    /// Whether a code is this one. The runtime's `CodeSet` gives the same result.
    package func matches(_ code: String) -> Bool {
        switch self {
        case .text(let text): text == code
        case .range(let range): Int(code).map(range.contains) ?? false
        }
    }

    package var isRange: Bool {
        if case .range = self { true } else { false }
    }

    /// The spelling of the contract language.
    package var spelling: String {
        switch self {
        case .text(let text): text
        case .range(let range): "\(range.lowerBound)..\(range.upperBound)"
        }
    }

    /// A code that it matches.
    package var example: String {
        switch self {
        case .text(let text): text
        case .range(let range): String(range.lowerBound)
        }
    }

    /// The numbers that it covers; nil for a text that isn't a whole number.
    package var numbers: ClosedRange<Int>? {
        switch self {
        case .text(let text): Int(text).map { $0...$0 }
        case .range(let range): range
        }
    }

    /// A code that both lists match; nil if no such code exists.
    package static func shared(_ one: [CodeMatch], _ other: [CodeMatch]) -> String? {
        let texts = Set(other.compactMap { if case .text(let text) = $0 { text } else { nil } })
        for case .text(let text) in one where texts.contains(text) { return text }
        return sharedNumber(one, other) ?? sharedNumber(other, one)
    }

    /// A number of a range of the first list that the second list has, too. Walks both in their order.
    private static func sharedNumber(_ ranges: [CodeMatch], _ codes: [CodeMatch]) -> String? {
        let ranges = ranges.compactMap { if case .range(let range) = $0 { range } else { nil } }.sorted {
            $0.lowerBound < $1.lowerBound
        }
        guard !ranges.isEmpty else { return nil }
        let others = codes.compactMap { code in code.numbers.map { (numbers: $0, code: code) } }.sorted {
            $0.numbers.lowerBound < $1.numbers.lowerBound
        }
        var (left, right) = (0, 0)
        while left < ranges.count, right < others.count {
            let (range, other) = (ranges[left], others[right])
            if range.upperBound < other.numbers.lowerBound {
                left += 1
            } else if other.numbers.upperBound < range.lowerBound {
                right += 1
            } else if case .text(let text) = other.code {
                return text
            } else {
                return String(max(range.lowerBound, other.numbers.lowerBound))
            }
        }
        return nil
    }
}

/// How a transport can fail.
package enum TransportKind: String, Sendable, CaseIterable {
    case offline, dns, refused, lost, timeout, tls, authentication
}

/// A path of keys into a JSON document: `error.code`.
package struct FieldPath: Sendable, Hashable, Comparable {
    package var keys: [String]

    package init(_ keys: [String]) {
        self.keys = keys
    }

    package var text: String { keys.joined(separator: ".") }

    package static func < (left: FieldPath, right: FieldPath) -> Bool { left.text < right.text }

    /// Two of the paths, one of which leads through the value of the other. No document has both.
    package static func contradiction(among paths: [FieldPath]) -> (value: FieldPath, deeper: FieldPath)? {
        guard paths.count > 1 else { return nil }
        let known = Set(paths)
        for deeper in paths where deeper.keys.count > 1 {
            for length in 1..<deeper.keys.count {
                let path = FieldPath(Array(deeper.keys.prefix(length)))
                if known.contains(path) { return (path, deeper) }
            }
        }
        return nil
    }
}
