import Diagnostics
import YAMLTree

/// The keys of a contract.
package enum ContractKeys {
    private typealias Key = LanguageKey<Contract>

    package static let mapping = LanguageMapping<Contract>(
        "contract", "a contract",
        [
            language, service, version, stability, doc, imports, servers, trust, gateways, roles, connection, common,
            session,
            credentials, signing, rateLimit, envelopes, errors, types, groups, defaults, endpoints, events,
        ])

    private static let language = Key(
        "errand", .words(["1"]), "version of the language: `1`", isRequired: true, isNeeded: false,
        read: { decoder, pair, _ in
            guard let version = decoder.text(pair.value, "`errand`"), version.value != "1" else { return true }
            decoder.report(
                .unknownLanguageVersion,
                "the contract is in version \(quoted(version.value)) of the language, and this version of Errand reads version 1",
                at: version.range, help: "write `errand: 1`, or update Errand")
            return false
        }, write: { _, _ in .number(1) })
    private static let service = Key(
        required: "service", \.service, .serviceName, "name of the service and of the Swift client")
    private static let version = Key("version", \.version, .text, "version of the contract, as text")
    private static let stability = Key(
        "stability", \.stability, .word,
        "which incompatible changes to expect: `draft`, `beta` or `stable` (default)", usual: .stable)
    private static let doc = Key("doc", \.doc, .text, "description of the service")
    private static let imports = Key(
        list: "imports", \.imports, .text,
        "relative paths of contracts whose types, errors and envelopes are used here"
    ).referring(to: .contract)

    // MARK: The service

    private static let servers = Key(
        "servers", \.servers, .servers,
        "name → base URL, or `{url: …, ROLE: …}`; the first one is the default; `{port=8080}` is a variable with a default"
    ).naming(.server, .role)
    private static let trust = Key(
        "trust", \.trust, .trust, "name of a server → the public keys that it may have"
    ).naming(.server)
    private static let gateways = Key(
        "gateways", \.gateways, .gateways,
        "name of a server → the programs before it that pass requests on: `production: {url: [nginx, haproxy]}`"
    ).naming(.server)
    private static let roles = Key(
        "roles", \.roles, .roles, "name → what is sent to another origin, which each server has a base URL for"
    ).naming(.role)
    private static let connection = Key(
        "connection", \.connection, .connection,
        "the connection that carries all requests of the contract as frames, over WebSocket")
    private static let common = Key(
        part: "common", \.common, CommonKeys.common, "parameters of every request")
    private static let session = Key(
        "session", \.session, .session, "how requests authenticate, and how a client gets a token")
    private static let credentials = Key(
        "credentials", \.credentials, .credentials,
        "name → `bearer`, `basic`, or the place in a request of a key that the app gives once"
    ).naming(.credential)
    private static let signing = Key("signing", \.signing, .signing, "how requests are signed")
    private static let rateLimit = Key(
        "rateLimit", \.rateLimit, .rateLimit, "the header that says when the service's rate limit ends")
    private static let defaults = Key(
        part: "defaults", \.defaults, SettingsKeys.defaults, "settings of every endpoint without its own value")

    // MARK: Definitions

    private static let envelopes = Key(
        definitions: "envelopes", \.envelopes, .named(.mapping { ServiceKeys.envelope.description }, .envelopeName),
        "name → how responses wrap their payload",
        read: { $0.envelope($1, $2) }, name: { $0.name.value },
        write: { .mapping(ServiceKeys.envelope.pairs(of: $0, $1)) }
    ).naming(.envelope)
    private static let errors = Key(
        definitions: "errors", \.errors,
        .namedExcept(
            BuiltInError.allCases.map(\.rawValue), .mapping { ErrorKeys.builtIn },
            others: .mapping { ErrorKeys.declared }), "name → an error, with its condition and its category",
        of: ErrorKeys.error.description, marks: ["category"],
        read: { $0.error($1, $2) }, name: { $0.name.value },
        write: { .mapping(ErrorKeys.error.pairs(of: $0, $1)) }
    ).naming(.error)
    private static let types = Key(
        definitions: "types", \.types, .named(.longForm(LongForm.type), .typeName), "name → a type",
        read: { $0.type($1, $2) }, name: { $0.name.value }, isPrinted: { $0.inline == nil },
        write: { $0.printed(in: $1) }
    ).naming(.type)
    private static let groups = Key(
        "groups", \.groups, .groups,
        "name → what its endpoints have in common; the client has a property for each group", hasKeyword: true
    ).naming(.group)
    private static let endpoints = Key(
        definitions: "endpoints", \.endpoints, .named(.mapping { EndpointKeys.mapping.description }),
        "name → a request and its response", isRequired: true,
        of: EndpointKeys.mapping.description, marks: TargetKeys.names,
        read: { $0.endpoint($1, $2) }, name: { $0.name.value },
        write: { .mapping(EndpointKeys.mapping.pairs(of: $0, $1)) }
    ).naming(.endpoint)
    private static let events = Key(
        definitions: "events", \.events, .named(.mapping { ConnectionKeys.event.description }),
        "name → a frame that the server sends without a request",
        of: ConnectionKeys.event.description, marks: ["frame"],
        read: { $0.event($1, $2) }, name: { $0.name.value },
        write: { .mapping(ConnectionKeys.event.pairs(of: $0, $1)) })
}

extension Contract {
    /// The keys of the contract with their values, as a contract has them.
    package var printed: [(key: String, value: PrintedNode)] {
        ContractKeys.mapping.pairs(of: self, PrintScope(types: types))
    }
}

extension LanguageKey where Owner == Contract {
    /// A mapping that says nothing without any of its keys.
    fileprivate init<Part>(
        part name: String, _ path: WritableKeyPath<Contract, Part> & Sendable, _ mapping: LanguageMapping<Part>,
        _ meaning: String
    ) {
        self.init(
            name, .mapping { mapping.description }, meaning,
            read: { decoder, pair, contract in
                decoder.read(pair.value, as: mapping, into: &contract[keyPath: path])
            },
            write: { contract, scope in
                let pairs = mapping.pairs(of: contract[keyPath: path], scope)
                return pairs.isEmpty ? nil : .mapping(pairs)
            })
    }

    /// Definitions under names. The names of those that cannot be read are kept, since a reference to one is not at fault.
    ///
    /// - Parameter marks: Keys of which every definition must have at least one. If there are such keys, a key of `description`
    ///   among the names was indented by mistake.
    fileprivate init<Definition>(
        definitions name: String, _ path: WritableKeyPath<Contract, [Definition]> & Sendable, _ shape: ValueShape,
        _ meaning: String, isRequired: Bool = false, of description: MappingDescription? = nil, marks: [String] = [],
        read: @escaping @Sendable (inout ContractDecoder, Located<String>, YAMLNode) -> Definition?,
        name nameOf: @escaping @Sendable (Definition) -> String,
        isPrinted: @escaping @Sendable (Definition) -> Bool = { _ in true },
        write: @escaping @Sendable (Definition, PrintScope) -> PrintedNode
    ) {
        self.init(
            name, shape, meaning, isRequired: isRequired, isNeeded: false,
            read: { decoder, pair, contract in
                let entries = decoder.entries(pair.value, of: name)
                var definitions: [Definition] = []
                // A list that grows takes up to twice the memory of its elements.
                definitions.reserveCapacity(entries.count)
                var previous: YAMLNode?
                for (name, node) in entries {
                    if let description,
                        decoder.reportKeyAmongDefinitions(name, node, after: previous, as: description, marks: marks)
                    {
                        continue
                    }
                    previous = node
                    if let definition = read(&decoder, name, node) {
                        definitions.append(definition)
                    } else {
                        contract.unreadableNames.insert(name.value)
                    }
                }
                contract[keyPath: path] = definitions
                return true
            },
            write: { contract, scope in
                let definitions = contract[keyPath: path].filter(isPrinted)
                guard isRequired || !definitions.isEmpty else { return nil }
                return .mapping(definitions.map { (nameOf($0), write($0, scope)) })
            })
    }
}

extension Codec where Value == String {
    /// The name of a type in Swift, and of a folder.
    fileprivate static var serviceName: Codec {
        Codec(
            scalar: .form(.serviceName),
            read: { decoder, name, key in
                let isUpper = name.value.first.map { ("A"..."Z").contains($0) } ?? false
                if isUpper, decoder.isIdentifier(name.value) { return name }
                decoder.report(
                    .invalidName,
                    "\(quoted(name.value)) cannot name a service: it becomes a Swift type and a folder",
                    at: name.range,
                    help:
                        "begin with an uppercase letter A–Z and use letters, digits and `_`: `\(key): \(decoder.typeName(name.value))`"
                )
                return nil
            }, write: { .text($0) })
    }
}
