import Diagnostics
import YAMLTree

extension ContractDecoder {
    /// One entry of `endpoints`.
    mutating func endpoint(_ name: Located<String>, _ node: YAMLNode) -> EndpointDefinition? {
        owner = .endpoint(name.value)
        var endpoint = EndpointDefinition(
            name: name, target: .frame(name), response: Located(.none, at: name.range))
        endpoint.hasResponse = node.mapping?["response"] != nil
        // Without a target it isn't an endpoint, but its other keys are still checked.
        guard read(node, as: EndpointKeys.mapping, into: &endpoint), let mapping = node.mapping,
            let target = target(name, mapping)
        else { return nil }
        endpoint.target = target
        return endpoint
    }

    // MARK: Where it is sent

    static let targetKeys = HTTPMethod.allCases.map(\.rawValue) + ["frame"]

    private mutating func target(_ name: Located<String>, _ mapping: YAMLMapping) -> EndpointDefinition.Target? {
        let present = Self.targetKeys.filter { mapping[$0] != nil }
        guard let key = present.first ?? Self.targetKeys.first(where: { pair(mapping, $0) != nil }) else { return nil }
        guard let node = value(mapping, key), let text = text(node, "`\(key)`") else { return nil }
        guard let method = HTTPMethod(rawValue: key) else { return .frame(text) }
        return pathTemplate(text, node).map { .http(method, Located($0, at: text.range)) }
    }

    /// Characters that the name of a path parameter cannot have.
    private static let endsOfNames = Array(" =/?#&{\"'".utf8)

    /// `/users/{userID:int}/friends`, or `{imageURL:url}`.
    private mutating func pathTemplate(_ text: Located<String>, _ node: YAMLNode) -> PathTemplate? {
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

    // MARK: Request and response

    mutating func body(_ node: YAMLNode) -> BodyDefinition? {
        guard let mapping = node.mapping else {
            if node.text == "bytes" {
                return BodyDefinition(
                    encoding: .bytes, content: .bytes(contentType: "application/octet-stream"), range: node.range)
            }
            return type(node, "`body`").map {
                BodyDefinition(encoding: .json, content: .type($0, node.range), range: node.range)
            }
        }
        guard mapping["encoding"] != nil, isLongForm(mapping, LanguageKeys.body) else {
            return BodyDefinition(encoding: .json, content: .fields(fields(node, of: "body")), range: node.range)
        }
        _ = open(node, as: LanguageKeys.body)  // for a misspelt key
        guard let encoding = word(mapping, "encoding", of: BodyDefinition.Encoding.self)?.value else { return nil }
        let contentType = text(mapping, "contentType")
        let fieldsNode = value(mapping, "fields")
        let typeNode = value(mapping, "type")
        if encoding == .bytes {
            if let contentType, !isHeaderValue(contentType) { return nil }
            return BodyDefinition(
                encoding: .bytes, content: .bytes(contentType: contentType?.value ?? "application/octet-stream"),
                range: node.range)
        }
        var body: BodyDefinition?
        if let fieldsNode {
            body = BodyDefinition(
                encoding: encoding, content: .fields(fields(fieldsNode, of: "body")), range: node.range)
        } else if let typeNode {
            body = type(typeNode, "`body`").map {
                BodyDefinition(encoding: encoding, content: .type($0, typeNode.range), range: node.range)
            }
        }
        if encoding == .json, let contentType, isJSON(contentType), contentType.value != "application/json" {
            body?.contentType = contentType.value
        }
        return body
    }

    /// Whether it is a media type of JSON documents; reports it if not.
    private mutating func isJSON(_ type: Located<String>) -> Bool {
        guard isHeaderValue(type) else { return false }
        if BodyDefinition.isJSON(mediaType: type.value) { return true }
        report(
            .invalidHeader, "\(quoted(type.value)) is not a media type of JSON", at: type.range,
            help: "write `application/json` or a type that ends with `+json`")
        return false
    }

    mutating func response(_ node: YAMLNode, of endpoint: String) -> Located<ResponseDefinition> {
        owner = .response(of: endpoint)
        defer { owner = .endpoint(endpoint) }
        if let inner = node.mapping {
            if reportStatuses(inner) { return Located(.none, at: node.range) }
            guard inner["type"] != nil || inner["fields"] != nil, isLongForm(inner, LanguageKeys.response) else {
                return Located(.fields(fields(node, of: "response")), at: node.range)
            }
            _ = open(node, as: LanguageKeys.response)  // for a misspelt key
            let skips = flag(inner, "skipInvalid")?.value ?? false
            let single = flag(inner, "single")?.value ?? false
            if let typeNode = value(inner, "type") {
                guard let type = type(typeNode, "`response`") else { return Located(.none, at: node.range) }
                return Located(.type(type, skipsInvalid: skips, acceptsSingle: single), at: typeNode.range)
            }
            guard let fieldsNode = value(inner, "fields") else { return Located(.none, at: node.range) }
            return Located(.fields(fields(fieldsNode, of: "response")), at: node.range)
        }
        switch node.text {
        case "none": return Located(.none, at: node.range)
        case "bytes": return Located(.bytes, at: node.range)
        case _ where node.isNullLiteral:
            report(
                .unknownType, "there is no type \(quoted(node.text ?? ""))", at: node.range,
                help: "write `response: none`")
            return Located(.none, at: node.range)
        default:
            guard let type = type(node, "`response`") else { return Located(.none, at: node.range) }
            return Located(.type(type, skipsInvalid: false, acceptsSingle: false), at: node.range)
        }
    }

    /// Whether a mapping that has a mark of the long form is one, and not fields one of which happens to have that name:
    /// where all its keys belong to the long form, or something in it cannot be a field, so that a misspelt key is
    /// called one.
    private func isLongForm(_ mapping: YAMLMapping, _ description: MappingDescription) -> Bool {
        if mapping.keys.allSatisfy({ description.allows($0) }) { return true }
        if let encoding = mapping["encoding"]?.text, encoding == "form" || encoding == "multipart" { return true }
        return mapping.contains { pair in
            if let field = pair.value.mapping {
                return field["type"] == nil && field["fields"] == nil && !field.isEmpty
            }
            return pair.value.text == "true" || pair.value.text == "false"
        }
    }
}
