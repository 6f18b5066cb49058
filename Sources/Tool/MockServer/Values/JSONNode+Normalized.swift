import JSONTree

extension JSONNode {
    /// The value as all others have it that mean the same: members in the order of their names, and numbers without what changes nothing.
    var normalized: JSONNode {
        switch self {
        case .object(let members):
            .object(
                members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
                    Member($0.name, $0.value.normalized)
                })
        case .array(let elements): .array(elements.map(\.normalized))
        case .number(let text): .number(Self.normalized(number: text))
        case .null, .bool, .string: self
        }
    }

    /// `1500`, `1500.0` and `1.5E3` are `15e2`.
    private static func normalized(number text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        let halves = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...2).contains(halves.count),
            var exponent = parts.count == 1 ? 0 : Int(parts[1].drop { $0 == "+" }), abs(exponent) < 1_000_000_000
        else { return text }
        if halves.count == 2 { exponent -= halves[1].utf8.count }
        var digits = halves.joined().drop { $0 == "0" }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(digits)e\(exponent)"
    }
}
