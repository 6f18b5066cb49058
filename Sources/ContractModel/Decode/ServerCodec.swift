import Diagnostics
import YAMLTree

extension Codec where Value == [ServerDefinition] {
    /// Name → base URL with variables.
    static var servers: Codec {
        .named(
            .form(.serverURL),
            read: { decoder, name, node in
                guard let url = decoder.text(node, "the URL of \(quoted(name.value))"),
                    let parts = decoder.templateParts(url), decoder.isBaseURL(url, parts)
                else { return nil }
                return ServerDefinition(name: name, url: parts)
            }, name: { $0.name.value },
            write: { server, _ in
                .text(
                    server.url.map { part in
                        switch part {
                        case .text(let text): text
                        case .variable(let name, let value): "{\(name)=\(value)}"
                        }
                    }.joined())
            })
    }
}

extension ContractDecoder {
    /// Text with variables `{name=default}` cut out.
    fileprivate mutating func templateParts(_ text: Located<String>) -> [ServerDefinition.Part]? {
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

    /// An absolute URL of HTTP or WebSocket with a host and without user, query and fragment.
    fileprivate mutating func isBaseURL(_ text: Located<String>, _ parts: [ServerDefinition.Part]) -> Bool {
        let filled = parts.filled
        func refuse(_ why: String, _ help: String) -> Bool {
            report(.invalidServer, "\(quoted(text.value)) is not a base URL: \(why)", at: text.range, help: help)
            return false
        }
        guard let scheme = ["https://", "http://", "wss://", "ws://"].first(where: { filled.hasPrefix($0) }) else {
            return refuse(
                "it does not begin with `https://` or `wss://`",
                "write `https://api.example.com/v1`, or `wss://api.example.com/v1` for a connection")
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
}
