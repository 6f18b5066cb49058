/// The servers of a service, as the contract spells them.
struct ServerPlanner {
    let findings: ImportFindings

    func servers(of document: APIDocument) -> [(name: String, url: String)] {
        if document.version == .swagger2 {
            return Swagger2Reader.servers(of: document.root).compactMap { url, place in
                checked(url, place).map { ("production", $0) }
            }
        }
        var all = document.servers
        let own = document.operations.map(\.servers)
        if all.isEmpty, let first = own.first, !first.isEmpty, own.allSatisfy({ urls($0) == urls(first) }) {
            all = first
        }
        var taken: Set<String> = ["url"]
        var result: [(name: String, url: String)] = []
        for (position, server) in all.enumerated() {
            guard let url = url(of: server) else { continue }
            let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            let described = server.text("description").map(Self.name) ?? []
            var wanted = NameText.valueName(described.joined(separator: " "))
            if described.isEmpty {
                let first = String(host.prefix { $0 != "." && $0 != ":" })
                let isLocal = first == "localhost" || host.hasPrefix("127.")
                wanted = isLocal ? "local" : position == 0 ? "production" : NameText.valueName(first)
            }
            let name = NameText.free(wanted, taken, ["server"])
            taken.insert(NameText.folded(name))
            result.append((name, url))
        }
        return result
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
        guard !operation.servers.isEmpty, !servers.isEmpty else { return false }
        return Set(urls(operation.servers)).isDisjoint(with: urls(servers))
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
            guard let value = variable?.text("default"), seen.insert(name).inserted else {
                findings.add(.openAPIServerLost, "the variable `\(name)` of `\(text)` has no default", at: server)
                return nil
            }
            if let values = variable?["enum"] {
                findings.add(
                    .openAPIServerLost, "the list of values of the variable `\(name)` is left out", at: values)
            }
            let letters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            result += "{\(letters.first?.isNumber == true ? "_" : "")\(String(letters))=\(value)}"
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
        guard start, !isOdd, url.count > 8 else {
            findings.add(
                .openAPIServerLost, "`\(text)` is not a base URL with a host, so the app has to pass the server",
                at: place,
                help: "add it under `servers`: `production: https://api.example.com/v1`")
            return nil
        }
        return url
    }
}
