import Foundation
import TestSeeds

/// The language's meaning of an endpoint's responses: which error, outcome or success a response is. It is read only from the
/// tree of a contract, independently of the tool.
struct DecisionModel {
    /// A server's response, or the transport's failure instead.
    enum Answer {
        /// `left` is the value of the header `X-Left`.
        case response(status: Int, left: String?, body: Body)
        case transport(String)
    }

    enum Body {
        /// Scalars by path, in the text of JSON. A null is one of them.
        case object([String: String])
        /// A text that is not JSON, or an empty one.
        case other(String)
    }

    private struct Row {
        var name: String
        var transports: Set<String> = []
        var statuses: [ClosedRange<Int>] = []
        var codes: [String] = []
        var values: [(path: String, text: String)] = []
        var left: String?
        var text: String?

        /// Rows that name more come first, and among equals those with narrower patterns.
        var rank: [Int] {
            let patterns = values.map(\.text) + [left, text].compactMap { $0 }
            return [
                values.count, text == nil ? 0 : 1, left == nil ? 0 : 1, codes.isEmpty ? 0 : 1, statuses.isEmpty ? 0 : 1,
                patterns.map(Self.narrowness).reduce(0, +),
            ]
        }

        private static func narrowness(_ pattern: String) -> Int {
            let stars = (pattern.hasPrefix("*") ? 1 : 0) + (pattern.count > 1 && pattern.hasSuffix("*") ? 1 : 0)
            return stars == 0 ? 1_000 : 10 * (pattern.count - stars) + (stars == 1 && pattern.count > 1 ? 1 : 0)
        }
    }

    private var rows: [Row] = []
    private let dataPath: String?
    private let codePath: String?
    private let errorPath: String?
    private let successCodes: [String]
    private let usesSession: Bool
    private let hasOutcomes: Bool
    private let isHead: Bool

    /// The model of the endpoint `ask`.
    init?(_ root: ContractNode) {
        guard let endpoint = root["endpoints"]?["ask"], let envelope = root["envelopes"]?["standard"] else {
            return nil
        }
        dataPath = envelope["data"]?.plain
        codePath = envelope["code"]?.plain
        errorPath = envelope["error"]?.plain
        successCodes = envelope["success"]?.elements.map(\.plain) ?? []
        usesSession = root["session"] != nil && endpoint["session"]?.plain != "none"
        isHead = endpoint["head"] != nil
        hasOutcomes = endpoint["outcomes"] != nil
        let own = endpoint["errors"]?.elements.map(\.plain) ?? []
        let shared = (root["defaults"]?["errors"]?.elements.map(\.plain) ?? []).filter { name in
            usesSession || root["errors"]?[name]?["category"]?.plain != "requiresLogout"
        }
        for name in Set(own + shared).sorted() {
            for condition in root["errors"]?[name]?["when"]?.elements ?? [] { rows.append(Self.row(name, condition)) }
        }
        if case .mapping(let outcomes)? = endpoint["outcomes"] {
            for outcome in outcomes {
                for condition in outcome.value["when"]?.elements ?? [] { rows.append(Self.row(outcome.key, condition)) }
            }
        }
        rows.sort { $1.rank.lexicographicallyPrecedes($0.rank) }
    }

    private static func row(_ name: String, _ condition: ContractNode) -> Row {
        var row = Row(name: name)
        row.transports = Set(condition["transport"]?.elements.map(\.plain) ?? [])
        row.statuses = condition["status"]?.elements.compactMap { range($0.plain) } ?? []
        row.codes = condition["code"]?.elements.map(\.plain) ?? []
        if case .mapping(let values)? = condition["body"] { row.values = values.map { ($0.key, $0.value.plain) } }
        row.left = condition["header"]?["X-Left"]?.plain
        row.text = condition["text"]?.plain
        return row
    }

    private static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: ".").compactMap { Int($0) }
        guard let low = ends.first, let high = ends.last, low <= high else { return nil }
        return low...high
    }

    // MARK: Answers

    /// The name of a response's meaning.
    func meaning(of answer: Answer) -> String {
        switch answer {
        case .transport(let kind):
            return rows.first { $0.transports.contains(kind) }?.name ?? Self.builtIn(transport: kind)
        // The place that it leads to has another response.
        case .response(let status, _, _) where isFollowed(status): return meaning(of: Self.moved)
        case .response(let status, let left, let body):
            let code = codePath.flatMap { text(at: $0, in: body) }
            let row = rows.first { row in
                row.transports.isEmpty
                    && (row.statuses.isEmpty || row.statuses.contains { $0.contains(status) })
                    && (row.codes.isEmpty || code.map { Self.is($0, among: row.codes) } ?? false)
                    && row.values.allSatisfy { Self.fits(text(at: $0.path, in: body), $0.text) }
                    && row.left.map { Self.fits(left, $0) } ?? true
                    && row.text.map { Self.fits(Self.plainText(body), $0) } ?? true
            }
            return row?.name ?? (200...299 ~= status ? success(code, body) : builtIn(status: status))
        }
    }

    /// The response of the place that each redirect leads to.
    static let moved = Answer.response(status: 418, left: nil, body: .other(""))

    /// The text of a body that is not JSON; nil without one.
    private static func plainText(_ body: Body) -> String? {
        guard case .other(let text) = body else { return nil }
        let words = text.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    /// A star at an end of a pattern stands for anything.
    private static func fits(_ text: String?, _ pattern: String) -> Bool {
        guard let text else { return false }
        let wanted = pattern.split(separator: "*").first.map(String.init) ?? ""
        switch (pattern.hasPrefix("*"), pattern.hasSuffix("*")) {
        case (false, false): return text == pattern
        case (false, true): return text.hasPrefix(wanted)
        case (true, false): return text.hasSuffix(wanted)
        case (true, true): return wanted.isEmpty || text.contains(wanted)
        }
    }

    /// Whether a redirect is followed: a read's, unless a row names its status, whatever else the row names.
    private func isFollowed(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
            && !rows.contains { $0.statuses.contains { $0.contains(status) } }
    }

    private func success(_ code: String?, _ body: Body) -> String {
        if let errorPath, isPresent(errorPath, in: body) { return "rejected" }
        if !successCodes.isEmpty {
            guard let code else { return "malformed" }
            guard Self.is(code, among: successCodes) else { return "rejected" }
        }
        // It has no payload.
        if isHead { return hasOutcomes ? "completed" : "success" }
        guard let dataPath, case .object(let values) = body, let data = values[dataPath], Int(data) != nil else {
            return "malformed"
        }
        return hasOutcomes ? "completed" : "success"
    }

    private func builtIn(status: Int) -> String {
        switch status {
        case 401: usesSession ? "unauthenticated" : "rejected"
        case 408: "requestTimeout"
        case 429: "throttled"
        case 502, 503, 504: "unavailable"
        case 400...499: "rejected"
        case 500...: "serverFault"
        default: "malformed"
        }
    }

    private static func builtIn(transport kind: String) -> String {
        switch kind {
        case "dns", "refused": "unreachable"
        case "lost": "connectionLost"
        case "timeout": "timedOut"
        default: "insecure"
        }
    }

    /// Codes compare as text; a range takes its integers however they are written.
    private static func `is`(_ code: String, among codes: [String]) -> Bool {
        codes.contains { wanted in
            if wanted == code { return true }
            guard wanted.contains(".."), let range = range(wanted), let number = Int(code) else { return false }
            return range.contains(number)
        }
    }

    /// The text of a scalar. A null is not one.
    private func text(at path: String, in body: Body) -> String? {
        guard case .object(let values) = body, let value = values[path], value != "null" else { return nil }
        return value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value
    }

    /// Whether there is anything at a path but null.
    private func isPresent(_ path: String, in body: Body) -> Bool {
        guard case .object(let values) = body else { return false }
        return values.contains {
            $0.key.hasPrefix(path + ".") || ($0.key == path && !["null", "[]"].contains($0.value))
        }
    }

    // MARK: Questions

    /// A response near the boundaries of the table's rows.
    func answer(_ random: inout SeededGenerator) -> Answer {
        if random.happens(80) { return .transport(random.pick(["dns", "refused", "lost", "timeout", "tls"])) }
        let edges = rows.flatMap(\.statuses).flatMap {
            [$0.lowerBound - 1, $0.lowerBound, $0.upperBound, $0.upperBound + 1]
        }
        let usual = [
            200, 200, 200, 201, 202, 299, 301, 302, 303, 307, 308, 400, 401, 404, 408, 409, 429, 499, 500, 502, 503,
            504, 599,
        ]
        var status = random.pick(random.happens(500) && !edges.isEmpty ? edges : usual)
        if !(200...599).contains(status) { status = 200 }
        // With many rows, few answers are successes by chance.
        if let dataPath, !isHead, random.happens(60) {
            var values = [dataPath: "7"]
            if let codePath, let code = successCodes.first { values[codePath] = code }
            return .response(status: 200, left: nil, body: .object(values))
        }
        let isLimited = rows.contains { $0.left != nil }
        let left = random.happens(isLimited ? 600 : 50) ? random.pick(["0", "1", "12", "none"]) : nil
        if isHead || [204, 205, 304].contains(status) {
            return .response(status: status, left: left, body: .other(""))
        }
        if random.happens(rows.contains { $0.text != nil } ? 400 : 40) {
            let texts = ["", "busy", "{", "[1", "all busy", " busy now ", "too busy now"]
            return .response(status: status, left: left, body: .other(random.pick(texts)))
        }
        var values: [String: String] = [:]
        if let dataPath, random.happens(850) { values[dataPath] = random.happens(900) ? "7" : "\"seven\"" }
        // What one row names as a whole, so that rows of many keys are met, and then some of what others name.
        if let row = rows.filter({ !$0.values.isEmpty }).randomElement(using: &random), random.happens(600) {
            for value in row.values { values[value.path] = literal(Self.filled(value.text, &random), &random) }
            if let first = row.statuses.first, random.happens(700) { status = first.lowerBound }
            if let codePath, let code = row.codes.first { values[codePath] = literal(near(code, &random), &random) }
        }
        for value in rows.flatMap(\.values) where random.happens(150) {
            values[value.path] = literal(random.happens(700) ? Self.filled(value.text, &random) : "other", &random)
        }
        if let codePath, values[codePath] == nil, random.happens(750) {
            let codes = rows.flatMap(\.codes) + successCodes + successCodes
            values[codePath] =
                random.happens(60) ? "null" : literal(near(codes.isEmpty ? "1" : random.pick(codes), &random), &random)
        }
        if let errorPath, !values.keys.contains(where: { $0.hasPrefix(errorPath) }), random.happens(200) {
            values[errorPath] = random.pick(["null", "\"oops\"", "0", "false", "[]", "[1]"])
        }
        return .response(status: status, left: left, body: .object(values))
    }

    /// A text that a pattern takes.
    private static func filled(_ pattern: String, _ random: inout SeededGenerator) -> String {
        pattern.replacingOccurrences(of: "*", with: random.pick(["", "x", "re"]))
    }

    /// The code itself, or one beside it.
    private func near(_ code: String, _ random: inout SeededGenerator) -> String {
        guard let range = Self.range(code) else { return code }
        return random.pick([
            "\(range.lowerBound)", "\(range.upperBound)", "\(range.lowerBound - 1)", "\(range.upperBound + 1)",
            "0\(range.lowerBound)", "\(range.lowerBound)",
        ])
    }

    /// A number as a number or as a text, which is the same to a table.
    private func literal(_ text: String, _ random: inout SeededGenerator) -> String {
        let isNumber = Int(text).map { String($0) == text } ?? false
        return (isNumber && random.happens(500)) || text == "true" ? text : "\"\(text)\""
    }
}

extension DecisionModel.Body {
    /// The text that is sent.
    var text: String {
        switch self {
        case .other(let text): text
        case .object(let values): Self.object(values.map { ($0.key.split(separator: ".")[...], $0.value) })
        }
    }

    private static func object(_ values: [(path: ArraySlice<Substring>, value: String)]) -> String {
        let groups = Dictionary(grouping: values) { $0.path.first ?? "" }
        let parts = groups.sorted { $0.key < $1.key }.map { key, values in
            let inner = values.filter { $0.path.count > 1 }.map { ($0.path.dropFirst(), $0.value) }
            return "\"\(key)\":" + (inner.isEmpty ? values.first?.value ?? "null" : object(inner))
        }
        return "{\(parts.joined(separator: ","))}"
    }
}

extension ContractNode {
    /// A scalar's text.
    fileprivate var plain: String {
        switch self {
        case .text(let text), .word(let text): text
        case .list, .mapping: ""
        }
    }

    /// The elements of a list, or the one value that is written without brackets.
    fileprivate var elements: [ContractNode] {
        if case .list(let elements) = self { elements } else { [self] }
    }
}
