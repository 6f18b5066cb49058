import ContractModel

/// A server of the contract, by its base URL.
struct PlannedServer {
    var name: String
    var url: String
}

/// Another origin of each server.
struct PlannedRole {
    var name: String
    /// The URLs in the document.
    var written: [String]
    /// The base URL for each server.
    var urls: [String]
    var sends: Set<ServerRoleDefinition.Content>
}

/// The servers of a service, as the contract spells them.
struct ServerPlanner {
    let findings: ImportFindings

    /// The servers of the document, or those of most operations if each operation has its own.
    func home(of document: APIDocument) -> [Element] {
        guard document.servers.isEmpty, document.version != .swagger2 else { return document.servers }
        var counts: [[String]: Int] = [:]
        for operation in document.operations { counts[urls(operation.servers), default: 0] += 1 }
        guard counts[[]] == nil, let most = counts.values.max() else { return [] }
        return document.operations.first { counts[urls($0.servers)] == most }?.servers ?? []
    }

    func servers(of document: APIDocument, home: [Element]) -> [PlannedServer] {
        if document.version == .swagger2 {
            return Swagger2Reader.servers(of: document.root).compactMap { url, place in
                checked(url, place).map { PlannedServer(name: "production", url: $0) }
            }
        }
        var taken: Set<String> = ["url"]
        var result: [PlannedServer] = []
        for (position, server) in home.enumerated() {
            guard let url = url(of: server) else { continue }
            let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            let described = Self.described(server)
            var wanted = NameText.valueName(described.joined(separator: " "))
            if described.isEmpty {
                let first = String(host.prefix { $0 != "." && $0 != ":" })
                let isLocal = first == "localhost" || host.hasPrefix("127.")
                wanted = isLocal ? "local" : position == 0 ? "production" : NameText.valueName(first)
            }
            let name = NameText.free(wanted, taken, ["server"])
            taken.insert(NameText.folded(name))
            result.append(PlannedServer(name: name, url: url))
        }
        return result
    }

    /// The role of an operation that is sent to other servers than most. Nil if the contract cannot have its URLs, which a finding
    /// reports.
    ///
    /// - Parameter home: the servers of the others, of which the plan has those whose URL a contract can have.
    func role(of operation: Operation, beside home: [Element], in plan: inout ContractPlan) -> String? {
        let written = urls(operation.servers)
        if let known = plan.roles.first(where: { $0.written == written }) {
            for server in operation.servers { server.settle() }
            return known.name
        }
        let paths = beside(operation.servers, plan.servers)
        let all = paths ?? operation.servers.compactMap(url)
        // With one missing on either side, nothing says which belong together.
        let isPaired =
            paths != nil || [plan.servers.count, home.count, operation.servers.count].allSatisfy { $0 == all.count }
        guard let first = all.first, !plan.servers.isEmpty,
            !hasOtherDefault(isPaired ? all : [first], than: plan.servers)
        else {
            findings.add(
                .openAPIEndpointLost,
                "`\(operation.method.uppercased()) \(operation.path)` is left out, because it has another server, and the contract cannot have its URL",
                at: operation.element)
            return nil
        }
        if !isPaired, all.count > 1, let place = operation.servers.first {
            findings.add(
                .openAPIServerLost,
                "the document does not say which server of `\(operation.method.uppercased()) \(operation.path)` belongs to which server of the document, so all have `\(first)`",
                at: place)
        }
        let name = NameText.free(
            roleName(operation.servers.first, first, beside: plan.servers[0].url),
            Set(["url"] + plan.roles.map { NameText.folded($0.name) }), ["server"])
        plan.roles.append(
            PlannedRole(
                name: name, written: written, urls: isPaired ? all : plan.servers.map { _ in first }, sends: []))
        return name
    }

    /// What the path of an operation begins with because of its own server, beside servers that the app passes: `/private` beside
    /// `/`. Nil unless both are only paths.
    func prefix(of operation: Operation, beside home: [Element], _ servers: [PlannedServer]) -> String? {
        let (own, usual) = (urls(operation.servers), home.isEmpty ? [""] : urls(home))
        guard servers.isEmpty, own.count == 1, usual.count == 1, Self.isPath(own[0]), own[0].hasPrefix(usual[0] + "/")
        else { return nil }
        return String(own[0].dropFirst(usual[0].count))
    }

    private static func isPath(_ url: String) -> Bool {
        url.hasPrefix("/") && !url.hasPrefix("//") && !url.contains { "{?#".contains($0) }
    }

    /// Reports the server of an operation that is sent to the one that the app passes.
    func loseOwn(of operation: Operation) {
        guard let server = operation.servers.first, let url = server.text("url") else { return }
        findings.add(
            .openAPIServerLost,
            "`\(operation.method.uppercased()) \(operation.path)` is sent to the server that the app passes, and not to `\(url)`, because the document has no server for the other operations",
            at: server, help: "add the server of the other operations under `servers` of the document")
    }

    /// The URLs of a server that is only a path: on the host of each server of the document. Nil for any other.
    private func beside(_ own: [Element], _ servers: [PlannedServer]) -> [String]? {
        guard own.count == 1, let path = own[0].text("url").map(Self.bare), Self.isPath(path) else { return nil }
        let urls = servers.compactMap { server -> String? in
            guard let scheme = server.url.firstRange(of: "://") else { return nil }
            return String(server.url[..<scheme.upperBound] + server.url[scheme.upperBound...].prefix { $0 != "/" })
                + path
        }
        return urls.count == servers.count && urls.allSatisfy({ checked($0, own[0]) != nil }) ? urls : nil
    }

    /// Whether a variable has another default than in the URL of a server, which has each variable once for all of its URLs.
    private func hasOtherDefault(_ urls: [String], than servers: [PlannedServer]) -> Bool {
        var known: [String: String] = [:]
        for case .variable(let name, let value) in (urls + servers.map(\.url)).flatMap(ServerDefinition.parts) {
            if known.updateValue(value, forKey: name) ?? value != value { return true }
        }
        return false
    }

    /// A name from the description, or from the first part of the URL that the usual one does not have.
    private func roleName(_ server: Element?, _ url: String, beside home: String) -> String {
        let described = server.map(Self.described) ?? []
        if !described.isEmpty { return NameText.valueName(described.joined(separator: " ")) }
        func parts(_ url: String) -> [String] {
            let parts = url.split(separator: "/").dropFirst().map(String.init)
            return (parts.first?.split(separator: ".").map(String.init) ?? []) + parts.dropFirst()
        }
        let usual = Set(parts(home) + ["www", "api"])
        let own = parts(url).first { !usual.contains($0) && $0.first?.isLetter == true } ?? "other"
        return NameText.valueName(own)
    }

    /// Notes what an operation has in common with the others, for the role of its origin. Nothing else goes there.
    func note(
        _ endpoint: inout PlannedEndpoint, _ contents: Set<ServerRoleDefinition.Content>, in plan: inout ContractPlan
    ) {
        guard let role = plan.roles.firstIndex(where: { $0.name == endpoint.server }) else { return }
        plan.roles[role].sends.formUnion(contents)
        if plan.session != nil, !contents.contains(.session) { endpoint.session = SessionUse.none }
    }

    /// The words that name a server: its name, or else those of its description.
    private static func described(_ server: Element) -> [String] {
        let description = server["description"]
        guard let name = server.text("name") else { return description?.text.map(name) ?? [] }
        description?.settle()  // A contract has the name of a server alone.
        return [name]
    }

    /// The words of a description that name a server; empty for a sentence, which says what the server does.
    private static func name(_ description: String) -> [String] {
        let end = description.firstIndex { "(,.:;–—\n".contains($0) } ?? description.endIndex
        let words = NameText.words(of: String(description[..<end])).filter { !noise.contains($0.lowercased()) }
        return words.count < 4 ? words : words.first { stages.contains($0.lowercased()) }.map { [$0] } ?? []
    }

    private static let stages: Set<String> = [
        "production", "sandbox", "staging", "development", "test", "testing", "live", "local", "beta", "demo",
        "preview",
    ]
    private static let noise: Set<String> = ["server", "environment", "api", "the", "url", "endpoint", "base", "env"]

    func urls(_ servers: [Element]) -> [String] { servers.compactMap { $0.text("url").map(Self.bare) } }

    /// Whether an operation is sent to the same servers as the others.
    func isElsewhere(_ operation: Operation, than servers: [Element]) -> Bool {
        // The first server is the usual one. Others, such as `http://localhost`, may be the same for all operations.
        guard let first = urls(operation.servers).first, !servers.isEmpty else { return false }
        return !urls(servers).contains(first)
    }

    private static func bare(_ url: String) -> String {
        var url = url.trimmingSpaces()
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    /// The URL with its variables as a contract writes them.
    private func url(of server: Element) -> String? {
        guard let text = server.text("url") else { return nil }
        var result = ""
        var rest = text[...]
        var seen = Set<String>()
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            let variable = server["variables"]?[name]
            guard let value = variable?.text("default"), !name.isEmpty, seen.insert(name).inserted else {
                findings.add(.openAPIServerLost, "the variable `\(name)` of `\(text)` has no default", at: server)
                return nil
            }
            if let values = variable?["enum"] {
                findings.add(
                    .openAPIServerLost, "the list of values of the variable `\(name)` is left out", at: values)
            }
            let letters = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
            let end = ReservedNames.isForbidden(letters) ? "Value" : ""
            result += "{\(letters.first?.isNumber == true ? "_" : "")\(letters)\(end)=\(value)}"
        }
        return checked(result + rest, server)
    }

    /// A base URL; nothing if a contract can't have it.
    private func checked(_ text: String, _ place: Element) -> String? {
        let url = Self.bare(text)
        let start = url.hasPrefix("https://") || url.hasPrefix("http://") || url.hasPrefix("{")
        let isOdd = url.unicodeScalars.contains {
            !$0.isASCII || $0.value <= 0x20 || "\"<>\\^`|?#@".unicodeScalars.contains($0)
        }
        let hasOpenBrace = ServerDefinition.parts(of: url).contains { part in
            if case .text(let text) = part { text.contains("{") || text.contains("}") } else { false }
        }
        guard start, !isOdd, !hasOpenBrace, url.count > 8 else {
            let path = url.hasPrefix("/") && !isOdd ? url : "/v1"
            findings.add(
                .openAPIServerLost, "`\(text)` is not a base URL with a host, so the app has to pass the server",
                at: place, help: "add it under `servers`: `production: https://api.example.com\(path)`")
            return nil
        }
        return url
    }
}
