import Diagnostics
import YAMLTree

/// The keys of `signing`.
package enum SigningKeys {
    private typealias Key = LanguageKey<SigningDefinition>

    package static let mapping = LanguageMapping<SigningDefinition>(
        "signing", "`signing`",
        [algorithm, over, key, append, skipEmpty, trim, encode, letterCase, headers, into, send],
        rules: [
            .where("algorithm", ["md5"], [.required(["append"])]).explained(
                missing: "an `md5` over the parameters alone does not contain the key, so anyone can compute it",
                add: "add `append: \"&key={key}\"`, or use `hmac-sha256`")
        ])

    private static let algorithm = Key(
        required: "algorithm", \.algorithm, .word, "`hmac-sha256`, `hmac-sha1` or `md5`")
    private static let over = Key(
        "over", Codec<Bool>.only("sortedParameters").shape, "what is signed: `sortedParameters`", isRequired: true,
        read: { decoder, pair, _ in
            Codec<Bool>.only("sortedParameters").read(&decoder, pair.value, ValueName(key: "over")) != nil
        }, write: { _, _ in .text("sortedParameters") })
    private static let key = Key(
        required: "key", \.key, .text, "name of the key, whose value the app supplies")
    private static let append = Key(
        "append", \.append, .keyTemplate, "text put after the parameters, with `{key}` for the key")
    private static let skipEmpty = Key(
        "skipEmpty", \.skipsEmpty, .flag, "`true`: leaves out parameters without a value", usual: false)
    private static let trim = Key("trim", \.trims, .flag, "`true`: removes blanks around the values", usual: false)
    private static let encode = Key(
        "encode", \.encodesValues, .only("values"), "`values`: percent-encodes the values before signing",
        usual: false)
    private static let letterCase = Key(
        "case", \.letterCase, .word, "case of the digest's hexadecimal digits: `lower` (default) or `upper`",
        usual: .lower)
    private static let headers = Key(
        list: "headers", \.headers, .headerName, "names of headers that are signed among the parameters")
    private static let into = Key(
        required: "into", \.placement, .signingPlacement,
        "place of the signature: `{header: NAME}`, `{query: NAME}` or `{body: NAME}`")
    private static let send = Key(
        "send", \.sendsHeaders, .only("headers"),
        "`headers`: also sends all parameters as headers, with their raw values", usual: false)

    static let placement = LanguageMapping<SigningPlacementKeys>(
        "signingPlacement", "`into`", [header, query, body],
        rules: [
            .exactlyOne(["header", "query", "body"]).explained(
                missing: "`into` does not name a place",
                add: "write `into: {header: sign}`, `into: {query: sign}` or `into: {body: sign}`",
                remove: "name only one place for the signature")
        ])
    private static let header = LanguageKey<SigningPlacementKeys>(
        "header", \.header, .headerName, "name of the header that carries the signature")
    private static let query = LanguageKey<SigningPlacementKeys>(
        "query", \.query, .text, "name of the query parameter that carries the signature")
    private static let body = LanguageKey<SigningPlacementKeys>(
        "body", \.body, .text, "name of the field that carries the signature in a JSON or form body")
}

struct SigningPlacementKeys: Sendable {
    var header: Located<String>?
    var query: Located<String>?
    var body: Located<String>?

    /// The first place that is written; the rules of the mapping report others.
    var definition: Located<SigningDefinition.Placement>? {
        header?.map { .header($0) } ?? query?.map { .query($0) } ?? body?.map { .body($0) }
    }
}

extension Codec where Value == SigningDefinition {
    static var signing: Codec {
        .mapping(
            { SigningKeys.mapping },
            empty: { range in
                let nowhere = Located("", at: range)
                return SigningDefinition(
                    algorithm: Located(.hmacSHA256, at: range), key: nowhere, placement: nowhere.map { .header($0) })
            })
    }
}

extension Codec where Value == Bool {
    /// The one word that is valid.
    fileprivate static func only(_ word: String) -> Codec {
        Codec(
            scalar: .words([word]),
            read: { decoder, text, key in
                if text.value == word { return text.map { _ in true } }
                decoder.report(
                    .unknownValue, "`\(key)` cannot be \(quoted(text.value))", at: text.range,
                    help: "write `\(key): \(word)`")
                return nil
            }, write: { _ in .text(word) })
    }
}

extension Codec where Value == [ServerDefinition.Part] {
    /// A text cut around `{key}`.
    fileprivate static var keyTemplate: Codec {
        Codec(
            scalar: .form(.keyTemplate),
            read: { decoder, text, _ in
                let pieces = text.value.split(separator: "{key}", omittingEmptySubsequences: false).map(String.init)
                if pieces.count == 2 {
                    return text.map { _ in
                        [.text(pieces[0]), .variable(name: "key", default: ""), .text(pieces[1])]
                    }
                }
                let problem = pieces.count == 1 ? "does not contain `{key}`" : "contains `{key}` more than once"
                decoder.report(
                    .invalidValue, "\(quoted(text.value)) \(problem)", at: text.range,
                    help: "write `append: \"&privateKey={key}\"`")
                return nil
            },
            write: { .text($0.text) })
    }
}

extension Codec where Value == SigningDefinition.Placement {
    fileprivate static var signingPlacement: Codec {
        Codec(
            .mapping { SigningKeys.placement.description },
            read: { decoder, node, _ in
                var keys = SigningPlacementKeys()
                return decoder.read(node, as: SigningKeys.placement, into: &keys) ? keys.definition : nil
            },
            write: { placement in
                switch placement {
                case .header(let name): .mapping([("header", .text(name))])
                case .query(let name): .mapping([("query", .text(name))])
                case .body(let name): .mapping([("body", .text(name))])
                }
            })
    }
}
