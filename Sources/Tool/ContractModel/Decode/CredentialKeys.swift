import Diagnostics
import YAMLTree

/// The keys of an entry of `credentials` in its long form, as written.
package struct CredentialKeys: Sendable {
    fileprivate var header: Located<String>?
    fileprivate var format: Located<String>?
    fileprivate var query: Located<String>?
    fileprivate var cookie: Located<String>?

    fileprivate init() {}

    fileprivate init(_ placement: CredentialDefinition.Placement, at range: SourceRange) {
        switch placement {
        case .header(let name, let prefix, let suffix):
            header = Located(name, at: range)
            if !prefix.isEmpty || !suffix.isEmpty { format = Located("\(prefix){token}\(suffix)", at: range) }
        case .basic: break
        case .query(let name): query = Located(name, at: range)
        case .cookie(let name): cookie = Located(name, at: range)
        }
    }

    fileprivate var placement: CredentialDefinition.Placement? {
        if let query { return .query(query.value) }
        if let cookie { return .cookie(cookie.value) }
        guard let header else { return nil }
        guard let format, let token = format.value.firstRange(of: "{token}") else {
            return .header(name: header.value, prefix: "", suffix: "")
        }
        return .header(
            name: header.value, prefix: String(format.value[..<token.lowerBound]),
            suffix: String(format.value[token.upperBound...]))
    }

    // MARK: The table

    private typealias Key = LanguageKey<CredentialKeys>

    package static let mapping = LanguageMapping<CredentialKeys>(
        "credential", "a credential", [headerKey, formatKey, queryKey, cookieKey],
        rules: [
            .exactlyOne(["header", "query", "cookie"]).explained(
                missing: "the credential does not name its place in a request",
                add: "write `header: X-Api-Key`, `query: key` or `cookie: sid`",
                remove: "a credential travels in one place"),
            .onlyWith("format", "header").explained(
                conflict: "`format` is only valid with `header`", remove: "remove `format`"),
        ])
    private static let headerKey = Key("header", \.header, .headerName, "name of the header that carries it")
    private static let formatKey = Key(
        "format", \.format, .tokenFormat, "the header's value, with `{token}` for the credential")
    private static let queryKey = Key(
        "query", \.query, .nonEmpty(like: "key"), "name of the parameter of the query that carries it")
    private static let cookieKey = Key("cookie", \.cookie, .headerName, "name of the cookie that carries it")

    /// The places with a word of their own.
    fileprivate enum Word: String, Sendable, CaseIterable {
        case bearer, basic

        var placement: CredentialDefinition.Placement { self == .bearer ? .bearer : .basic }
    }
}

extension Codec where Value == [CredentialDefinition] {
    /// Name → `bearer`, `basic`, or the place in a request.
    static var credentials: Codec {
        .named(
            .either(.words(of: CredentialKeys.Word.self), .mapping { CredentialKeys.mapping.description }),
            .credentialName,
            read: { decoder, name, node in
                let placement = decoder.credentialPlacement(node, of: name)
                guard let placement, decoder.isCredentialName(name) else { return nil }
                return CredentialDefinition(name: name, placement: placement)
            }, name: { $0.name.value },
            write: { credential, scope in
                switch credential.placement {
                case .bearer: .text(CredentialKeys.Word.bearer.rawValue)
                case .basic: .text(CredentialKeys.Word.basic.rawValue)
                case let placement:
                    .mapping(
                        CredentialKeys.mapping.pairs(of: CredentialKeys(placement, at: credential.name.range), scope))
                }
            })
    }
}

extension Codec where Value == CredentialAlternative {
    /// `none`, a name, or names with `+` between them.
    static var credentials: Codec {
        Codec(
            scalar: .form(.credentials),
            read: { decoder, text, _ in
                if text.value == "none" { return text.map { _ in CredentialAlternative([]) } }
                let names = text.value.split(separator: "+", omittingEmptySubsequences: false).map {
                    String($0).trimmingBlanks()
                }
                guard names.allSatisfy({ decoder.isIdentifier($0) }) else {
                    decoder.report(
                        .invalidValue, "\(quoted(text.value)) does not name credentials", at: text.range,
                        help: "write `apiKey`, or `apiKey + tenant` for two that a request carries together")
                    return nil
                }
                return text.map { _ in CredentialAlternative(names) }
            }, write: { .text($0.text) })
    }
}

extension ContractDecoder {
    fileprivate mutating func credentialPlacement(
        _ node: YAMLNode, of name: Located<String>
    ) -> CredentialDefinition.Placement? {
        guard node.mapping != nil else {
            return Codec<CredentialKeys.Word>.word.read(&self, node, ValueName(key: name.value))?.value.placement
        }
        var keys = CredentialKeys()
        return read(node, as: CredentialKeys.mapping, into: &keys) ? keys.placement : nil
    }

    fileprivate mutating func isCredentialName(_ name: Located<String>) -> Bool {
        let isReserved = CredentialDefinition.reservedNames.contains(name.value)
        if !isReserved, isIdentifier(name.value) { return true }
        report(
            .invalidName,
            isReserved
                ? "\(quoted(name.value)) is a word of the language, and cannot name a credential"
                : "\(quoted(name.value)) cannot name a credential", at: name.range,
            help: "use letters, digits and `_`: `apiKey`")
        return false
    }
}
