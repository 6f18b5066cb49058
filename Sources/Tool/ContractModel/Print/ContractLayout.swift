/// How the values of a mapping are laid out.
///
/// A new key of the language needs nothing here: its value is on one line if it fits.
final class ContractLayout: Sendable {
    enum Form: Sendable {
        /// On one line if it fits and is not nested deeply.
        case fitting
        /// On one line, however long.
        case line
        /// A line for each entry.
        case lines
        /// The fields of a payload have a line each. With the key, it is a long form, which is on one line if it has no `fields`.
        case payload(longForm: String)
        /// On one line if it fits, with a value in place of a list of one value.
        case condition
    }

    let form: Form
    /// The layout of some keys' values.
    private let keys: [String: ContractLayout]
    /// The layout of the other keys' values.
    private let others: ContractLayout?
    /// The places of the keys that do not keep their order: below 0 before the others, above 0 after them.
    private let places: [String: Int]
    /// The keys that only the long form has, if there is a short form whose keys are fields.
    private let marks: Set<String>
    /// Whether a blank line precedes each entry but the first.
    let isSpaced: Bool

    private init(
        _ form: Form, keys: [String: ContractLayout] = [:], others: ContractLayout? = nil, first: [String] = [],
        last: [String] = [], marks: Set<String> = [], isSpaced: Bool = false
    ) {
        self.form = form
        self.keys = keys
        self.others = others
        self.marks = marks
        self.isSpaced = isSpaced
        var places: [String: Int] = [:]
        for (position, key) in first.enumerated() { places[key] = position - first.count }
        for (position, key) in last.enumerated() { places[key] = position + 1 }
        self.places = places
    }

    /// Whether `fields` is a key of the language among these keys, and not a field that is called so.
    func hasFieldsBelow(_ keys: [String]) -> Bool {
        guard self.keys["fields"] != nil, keys.contains("fields") else { return false }
        guard case .payload(let mark) = form else { return true }
        let long: LongForm = mark == "encoding" ? .body : .response
        return keys.allSatisfy(long.mapping().allows) && long.marks.contains(where: keys.contains)
    }

    /// - Parameter hasFieldsBelow: Whether the key `fields` is one of the language.
    func layout(of key: String, hasFieldsBelow: Bool = false) -> ContractLayout {
        (key == "fields" && !hasFieldsBelow ? nil : keys[key]) ?? others ?? Self.fitting
    }

    /// The entries in the order of this layout.
    func ordered<Value>(_ pairs: [(key: String, value: Value)]) -> [(key: String, value: Value)] {
        guard !places.isEmpty, pairs.count > 1 else { return pairs }
        // Fields keep their order, whatever their names are.
        if !marks.isEmpty, !pairs.contains(where: { marks.contains($0.key) }) { return pairs }
        return pairs.enumerated().sorted { left, right in
            let (one, other) = (places[left.element.key] ?? 0, places[right.element.key] ?? 0)
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }

    // MARK: The layouts

    static let fitting = ContractLayout(.fitting)

    private static let field = ContractLayout(
        .fitting, keys: ["fields": ContractLayout(.lines), "example": ContractLayout(.line)],
        first: ["type", "fields", "wire", "const", "each", "default"],
        last: ["example", "deprecated", "doc"])
    private static let fields = ContractLayout(.lines, others: field)
    private static let data = ContractLayout(.payload(longForm: ""), others: field)
    private static let condition = ContractLayout(.condition)
    private static let error = ContractLayout(
        .lines, keys: ["data": data, "when": condition],
        first: ["doc", "deprecated", "swift", "category", "when", "applied"])
    private static let outcome = ContractLayout(
        .lines, keys: ["data": data, "when": condition], first: ["doc"])
    private static let union = ContractLayout(
        .lines,
        keys: ["cases": ContractLayout(.lines), "keys": ContractLayout(.lines), "kinds": ContractLayout(.lines)])
    private static let type = ContractLayout(
        .lines, keys: ["fields": fields, "union": union, "enum": fitting], others: field,
        first: ["doc", "deprecated", "swift"], marks: Set(TypeKeys.marks))
    private static let examples = ContractLayout(
        .lines, others: ContractLayout(.lines, others: ContractLayout(.line)))
    private static let endpoint = ContractLayout(
        .lines,
        keys: [
            "query": fields, "headers": fields, "cookies": fields,
            "body": ContractLayout(
                .payload(longForm: "encoding"), keys: ["fields": fields], others: field,
                first: ["encoding", "type", "contentType", "fields"], marks: ["encoding"]),
            "response": ContractLayout(
                .payload(longForm: "type"), keys: ["fields": fields, "headers": fields], others: field),
            "outcomes": ContractLayout(.lines, others: outcome), "examples": examples,
        ],
        first: ["doc", "deprecated", "swift"] + HTTPMethod.allCases.map(\.rawValue)
            + [
                "frame", "server", "group", "session", "credentials", "envelope", "query", "headers", "cookies", "body",
                "response",
                "delivery",
                "paginate",
                "effect",
            ],
        last: ["errors", "outcomes", "examples"])
    private static let event = ContractLayout(
        .lines, keys: ["data": data], first: ["doc", "deprecated", "swift", "frame"])
    private static let envelope = ContractLayout(.lines, first: ["data", "list", "error"])

    static let contract = ContractLayout(
        .lines,
        keys: [
            "servers": ContractLayout(.lines), "roles": ContractLayout(.lines),
            "common": ContractLayout(.lines, others: fields),
            "connection": ContractLayout(.lines), "session": ContractLayout(.lines),
            "credentials": ContractLayout(.lines), "signing": ContractLayout(.lines),
            "rateLimit": ContractLayout(.lines), "trust": ContractLayout(.lines), "gateways": ContractLayout(.lines),
            "groups": ContractLayout(.lines),
            "envelopes": ContractLayout(.lines, others: envelope), "errors": ContractLayout(.lines, others: error),
            "defaults": ContractLayout(.lines, last: ["naming", "reading", "errors"]),
            "types": ContractLayout(.lines, others: type),
            "endpoints": ContractLayout(.lines, others: endpoint, isSpaced: true),
            "events": ContractLayout(.lines, others: event),
        ], last: ["types", "groups", "endpoints", "events"])
}
