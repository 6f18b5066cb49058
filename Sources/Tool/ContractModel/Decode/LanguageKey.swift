import Diagnostics
import YAMLTree

/// One key of a mapping: its name, form and meaning, and the place of its value in `Owner`. Or several keys whose values are read
/// and printed together, because they only have a meaning together, such as `format` and `zone`.
package struct LanguageKey<Owner>: Sendable {
    package private(set) var descriptions: [MappingDescription.Key]
    /// Whether a keyword of OpenAPI says it. The export writes such a key by hand, and every other one as `x-errand-NAME`.
    package let hasKeyword: Bool
    /// Whether a mapping means nothing if the value cannot be read.
    let isNeeded: Bool
    /// Reads the value into the owner. Returns whether it could be read.
    let read: @Sendable (inout ContractDecoder, YAMLMapping, inout Owner) -> Bool
    /// The keys as a contract has them. Empty if the owner has what holds without them.
    let write: @Sendable (Owner, PrintScope) -> [(key: String, value: PrintedNode)]

    /// Keys that are read and printed together.
    init(
        group descriptions: [MappingDescription.Key], hasKeyword: Bool = false, isNeeded: Bool = false,
        read: @escaping @Sendable (inout ContractDecoder, YAMLMapping, inout Owner) -> Bool,
        write: @escaping @Sendable (Owner, PrintScope) -> [(key: String, value: PrintedNode)]
    ) {
        self.descriptions = descriptions
        self.hasKeyword = hasKeyword
        self.isNeeded = isNeeded
        self.read = read
        self.write = write
    }

    /// A key with functions of its own, for example because its value has several places.
    init(
        _ name: String, _ shape: ValueShape, _ meaning: String, isRequired: Bool = false, isNeeded: Bool? = nil,
        missing rule: FindingKind = .missingKey, hasKeyword: Bool = false,
        read: @escaping @Sendable (inout ContractDecoder, YAMLPair, inout Owner) -> Bool,
        write: @escaping @Sendable (Owner, PrintScope) -> PrintedNode?
    ) {
        let description: MappingDescription.Key =
            isRequired ? .required(name, shape, meaning, missing: rule) : .optional(name, shape, meaning)
        self.init(
            group: [description], hasKeyword: hasKeyword, isNeeded: isNeeded ?? isRequired,
            read: { decoder, mapping, owner in
                decoder.pairWithValue(mapping, name).map { read(&decoder, $0, &owner) } ?? false
            }, write: { owner, scope in write(owner, scope).map { [(name, $0)] } ?? [] })
    }

    private init<Value>(
        _ name: String, _ codec: Codec<Value>, _ meaning: String, _ isRequired: Bool, _ rule: FindingKind,
        _ hasKeyword: Bool, set: @escaping @Sendable (inout Owner, Located<Value>) -> Void,
        get: @escaping @Sendable (Owner) -> Value?
    ) {
        self.init(
            name, codec.shape, meaning, isRequired: isRequired, missing: rule, hasKeyword: hasKeyword,
            read: { decoder, pair, owner in
                guard let value = codec.read(&decoder, pair.value, ValueName(key: name)) else { return false }
                set(&owner, value)
                return true
            }, write: { owner, scope in get(owner).map { codec.write($0, scope) } })
    }

    /// A value with its place.
    init<Value>(
        _ name: String, _ path: WritableKeyPath<Owner, Located<Value>?> & Sendable, _ codec: Codec<Value>,
        _ meaning: String, hasKeyword: Bool = false
    ) {
        self.init(
            name, codec, meaning, false, .missingKey, hasKeyword, set: { $0[keyPath: path] = $1 },
            get: { $0[keyPath: path]?.value })
    }

    /// A required value with its place.
    init<Value>(
        required name: String, _ path: WritableKeyPath<Owner, Located<Value>> & Sendable, _ codec: Codec<Value>,
        _ meaning: String, missing rule: FindingKind = .missingKey
    ) {
        self.init(
            name, codec, meaning, true, rule, false, set: { $0[keyPath: path] = $1 },
            get: { $0[keyPath: path].value })
    }

    /// A value without its place.
    init<Value>(
        _ name: String, _ path: WritableKeyPath<Owner, Value?> & Sendable, _ codec: Codec<Value>, _ meaning: String,
        hasKeyword: Bool = false
    ) {
        self.init(
            name, codec, meaning, false, .missingKey, hasKeyword, set: { $0[keyPath: path] = $1.value },
            get: { $0[keyPath: path] })
    }

    /// A required value without its place.
    init<Value>(
        required name: String, _ path: WritableKeyPath<Owner, Value> & Sendable, _ codec: Codec<Value>,
        _ meaning: String, hasKeyword: Bool = false
    ) {
        self.init(
            name, codec, meaning, true, .missingKey, hasKeyword, set: { $0[keyPath: path] = $1.value },
            get: { $0[keyPath: path] })
    }

    /// A value that is `usual` without the key, so that printing leaves it out then.
    init<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Owner, Value> & Sendable, _ codec: Codec<Value>, _ meaning: String,
        usual: Value
    ) {
        self.init(
            name, codec, meaning, false, .missingKey, false, set: { $0[keyPath: path] = $1.value },
            get: { $0[keyPath: path] == usual ? nil : $0[keyPath: path] })
    }

    /// A list that is empty without the key.
    init<Element>(
        _ name: String, _ path: WritableKeyPath<Owner, [Element]> & Sendable, _ codec: Codec<[Element]>,
        _ meaning: String, hasKeyword: Bool = false
    ) {
        self.init(
            name, codec, meaning, false, .missingKey, hasKeyword, set: { $0[keyPath: path] = $1.value },
            get: { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path] })
    }

    /// One value, or a list of values.
    init<Value>(
        list name: String, _ path: WritableKeyPath<Owner, [Located<Value>]> & Sendable, _ codec: Codec<Value>,
        _ meaning: String, atLeast: Int = 0, isRequired: Bool = false, hasKeyword: Bool = false
    ) {
        self.init(
            name, .oneOrMore(codec.shape, atLeast: atLeast), meaning, isRequired: isRequired, hasKeyword: hasKeyword,
            read: { decoder, pair, owner in
                guard atLeast == 0 || pair.value.sequence?.isEmpty != true else {
                    decoder.report(
                        .missingValue, "`\(name)` is an empty list", at: pair.value.range,
                        help: "write a value" + (isRequired ? "" : ", or remove `\(name)`"))
                    return false
                }
                let valueName = ValueName(key: name, isElement: pair.value.sequence != nil)
                owner[keyPath: path] = decoder.elements(pair.value, name).compactMap {
                    codec.read(&decoder, $0, valueName)
                }
                return true
            },
            write: { owner, scope in
                let values = owner[keyPath: path]
                return values.isEmpty ? nil : .list(values.map { codec.write($0.value, scope) })
            })
    }

    /// The key, whose texts refer to something.
    func referring(to meaning: TextMeaning) -> LanguageKey { describing { $0.refersTo = meaning } }

    /// The key, below which the contract has names of its own.
    func naming(_ kinds: NameKind?...) -> LanguageKey { describing { $0.names = kinds } }

    private func describing(_ change: (inout MappingDescription.Key) -> Void) -> LanguageKey {
        var key = self
        for index in key.descriptions.indices { change(&key.descriptions[index]) }
        return key
    }

    /// The key of a part of another owner.
    func of<Whole>(_ path: WritableKeyPath<Whole, Owner> & Sendable, _ meaning: String? = nil) -> LanguageKey<Whole> {
        let descriptions = descriptions.map { key in
            var key = key
            key.meaning = meaning ?? key.meaning
            return key
        }
        return LanguageKey<Whole>(
            group: descriptions, hasKeyword: hasKeyword, isNeeded: isNeeded,
            read: { [read] decoder, mapping, whole in read(&decoder, mapping, &whole[keyPath: path]) },
            write: { [write] whole, scope in write(whole[keyPath: path], scope) })
    }
}

/// A mapping of the language whose keys have their places in `Owner`.
///
/// The mappings are the only table of the language's keys, so that the decoder, the schema, the editor, the reference and the extensions
/// of an exported document cannot lack a key. If the model has no structure with the keys of a mapping, a structure beside the
/// table has them as written, and converts them in both directions (`FieldKeys`, `SessionKeys`).
package struct LanguageMapping<Owner>: Sendable {
    package let description: MappingDescription
    /// In the order in which they are read and printed.
    package let keys: [LanguageKey<Owner>]

    init(
        _ name: String, _ subject: String, _ keys: [LanguageKey<Owner>], short: String? = nil, rules: [KeyRule] = []
    ) {
        description = MappingDescription(name, subject, keys.flatMap(\.descriptions), short: short, rules: rules)
        self.keys = keys
    }

    /// The keys with their values, as a contract has them.
    package func pairs(
        of owner: Owner, _ scope: PrintScope = .none
    ) -> [(key: String, value: PrintedNode)] {
        var pairs: [(key: String, value: PrintedNode)] = []
        // By index, since a copy of a key costs more than most values.
        for index in keys.indices { pairs += keys[index].write(owner, scope) }
        return pairs
    }

    /// The keys with their values in JSON.
    package func json(of owner: Owner) -> ReportValue { PrintedNode.mapping(pairs(of: owner)).json }

    /// The keys without a keyword of OpenAPI, in JSON. `keywords` are the others, which take their places.
    package func extensions(
        of owner: Owner, keywords: [String: ReportValue] = [:]
    ) -> [(key: String, value: ReportValue)] {
        keys.flatMap { key -> [(key: String, value: ReportValue)] in
            guard key.hasKeyword else { return key.write(owner, .none).map { ($0.key, $0.value.json) } }
            return key.descriptions.compactMap { description in
                keywords[description.name].map { (description.name, $0) }
            }
        }
    }

    /// The names of the keys without a keyword of OpenAPI.
    package var extensionNames: [String] {
        keys.filter { !$0.hasKeyword }.flatMap { $0.descriptions.map(\.name) }
    }
}

extension ContractDecoder {
    /// Reads the keys of a mapping into their places. Returns whether it is a mapping whose required keys could be read.
    mutating func read<Owner>(_ node: YAMLNode, as mapping: LanguageMapping<Owner>, into owner: inout Owner) -> Bool {
        guard let entries = open(node, as: mapping.description) else { return false }
        var isWhole = true
        // By index, since a copy of a key costs more than the search for its value. And not by `read` alone, since a key path to
        // a part of the owner copies that part.
        for index in mapping.keys.indices {
            let isPresent = mapping.keys[index].descriptions.contains { pair(entries, $0.name) != nil }
            let isRead = isPresent && mapping.keys[index].read(&self, entries, &owner)
            if !isRead, mapping.keys[index].isNeeded { isWhole = false }
        }
        return isWhole
    }
}
