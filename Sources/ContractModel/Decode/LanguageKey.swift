import Diagnostics
import YAMLTree

/// One key of a mapping: its name, form and meaning, and the place of its value in `Owner`.
package struct LanguageKey<Owner>: Sendable {
    package let description: MappingDescription.Key
    /// Whether a keyword of OpenAPI says it. The export writes such a key by hand, and every other one as `x-errand-NAME`.
    package let hasKeyword: Bool
    /// Reads the value into the owner. Returns whether it could be read.
    let read: @Sendable (inout ContractDecoder, YAMLPair, inout Owner) -> Bool
    /// The value as a contract has it. Nil if the owner has what holds without the key.
    package let write: @Sendable (Owner) -> ReportValue?

    /// A key with functions of its own, for example because its value has several places.
    init(
        _ name: String, _ shape: ValueShape, _ meaning: String, isRequired: Bool = false,
        missing rule: FindingKind = .missingKey, hasKeyword: Bool = false,
        read: @escaping @Sendable (inout ContractDecoder, YAMLPair, inout Owner) -> Bool,
        write: @escaping @Sendable (Owner) -> ReportValue?
    ) {
        description = isRequired ? .required(name, shape, meaning, missing: rule) : .optional(name, shape, meaning)
        self.hasKeyword = hasKeyword
        self.read = read
        self.write = write
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
            }, write: { owner in get(owner).map(codec.write) })
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
        _ meaning: String
    ) {
        self.init(
            name, codec, meaning, true, .missingKey, false, set: { $0[keyPath: path] = $1.value },
            get: { $0[keyPath: path] })
    }

    /// A value that is `usual` without the key, so that printing leaves it out then.
    init<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Owner, Value> & Sendable, _ codec: Codec<Value>, _ meaning: String,
        usual: Value, hasKeyword: Bool = false
    ) {
        self.init(
            name, codec, meaning, false, .missingKey, hasKeyword, set: { $0[keyPath: path] = $1.value },
            get: { $0[keyPath: path] == usual ? nil : $0[keyPath: path] })
    }

    /// One value, or a list of values.
    init<Value>(
        list name: String, _ path: WritableKeyPath<Owner, [Located<Value>]> & Sendable, _ codec: Codec<Value>,
        _ meaning: String, atLeast: Int = 0, hasKeyword: Bool = false
    ) {
        self.init(
            name, .oneOrMore(codec.shape, atLeast: atLeast), meaning, hasKeyword: hasKeyword,
            read: { decoder, pair, owner in
                let valueName = ValueName(key: name, isElement: pair.value.sequence != nil)
                owner[keyPath: path] = decoder.elements(pair.value, name).compactMap {
                    codec.read(&decoder, $0, valueName)
                }
                return true
            },
            write: { owner in
                let values = owner[keyPath: path]
                return values.isEmpty ? nil : .list(values.map { codec.write($0.value) })
            })
    }

    /// The key of a part of another owner.
    func of<Whole>(_ path: WritableKeyPath<Whole, Owner> & Sendable, _ meaning: String? = nil) -> LanguageKey<Whole> {
        LanguageKey<Whole>(
            description.name, description.shape, meaning ?? description.meaning, isRequired: description.isRequired,
            missing: description.missingRule, hasKeyword: hasKeyword,
            read: { [read] decoder, pair, whole in read(&decoder, pair, &whole[keyPath: path]) },
            write: { [write] whole in write(whole[keyPath: path]) })
    }
}

/// A mapping of the language whose keys have their places in `Owner`.
package struct LanguageMapping<Owner>: Sendable {
    package let description: MappingDescription
    /// In the order in which they are read and printed.
    package let keys: [LanguageKey<Owner>]

    init(_ name: String, _ subject: String, _ keys: [LanguageKey<Owner>], rules: [KeyRule] = []) {
        description = MappingDescription(name, subject, keys.map(\.description), rules: rules)
        self.keys = keys
    }

    /// The keys with their values, as a contract has them.
    package func pairs(of owner: Owner) -> [(key: String, value: ReportValue)] {
        keys.compactMap { key in key.write(owner).map { (key.description.name, $0) } }
    }

    /// The keys without a keyword of OpenAPI, as a contract has them. `keywords` are the others, which take their places.
    package func extensions(
        of owner: Owner, keywords: [String: ReportValue] = [:]
    ) -> [(key: String, value: ReportValue)] {
        keys.compactMap { key in
            let name = key.description.name
            return (key.hasKeyword ? keywords[name] : key.write(owner)).map { (name, $0) }
        }
    }

    /// The names of the keys without a keyword of OpenAPI.
    package var extensionNames: [String] { keys.lazy.filter { !$0.hasKeyword }.map(\.description.name) }
}

extension ContractDecoder {
    /// Reads the keys of a mapping into their places. Returns whether it is a mapping whose required keys could be read.
    mutating func read<Owner>(_ node: YAMLNode, as mapping: LanguageMapping<Owner>, into owner: inout Owner) -> Bool {
        guard let entries = open(node, as: mapping.description) else { return false }
        var isWhole = true
        // By index, since a copy of a key costs more than the search for its value.
        for index in mapping.keys.indices {
            var isRead = false
            if let pair = pairWithValue(entries, mapping.keys[index].description.name) {
                isRead = mapping.keys[index].read(&self, pair, &owner)
            }
            if !isRead, mapping.keys[index].description.isRequired { isWhole = false }
        }
        return isWhole
    }
}
