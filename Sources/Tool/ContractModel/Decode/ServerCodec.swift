import Diagnostics
import YAMLTree

extension Codec where Value == [ServerDefinition] {
    /// Name → base URL with variables, or `{url: …, upload: …}` with a URL for each role.
    static var servers: Codec {
        .named(
            .either(
                .form(.serverURL), .namedExcept(["url"], .form(.serverURL), others: .form(.serverURL), areNeeded: true)),
            read: { decoder, name, node in
                if node.mapping != nil { return decoder.serverWithRoles(name, node) }
                return decoder.baseURL(node, of: name).map { ServerDefinition(name: name, url: $0) }
            }, name: { $0.name.value },
            write: { server, _ in
                if server.roles.isEmpty { return .text(server.url.spelling) }
                return .mapping(
                    [("url", .text(server.url.spelling))] + server.roles.map { ($0.name.value, .text($0.url.spelling)) }
                )
            })
    }
}

extension Codec where Value == [ServerRoleDefinition] {
    /// Name → what is sent there.
    static var roles: Codec {
        .named(
            .mapping { ServiceKeys.role.description },
            read: { decoder, name, node in
                if name.value == "url" {
                    decoder.report(
                        .invalidName, "`url` is the base URL of every server, and cannot be a role", at: name.range,
                        help: "give the role another name")
                    return nil
                }
                var role = ServerRoleDefinition(name: name)
                return decoder.read(node, as: ServiceKeys.role, into: &role) ? role : nil
            }, name: { $0.name.value }, write: { .mapping(ServiceKeys.role.pairs(of: $0, $1)) })
    }
}

extension ContractDecoder {
    /// A server with a base URL for each role.
    fileprivate mutating func serverWithRoles(_ name: Located<String>, _ node: YAMLNode) -> ServerDefinition? {
        var server = ServerDefinition(name: name, url: [])
        var isWhole = false
        for (role, node) in entries(node, of: name.value) {
            let url = baseURL(node, of: role)
            if role.value == "url" {
                isWhole = true
                server.url = url ?? []
            } else {
                // One that cannot be a URL is reported, and the role exists all the same.
                server.roles.append((role, url ?? []))
            }
        }
        if isWhole { return server.url.isEmpty ? nil : server }
        report(
            .missingKey, "the server \(quoted(name.value)) has no `url`", at: name.range,
            help: "add `url: https://api.example.com/v1`, the base URL of the endpoints without a `server`")
        return nil
    }

    fileprivate mutating func baseURL(_ node: YAMLNode, of name: Located<String>) -> [ServerDefinition.Part]? {
        guard let url = text(node, "the URL of \(quoted(name.value))"), let parts = templateParts(url),
            isBaseURL(url, parts)
        else { return nil }
        return parts
    }

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
