import Diagnostics
import YAMLTree

/// The keys of `union`, as written.
struct UnionKeys: Sendable {
    fileprivate var by: Located<String>?
    fileprivate var type = EnumDefinition.WireKind.string
    fileprivate var cases: [UnionDefinition.Case]?
    fileprivate var keys: [UnionDefinition.Case]?
    fileprivate var kinds: [UnionDefinition.Case]?

    init() {}

    init(_ union: UnionDefinition) {
        switch union.distinction {
        case .value(let key, let type): (by, self.type, cases) = (key, type, union.cases)
        case .key: keys = union.cases
        case .kind: kinds = union.cases
        }
    }

    /// Nil if no style is whole, which the rules of the mapping report, or after another finding.
    func definition(_ decoder: inout ContractDecoder) -> UnionDefinition? {
        if let kinds { return UnionDefinition(.kind, cases: kinds) }
        if let keys { return UnionDefinition(.key, cases: keys) }
        guard let by, let cases else { return nil }
        let union = UnionDefinition(.value(of: by, type), cases: cases)
        if type == .int, let odd = union.namedCases.first(where: { NumberText.integer($0.name.value) == nil }) {
            decoder.report(
                .invalidValue, "the case \(quoted(odd.name.value)) must be an integer, because of `type: int`",
                at: odd.name.range, help: "write an integer of at most 64 bits, or remove `type: int`")
            return nil
        }
        return union
    }

    // MARK: The table

    private typealias Key = LanguageKey<UnionKeys>

    static let mapping = LanguageMapping<UnionKeys>(
        "union", "`union`", [byKey, typeKey, casesKey, keysKey, kindsKey],
        rules: [
            .exactlyOne(["by", "keys", "kinds"]).explained(
                .unionWithoutDiscriminator, missing: "`union` needs `by`",
                add:
                    "add the key whose value tells the case, or write `keys: {KEY: TYPE}` or `kinds: {KIND: TYPE}`",
                remove:
                    "write `by` if the value of one key tells the cases apart, `keys` if each case has its own key, or `kinds` if each case is another kind of JSON value"
            ),
            .exactlyOne(["keys", "kinds", "cases"]).explained(
                missing: "`union` needs `cases`", add: "add `cases: {VALUE: TYPE}`",
                remove: "remove `cases`; `keys` and `kinds` list the cases themselves"),
            .onlyWith("type", "by").explained(remove: "only the value of a key is a text or a number"),
        ])

    private static let byKey = Key("by", \.by, .text, "wire key whose value determines the case")
    private static let typeKey = Key(
        "type", \.type, .word, "`int`: the values of that key are integers", usual: .string)
    private static let casesKey = Key(
        "cases", \.cases, .cases, "value of that key → type; `\"*\"` is the case of all other objects")
    private static let keysKey = Key("keys", \.keys, .cases, "wire key that only this case has → type")
    private static let kindsKey = Key(
        "kinds", \.kinds,
        .mapping(
            { KindKeys.mapping }, empty: { _ in KindKeys() }, value: { $1.cases }, keys: { cases, _ in KindKeys(cases) }
        ),
        "kind of the JSON value → type")
}

/// The keys of `kinds`, as written.
struct KindKeys: Sendable {
    fileprivate var string: Located<TypeReference>?
    fileprivate var integer: Located<TypeReference>?
    fileprivate var number: Located<TypeReference>?
    fileprivate var bool: Located<TypeReference>?
    fileprivate var array: Located<TypeReference>?
    fileprivate var object: Located<TypeReference>?

    fileprivate init() {}

    fileprivate init(_ cases: [UnionDefinition.Case]) {
        for item in cases {
            guard let kind = UnionDefinition.Kind(rawValue: item.name.value) else { continue }
            self[keyPath: Self.path(of: kind)] = Located(item.type, at: item.name.range)
        }
    }

    /// Nil without a case, which the rule of the mapping reports.
    fileprivate var cases: [UnionDefinition.Case]? {
        let cases = UnionDefinition.Kind.allCases.compactMap { kind in
            self[keyPath: Self.path(of: kind)].map {
                UnionDefinition.Case(name: Located(kind.rawValue, at: $0.range), type: $0.value)
            }
        }
        return cases.isEmpty ? nil : cases
    }

    private static func path(
        of kind: UnionDefinition.Kind
    ) -> WritableKeyPath<KindKeys, Located<TypeReference>?> & Sendable {
        switch kind {
        case .string: \.string
        case .integer: \.integer
        case .number: \.number
        case .bool: \.bool
        case .array: \.array
        case .object: \.object
        }
    }

    // MARK: The table

    private typealias Key = LanguageKey<KindKeys>

    static let mapping = LanguageMapping<KindKeys>(
        "kinds", "`kinds`",
        [
            Key("string", \.string, .type, "type of a text, such as `string`, `uuid`, or an enum of texts"),
            Key("integer", \.integer, .type, "type of an integer, such as `int`"),
            Key(
                "number", \.number, .type,
                "type of any other number, such as `double`; without `integer`, of all numbers"),
            Key("bool", \.bool, .type, "type of `true` and `false`"),
            Key("array", \.array, .type, "type of a list"),
            Key("object", \.object, .type, "type of an object: a structure, a map, or a union by `by` or `keys`"),
        ],
        rules: [
            .atLeastOne(UnionDefinition.Kind.allCases.map(\.rawValue)).explained(
                .emptyUnion, missing: "the union has no cases", add: "write `kinds: {string: string, object: Item}`")
        ])
}

extension Codec where Value == [UnionDefinition.Case] {
    fileprivate static var cases: Codec {
        let named = Codec.named(
            .type(), atLeast: 1,
            read: { decoder, name, node in
                decoder.type(node, "the case \(quoted(name.value))").map { .init(name: name, type: $0) }
            }, name: { $0.name.value }, write: { union, _ in .type(union.type.spelling) })
        return Codec(
            named.shape,
            read: { decoder, node, name in
                let cases = named.read(&decoder, node, name)
                guard cases?.value.isEmpty != false else { return cases }
                decoder.report(
                    .emptyUnion, "the union has no cases", at: node.range,
                    help: "write `\(name.key): {image: Image, video: Video}`")
                return nil
            }, writeIn: named.write)
    }
}
