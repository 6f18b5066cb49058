import Diagnostics
import YAMLTree

// The parts of a contract that apply to the service as a whole.
extension ContractDecoder {
    // MARK: Servers

    mutating func servers(_ node: YAMLNode) -> [ServerDefinition] {
        entries(node, of: "servers").compactMap { name, node in
            guard let url = text(node, "the URL of \(quoted(name.value))"), let parts = templateParts(url),
                isBaseURL(url, parts)
            else {
                return nil
            }
            return ServerDefinition(name: name, url: parts)
        }
    }

    /// Text with variables `{name=default}` cut out.
    private mutating func templateParts(_ text: Located<String>) -> [ServerDefinition.Part]? {
        var parts: [ServerDefinition.Part] = []
        var rest = text.value[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                report(
                    .invalidValue, "a `{` in \(quoted(text.value)) is not closed", at: text.range,
                    help: "write `{port=8080}`")
                return nil
            }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            let inner = rest[rest.index(after: open)..<close]
            guard let equals = inner.firstIndex(of: "="), isIdentifier(String(inner[..<equals])) else {
                report(
                    .invalidValue, "\(quoted(String(inner))) is not a variable with a default", at: text.range,
                    help: "write `{port=8080}`")
                return nil
            }
            let name = String(inner[..<equals])
            let isKnown = parts.contains { if case .variable(name, _) = $0 { true } else { false } }
            if isKnown {
                report(
                    .duplicateName, "the variable \(quoted(name)) occurs twice", at: text.range,
                    help: "name each variable once")
                return nil
            }
            parts.append(.variable(name: name, default: String(inner[inner.index(after: equals)...])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }

    /// An absolute `http` or `https` URL with a host and without user, query and fragment.
    private mutating func isBaseURL(_ text: Located<String>, _ parts: [ServerDefinition.Part]) -> Bool {
        let filled = parts.map { part in
            switch part {
            case .text(let text): text
            case .variable(_, let value): value
            }
        }.joined()
        func refuse(_ why: String, _ help: String) -> Bool {
            report(.invalidServer, "\(quoted(text.value)) is not a base URL: \(why)", at: text.range, help: help)
            return false
        }
        guard let scheme = ["https://", "http://"].first(where: { filled.hasPrefix($0) }) else {
            return refuse("it does not begin with `https://`", "write `https://api.example.com/v1`")
        }
        let rest = filled.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if host.isEmpty { return refuse("it has no host", "write `https://api.example.com/v1`") }
        if host.contains("@") { return refuse("it has a user name", "credentials do not belong in a contract") }
        if filled.unicodeScalars.contains(where: {
            !$0.isASCII || $0.value <= 0x20 || $0.value == 0x7F || "\"<>\\^`{|}".unicodeScalars.contains($0)
        }) {
            return refuse("it has a character that URLs cannot contain", "percent-encode it")
        }
        if rest.contains("?") || rest.contains("#") {
            return refuse("it has a query or a fragment", "declare parameters of every request under `common`")
        }
        return true
    }

    // MARK: Common parameters

    mutating func common(_ node: YAMLNode) -> CommonParameters {
        var common = CommonParameters()
        guard let mapping = open(node, as: LanguageKeys.common) else { return common }
        if let node = value(mapping, "query") { common.query = commonParameters(node, "query") }
        if let node = value(mapping, "headers") { common.headers = commonParameters(node, "headers") }
        if let node = value(mapping, "parameters") { common.parameters = commonParameters(node, "parameters") }
        return common
    }

    private mutating func commonParameters(_ node: YAMLNode, _ what: String) -> [CommonParameter] {
        entries(node, of: what).compactMap { name, node in
            guard let mapping = node.mapping else {
                return field(name, node).map { CommonParameter(field: $0, source: .app) }
            }
            guard open(node, as: LanguageKeys.commonField) != nil else { return nil }
            let constant = text(mapping, "const")
            let each = word(mapping, "each", of: CommonParameter.Generated.self)
            let source: CommonParameter.Source =
                each.map { .each($0.value) } ?? constant.map { .constant($0.value) } ?? .app
            if source == .app, pair(mapping, "type") == nil { return nil }
            let defaultType: Primitive = each.map { $0.value == .timestamp ? .timestamp : .uuid } ?? .string
            guard let field = longField(name, mapping, defaultType: .primitive(defaultType)) else { return nil }
            if let each, !each.value.fits(field.type) {
                report(
                    .conflictingKeys,
                    "`each: \(each.value.rawValue)` cannot create a value of type `\(field.type.spelling)`",
                    at: field.typeRange,
                    help: each.value == .timestamp
                        ? "write `timestamp`, `timestamp(unix)` or `timestamp(milliseconds)`" : "write `uuid`")
            }
            return CommonParameter(field: field, source: source)
        }
    }

    // MARK: Headers

    /// Whether it is valid as a header's name; reports it if not.
    mutating func isHeaderName(_ name: Located<String>) -> Bool {
        let isToken = HeaderText.isName(name.value)
        if !isToken {
            report(
                .invalidHeader, "\(quoted(name.value)) cannot be the name of a header", at: name.range,
                help: "use letters, digits and `-`; write `wire:` if the header has another name than the field")
        }
        return isToken
    }

    /// Whether it is valid as a header's value; reports it if not.
    mutating func isHeaderValue(_ text: Located<String>) -> Bool {
        let isValid = HeaderText.isValue(text.value)
        if !isValid {
            report(
                .invalidHeader, "\(quoted(text.value)) cannot be the value of a header", at: text.range,
                help: "use visible ASCII without line breaks")
        }
        return isValid
    }

    // MARK: Rate limits, envelopes and defaults

    mutating func rateLimit(_ node: YAMLNode) -> RateLimitDefinition? {
        var limit = RateLimitDefinition(
            reset: Located("", at: node.range), unit: Located(.seconds, at: node.range), remaining: nil)
        guard read(node, as: ServiceKeys.rateLimit, into: &limit) else { return nil }
        if let remaining = limit.remaining, remaining.value.lowercased() == limit.reset.value.lowercased() {
            report(
                .duplicateName, "`reset` and `remaining` name the same header", at: remaining.range,
                help: "name the header with the number of requests that are left, or remove `remaining`")
        }
        return limit
    }

    mutating func envelope(_ name: Located<String>, _ node: YAMLNode) -> EnvelopeDefinition? {
        guard name.value != "none" else {
            report(
                .invalidName, "`none` is a built-in envelope, whose payload is the whole body", at: name.range,
                help: "give the envelope another name")
            return nil
        }
        var envelope = EnvelopeDefinition(name: name)
        return read(node, as: ServiceKeys.envelope, into: &envelope) ? envelope : nil
    }

    mutating func defaults(_ node: YAMLNode) -> EndpointDefaults {
        var defaults = EndpointDefaults()
        _ = read(node, as: SettingsKeys.defaults, into: &defaults)
        return defaults
    }
}
