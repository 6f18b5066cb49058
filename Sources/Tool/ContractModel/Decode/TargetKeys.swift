import Diagnostics
import YAMLTree

/// The keys that say where a request is sent, of which an endpoint has one: the methods, and `frame`.
///
/// `query` is one of them as well as the key of the query's fields. A text is the path of a QUERY request, and a mapping has the
/// fields. An endpoint can't have both, so a QUERY has no fields in its query.
enum TargetKeys {
    static let query = HTTPMethod.query.rawValue
    private static let frame = "frame"
    /// The one with two meanings is the last, so that another method counts before it.
    static let names = HTTPMethod.allCases.map(\.rawValue).filter { $0 != query } + [frame, query]

    static let group = LanguageKey<EndpointDefinition>(
        group: names.map(description), hasKeyword: true, isNeeded: true,
        read: { decoder, mapping, endpoint in
            if !decoder.hasText(query, mapping), let pair = decoder.pairWithValue(mapping, query) {
                endpoint.query = decoder.fields(pair.value, of: query)
            }
            guard let target = decoder.target(mapping) else { return false }
            endpoint.target = target
            return true
        },
        write: { endpoint, scope in
            let fields: [(key: String, value: PrintedNode)] =
                endpoint.query.isEmpty
                ? [] : [(query, Codec<[FieldDefinition]>.fields.write(endpoint.query, scope))]
            switch endpoint.target {
            case .http(let method, let path): return [(method.rawValue, .text(path.value.text))] + fields
            case .frame(let kind): return [(frame, kind.printed)] + fields
            }
        })

    private static func description(_ name: String) -> MappingDescription.Key {
        switch name {
        case frame:
            .optional(
                name, .either(.form(.frameKind), .mapping { ConnectionKeys.frame.description }),
                "kind of a frame of the connection, in place of a method and path; or `{name: info.query, reply: info.result}`"
            )
        case query:
            .optional(
                name, .either(.form(.target), .fields),
                "fields of the query; or the path of a QUERY request (RFC 10008), which has a body and only reads")
        default:
            .optional(
                name, .form(.target),
                "path of a \(name.uppercased()) request, with parameters as `{name}` or `{name:type}`")
        }
    }
}

extension PathTemplate {
    /// The path as a contract has it.
    package var text: String {
        switch self {
        case .wholeURL(let field): "{\(field.name.value):\(field.type.spelling)}"
        case .path(let parts):
            parts.map { part in
                switch part {
                case .text(let text): text
                case .parameter(let field):
                    field.type == .primitive(.string)
                        ? "{\(field.name.value)}" : "{\(field.name.value):\(field.type.spelling)}"
                }
            }.joined()
        }
    }
}

extension ContractDecoder {
    fileprivate mutating func target(_ mapping: YAMLMapping) -> EndpointDefinition.Target? {
        let names = TargetKeys.names.filter { $0 != TargetKeys.query || hasText($0, mapping) }
        // A misspelled method counts only if there is no other.
        let key = names.first { mapping[$0] != nil } ?? names.first { pair(mapping, $0) != nil }
        guard let key, let node = pairWithValue(mapping, key)?.value else { return nil }
        guard let method = HTTPMethod(rawValue: key) else { return frame(node).map { .frame($0) } }
        guard let text = text(node, "`\(key)`") else { return nil }
        return pathTemplate(text, node).map { .http(method, Located($0, at: text.range)) }
    }

    /// Characters that the name of a path parameter cannot have.
    private static let endsOfNames = Array(" =/?#&{\"'".utf8)

    /// `/users/{userID:int}/friends`, or `{imageURL:url}`.
    fileprivate mutating func pathTemplate(_ text: Located<String>, _ node: YAMLNode) -> PathTemplate? {
        var parts: [PathTemplate.Part] = []
        var rest = text.value[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            guard let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}")) else {
                report(
                    .invalidPath, "a `{` in \(quoted(text.value)) is not closed", at: text.range,
                    help: "write a parameter as `{name}` or `{name:type}`")
                return nil
            }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            guard let field = pathParameter(rest[rest.utf8.index(after: open)..<close], of: text.value, node) else {
                return nil
            }
            parts.append(.parameter(field))
            rest = rest[rest.utf8.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        if parts.count == 1, case .parameter(let field) = parts[0], field.type == .primitive(.url) {
            return .wholeURL(field)
        }
        return checkedPath(parts, text) ? .path(parts) : nil
    }

    private mutating func pathParameter(_ inner: Substring, of text: String, _ node: YAMLNode) -> FieldDefinition? {
        let start = text.utf8.distance(from: text.startIndex, to: inner.startIndex)
        let range = node.scalar?.range(ofValue: start..<(start + inner.utf8.count)) ?? node.range
        let colon = inner.utf8.firstIndex(of: UInt8(ascii: ":"))
        let name = String(inner[..<(colon ?? inner.endIndex)]).trimmingBlanks()
        guard !name.isEmpty else {
            report(.invalidPath, "a path parameter has no name", at: range, help: "write `{name}` or `{name:type}`")
            return nil
        }
        guard !name.utf8.contains(where: { Self.endsOfNames.contains($0) }) else {
            report(
                .invalidPath, "\(quoted(String(inner))) cannot be a path parameter", at: range,
                help: name.contains("=")
                    ? "only the variables of a server have a default; write `{name}` or `{name:type}`"
                    : "write `{name}` or `{name:type}`")
            return nil
        }
        guard let colon else {
            return FieldDefinition(name: Located(name, at: range), type: .primitive(.string), typeRange: range)
        }
        switch TypeText.read(String(inner[inner.utf8.index(after: colon)...]), locate: { _ in range }) {
        case .type(let type, nil):
            return FieldDefinition(name: Located(name, at: range), type: type, typeRange: range)
        case .type:
            report(
                .invalidDefault, "a path parameter cannot have a default", at: range,
                help: "remove the default, or make the parameter part of the query")
        case .failure(let message, let help, _):
            report(.invalidType, message, at: range, help: help)
        }
        return nil
    }

    private mutating func checkedPath(_ parts: [PathTemplate.Part], _ text: Located<String>) -> Bool {
        guard text.value.hasPrefix("/") else {
            report(
                .invalidPath, "the path \(quoted(text.value)) does not begin with `/`", at: text.range,
                help: "write `/\(text.value)`; a whole URL as parameter is written `\"{imageURL:url}\"`")
            return false
        }
        for case .text(let literal) in parts {
            if literal.utf8.contains(UInt8(ascii: "?")) || literal.utf8.contains(UInt8(ascii: "#")) {
                report(
                    .queryInPath, "the path \(quoted(text.value)) has a query or a fragment", at: text.range,
                    help: "declare its parameters under `query`")
                return false
            }
            if literal.unicodeScalars.contains(where: Self.isForbiddenInPaths) {
                report(
                    .invalidPath, "the path \(quoted(text.value)) has a character that paths cannot contain",
                    at: text.range,
                    help: "percent-encode it: a blank is `%20`")
                return false
            }
        }
        if text.value.utf8.contains(UInt8(ascii: ".")),
            text.value.split(separator: "/").contains(where: { $0 == ".." || $0 == "." })
        {
            report(
                .invalidPath, "the path \(quoted(text.value)) has `.` or `..` as a segment", at: text.range,
                help: "write the path without `.` and `..`")
            return false
        }
        return true
    }

    private static func isForbiddenInPaths(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "|", "}", "\u{2028}", "\u{2029}": true
        case "!"..."~": false
        default: scalar.value <= 0x20 || scalar.properties.generalCategory == .control
        }
    }
}
