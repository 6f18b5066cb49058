import Diagnostics
import YAMLTree

/// The keys of the conditions of errors and outcomes.
package enum ConditionKeys {
    private typealias Key = LanguageKey<Condition>

    package static let condition = LanguageMapping<Condition>(
        "condition", "a condition", [transport, close, status, code, header, text, body],
        rules: [
            .atLeastOne(["transport", "close"] + ofResponses).explained(
                .emptyCondition, missing: "an empty condition would match every response",
                add:
                    "name a `status`, a `code`, a `header`, a `text`, a `body` value, a `transport` failure or a `close` code"
            ),
            .excludes("transport", ["close"] + ofResponses).explained(
                conflict: "if the transport failed, there is no response to check",
                remove: "write two conditions in a list: `[{transport: lost}, {status: 503}]`"),
            .excludes("close", ofResponses).explained(
                conflict: "if the connection was closed, there is no response to check",
                remove: "write two conditions in a list: `[{close: 1012}, {code: 503}]`"),
            textWithoutJSON,
        ])

    fileprivate static let ofResponses = ["status", "code", "header", "text", "body"]
    private static let textWithoutJSON = KeyRule.excludes("text", ["code", "body"]).explained(
        conflict: "a body with a code or a value is JSON, and `text` is that of a body that is none",
        remove: "write two conditions in a list: `[{text: \"*busy*\"}, {code: busy}]`")

    /// An outcome is a response of the server, so its conditions don't include failures of the transport.
    static let outcomeCondition = LanguageMapping<Condition>(
        "outcomeCondition", "a condition of an outcome", [status, code, header, text, body],
        rules: [
            .atLeastOne(ofResponses).explained(
                .emptyCondition, missing: "an empty condition would match every response",
                add: "name a `status`, a `code`, a `header`, a `text` or a `body` value"),
            textWithoutJSON,
        ])

    private static let transport = Key(
        list: "transport", \.transport, .word(of: TransportFaultKind.declarable),
        "failure of the transport: `offline`, `dns`, `refused`, `lost`, `timeout`, `tls`, `authentication`",
        atLeast: 1)
    private static let close = Key(
        list: "close", \.close, .closeCode,
        "code with which the connection was closed: `1012`, `[1012, 1013]` or `4000..4099`", atLeast: 1)
    private static let status = Key(
        list: "status", \.statuses, .status, "HTTP status: `503`, `[502, 503]` or `500..599`", atLeast: 1)
    private static let code = Key(
        list: "code", \.codes, .code, "the envelope's code: `4010`, `[4010, 4012]` or `4010..4019`", atLeast: 1)
    private static let header = Key(
        "header", \.headers,
        .named(
            .text, .headerName, atLeast: 1,
            read: { decoder, name, node in
                guard decoder.isHeaderName(name),
                    let text = decoder.text(node, "the value of the header \(quoted(name.value))"),
                    decoder.isHeaderValue(text), decoder.isComparable(text)
                else { return nil }
                return Condition.HeaderMatch(name: name, text: text)
            }, name: { $0.name.value }, write: { match, _ in .text(match.text.value) }),
        "name of a header → its value: `\"0\"`, or `\"api-*\"` with a star for any text at an end")
    private static let text = Key(
        "text", \.text, .plainText,
        "text of a body that is no JSON: `\"*connection failure*\"`, with a star for any text at an end")
    private static let body = Key(
        "body", \.body,
        .named(
            .text, .path, atLeast: 1,
            read: { decoder, name, node in
                guard let path = decoder.path(name),
                    let text = decoder.text(node, "the value at \(quoted(name.value))")
                else { return nil }
                return Condition.BodyMatch(path: path, text: text)
            }, name: { $0.path.value.text }, write: { match, _ in .text(match.text.value) }),
        "path → value that the body has there: `busy`, or `\"quota*\"` with a star for any text at an end")
}

extension Codec where Value == [Condition] {
    /// One condition, or a list of alternatives.
    static func conditions(_ mapping: LanguageMapping<Condition> = ConditionKeys.condition) -> Codec {
        Codec(
            .oneOrMore(.mapping { mapping.description }, atLeast: 1),
            read: { decoder, node, _ in Located(decoder.conditions(node, as: mapping), at: node.range) },
            writeIn: { conditions, scope in
                let printed = conditions.map { PrintedNode.mapping(mapping.pairs(of: $0, scope)) }
                return printed.count == 1 ? printed[0] : .list(printed)
            })
    }
}

extension Codec where Value == String {
    /// The text of a body that is no JSON.
    fileprivate static var plainText: Codec {
        Codec(
            scalar: .form(.nonEmpty),
            read: { decoder, text, _ in decoder.isComparable(text) && decoder.isPlainText(text) ? text : nil },
            write: { .text($0) })
    }
}

extension Codec where Value == ClosedRange<Int> {
    /// `1012`, or `4000..4099`.
    fileprivate static var closeCode: Codec {
        Codec(
            scalar: .form(.closeCode), read: { decoder, text, _ in decoder.closeCode(text) },
            write: { .text($0.spelling) })
    }

    /// `503`, or `500..599`.
    fileprivate static var status: Codec {
        Codec(
            scalar: .form(.status), read: { decoder, text, _ in decoder.status(text) },
            write: { .text($0.spelling) })
    }
}

extension ContractDecoder {
    fileprivate mutating func conditions(
        _ node: YAMLNode, as mapping: LanguageMapping<Condition>
    ) -> [Condition] {
        guard let sequence = node.sequence else { return condition(node, mapping).map { [$0] } ?? [] }
        if sequence.isEmpty {
            report(
                .emptyCondition, "`when` is an empty list, which matches no response", at: node.range,
                help: "write `when: {status: 409}` or `when: {code: …}`")
        }
        return sequence.compactMap { condition($0, mapping) }
    }

    /// Whether a text without blanks around it can match; reports it if not.
    fileprivate mutating func isComparable(_ text: Located<String>) -> Bool {
        let pattern = TextPattern(text.value)
        let blanks: Set<Character> = [" ", "\t", "\n"]
        let isPadded =
            !pattern.isOpenBefore && pattern.literal.first.map(blanks.contains) ?? false
            || !pattern.isOpenAfter && pattern.literal.last.map(blanks.contains) ?? false
        if isPadded {
            report(
                .invalidValue, "\(quoted(text.value)) has a blank at an end, and is compared with texts that have none",
                at: text.range, help: "remove the blank, or write a star in its place")
        }
        return !isPadded
    }

    /// Whether a body that is no JSON can be this text; reports it if not.
    fileprivate mutating func isPlainText(_ text: Located<String>) -> Bool {
        let pattern = TextPattern(text.value)
        let isNumber = Double(pattern.literal) != nil && pattern.literal.first.map { $0.isNumber || $0 == "-" } ?? false
        let isJSON =
            pattern.isExact && (isNumber || ["", "true", "false", "null", "{}", "[]"].contains(pattern.literal))
        if isJSON {
            report(
                .invalidValue,
                text.value.isEmpty
                    ? "`text` is empty" : "\(quoted(text.value)) is JSON, and `text` is that of a body that is none",
                at: text.range, help: "write words of the text, such as `\"*connection failure*\"`")
        }
        return !isJSON
    }

    private mutating func condition(_ node: YAMLNode, _ mapping: LanguageMapping<Condition>) -> Condition? {
        if let empty = node.mapping?.first(where: {
            $0.value.sequence?.isEmpty == true || $0.value.mapping?.isEmpty == true
        }) {
            guard open(node, as: mapping.description) != nil else { return nil }
            report(
                .emptyCondition, "\(quoted(empty.key.text ?? "")) has no values",
                at: empty.value.range, help: "write a value, or remove the key")
            return nil
        }
        var condition = Condition(range: node.range)
        guard read(node, as: mapping, into: &condition) else { return nil }
        var names = Set<String>()
        for header in condition.headers where !names.insert(header.name.value.lowercased()).inserted {
            report(
                .invalidHeader, "the condition names the header \(quoted(header.name.value)) twice",
                at: header.name.range,
                help: "name it once; letter case makes no other header")
            return nil
        }
        if !condition.transport.isEmpty || !condition.close.isEmpty {
            // The rules of the mapping have reported keys that need a response.
            if !condition.transport.isEmpty, !condition.close.isEmpty { return nil }
            return ConditionKeys.ofResponses.contains { node.mapping?[$0] != nil } ? nil : condition
        }
        return condition.statuses.isEmpty && condition.isOfStatusAlone ? nil : condition
    }

    /// An integer or a range of them, `500..599`; nil for other texts, and for what is not within the bounds.
    private static func range(_ text: String, within bounds: ClosedRange<Int>) -> ClosedRange<Int>? {
        let parts = NumberText.ends(of: text)
        let numbers = parts.compactMap { NumberText.integer($0) }
        guard numbers.count == parts.count, let low = numbers.first, let high = numbers.last, low <= high,
            bounds.contains(low), bounds.contains(high)
        else { return nil }
        return low...high
    }

    /// `503`, or `500..599`.
    fileprivate mutating func status(_ text: Located<String>) -> Located<ClosedRange<Int>>? {
        guard let statuses = Self.range(text.value, within: 100...999) else {
            report(
                .invalidValue, "\(quoted(text.value)) is not an HTTP status", at: text.range,
                help: "write `503`, `[502, 503]` or `500..599`")
            return nil
        }
        return text.map { _ in statuses }
    }

    /// `1012`, or `4000..4099`.
    fileprivate mutating func closeCode(_ text: Located<String>) -> Located<ClosedRange<Int>>? {
        guard let codes = Self.range(text.value, within: 1000...4999) else {
            report(
                .invalidValue, "\(quoted(text.value)) is not a code of a closed connection", at: text.range,
                help: "write a number from 1000 to 4999, `1012`, or a range, `4000..4099`")
            return nil
        }
        guard codes.allSatisfy({ CloseCode(rawValue: UInt16($0)).isSendable }) else {
            report(
                .closeCodeReserved, "no server closes a connection with \(quoted(text.value))", at: text.range,
                help: Condition.helpForReservedClose(codes))
            return nil
        }
        return text.map { _ in codes }
    }

    /// Reads `900005`, or a range of integers: `4010..4019`. A text with `..` that isn't a range is reported, because no
    /// response has such a code.
    mutating func code(_ text: Located<String>) -> Located<CodeMatch>? {
        guard text.value.contains("..") else {
            return reportNoCode(text) ? nil : text.map { .text($0) }
        }
        let ends = NumberText.ends(of: text.value).map { NumberText.integer($0) }
        guard ends.count == 2, let low = ends[0], let high = ends[1] else {
            report(
                .invalidValue, "\(quoted(text.value)) is not a range of codes", at: text.range,
                help: "write both ends as integers: `4010..4019`")
            return nil
        }
        guard low <= high else {
            report(
                .invalidValue, "the range \(quoted(text.value)) is empty, because it begins above its end",
                at: text.range,
                help: "write the smaller number first: `\(high)..\(low)`")
            return nil
        }
        return text.map { _ in .range(low...high) }
    }

    /// Reports a text that is meant as a range of codes or as the place of the code, and that no response has as its code.
    private mutating func reportNoCode(_ text: Located<String>) -> Bool {
        if text.value.hasPrefix("$.") {
            report(
                .invalidValue, "\(quoted(text.value)) is a path, and not the code that a response has there",
                at: text.range,
                help: "write the value of the code here, and its path as `code` of the envelope")
            return true
        }
        let ends = text.value.split(separator: "-", omittingEmptySubsequences: false).map {
            NumberText.integer(String($0))
        }
        guard ends.count == 2, let low = ends[0], let high = ends[1], low < high, "\(low)".count == "\(high)".count
        else {
            return false
        }
        report(
            .invalidValue, "\(quoted(text.value)) is a text, and not a range of codes", at: text.range,
            help: "write `\(low)..\(high)`; if it is one code, name it as a `body` value",
            fix: Fix(
                title: "write `\(low)..\(high)`", applicability: .needsALook,
                edits: [Fix.Edit(replacing: text.range, with: "\(low)..\(high)")]))
        return true
    }
}
