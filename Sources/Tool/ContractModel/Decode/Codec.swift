import Diagnostics
import YAMLTree

/// The name of a value in messages.
struct ValueName {
    let key: String
    var isElement = false

    var text: String { isElement ? "an element of `\(key)`" : "`\(key)`" }
}

/// How values of one type are written in a contract: their form, and the functions that read and print them.
///
/// ``LanguageKey`` combines a codec with a place. A key's decoder, its JSON Schema, the editor's suggestions and its OpenAPI
/// extension then all follow from the one line that declares the key.
package struct Codec<Value: Sendable>: Sendable {
    package let shape: ValueShape
    /// Reads a node. Returns nil after it has reported the reason.
    let read: @Sendable (inout ContractDecoder, YAMLNode, ValueName) -> Located<Value>?
    /// The value as a contract has it.
    package let write: @Sendable (Value, PrintScope) -> PrintedNode

    init(
        _ shape: ValueShape, read: @escaping @Sendable (inout ContractDecoder, YAMLNode, ValueName) -> Located<Value>?,
        writeIn: @escaping @Sendable (Value, PrintScope) -> PrintedNode
    ) {
        self.shape = shape
        self.read = read
        write = writeIn
    }

    init(
        _ shape: ValueShape, read: @escaping @Sendable (inout ContractDecoder, YAMLNode, ValueName) -> Located<Value>?,
        write: @escaping @Sendable (Value) -> PrintedNode
    ) {
        self.init(shape, read: read, writeIn: { value, _ in write(value) })
    }

    /// A scalar that is read as text first.
    init(
        scalar shape: ValueShape,
        read: @escaping @Sendable (inout ContractDecoder, Located<String>, String) -> Located<Value>?,
        write: @escaping @Sendable (Value) -> PrintedNode
    ) {
        self.init(
            shape,
            read: { decoder, node, name in
                decoder.text(node, name.text).flatMap { read(&decoder, $0, name.key) }
            }, write: write)
    }

    /// The same form for another type.
    func map<Other: Sendable>(
        to: @escaping @Sendable (Value) -> Other, from: @escaping @Sendable (Other) -> Value
    ) -> Codec<Other> {
        Codec<Other>(
            shape, read: { [read] decoder, node, name in read(&decoder, node, name)?.map(to) },
            writeIn: { [write] value, scope in write(from(value), scope) })
    }

    /// The same form, with another name in messages.
    func called(_ name: String) -> Codec {
        Codec(
            shape, read: { [read] decoder, node, _ in read(&decoder, node, ValueName(key: name)) }, writeIn: write)
    }

    /// A mapping, or something shorter for the values that `isShort` finds.
    static func either(
        _ short: Codec<Value>, _ long: Codec<Value>, isShort: @escaping @Sendable (Value) -> Bool
    ) -> Codec<Value> {
        Codec(
            .either(short.shape, long.shape),
            read: { decoder, node, name in
                node.mapping == nil ? short.read(&decoder, node, name) : long.read(&decoder, node, name)
            }, writeIn: { value, scope in (isShort(value) ? short : long).write(value, scope) })
    }

    /// A mapping with keys of its own. It begins as `empty`; a mapping without a required key has no value.
    static func mapping(
        _ mapping: @escaping @Sendable () -> LanguageMapping<Value>,
        empty: @escaping @Sendable (SourceRange) -> Value
    ) -> Codec<Value> {
        .mapping(mapping, empty: empty, value: { $1 }, keys: { value, _ in value })
    }

    /// A mapping whose keys make a value together.
    ///
    /// - Parameters:
    ///   - value: the value of the keys; nil after a finding.
    ///   - keys: the keys that a value has.
    static func mapping<Keys>(
        _ mapping: @escaping @Sendable () -> LanguageMapping<Keys>, empty: @escaping @Sendable (SourceRange) -> Keys,
        value: @escaping @Sendable (inout ContractDecoder, Keys) -> Value?,
        keys: @escaping @Sendable (Value, PrintScope) -> Keys
    ) -> Codec<Value> {
        Codec(
            .mapping { mapping().description },
            read: { decoder, node, _ in
                var read = empty(node.range)
                guard decoder.read(node, as: mapping(), into: &read), let value = value(&decoder, read) else {
                    return nil
                }
                return Located(value, at: node.range)
            }, writeIn: { value, scope in .mapping(mapping().pairs(of: keys(value, scope), scope)) })
    }

    /// Values under names that the contract chooses.
    ///
    /// - Parameters:
    ///   - shape: the form of one value.
    ///   - names: the form of the names.
    ///   - name: the name of a value.
    static func named<Entry>(
        _ shape: ValueShape, _ names: TextForm? = nil, atLeast: Int = 0,
        read: @escaping @Sendable (inout ContractDecoder, Located<String>, YAMLNode) -> Entry?,
        name: @escaping @Sendable (Entry) -> String,
        write: @escaping @Sendable (Entry, PrintScope) -> PrintedNode
    ) -> Codec where Value == [Entry] {
        Codec(
            .named(shape, names, atLeast: atLeast),
            read: { decoder, node, key in
                Located(
                    decoder.entries(node, of: key.key).compactMap { read(&decoder, $0, $1) }, at: node.range)
            }, writeIn: { values, scope in .mapping(values.map { (name($0), write($0, scope)) }) })
    }
}

// MARK: Scalars

extension Codec where Value == String {
    static var text: Codec { Codec(scalar: .text, read: { _, text, _ in text }, write: { .text($0) }) }

    static func nonEmpty(like example: String) -> Codec {
        Codec(
            scalar: .form(.nonEmpty),
            read: { decoder, text, key in
                if !text.value.isEmpty { return text }
                decoder.report(
                    .invalidValue, "`\(key)` is empty", at: text.range,
                    help: "write a text, such as `\(key): \(example)`, or remove `\(key)`")
                return nil
            }, write: { .text($0) })
    }

    static var headerName: Codec {
        Codec(
            scalar: .form(.headerName), read: { decoder, text, _ in decoder.isHeaderName(text) ? text : nil },
            write: { .text($0) })
    }
}

extension Codec where Value == Bool {
    static var flag: Codec {
        Codec(scalar: .flag, read: { $0.flag($1, $2) }, write: { .flag($0) })
    }
}

extension Codec where Value == Int {
    static func integer(_ bounds: ClosedRange<Int>) -> Codec {
        Codec(scalar: .integer(bounds), read: { $0.integer($1, $2, in: bounds) }, write: { .number($0) })
    }

    /// A time above 0, in milliseconds.
    static var duration: Codec {
        Codec(
            scalar: .form(.duration), read: { $0.duration($1, $2) }, write: { .text(ContractDecoder.duration($0)) })
    }
}

extension Codec where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enum.
    static var word: Codec { word(of: Array(Value.allCases)) }

    /// One of these words of an enum.
    static func word(of words: [Value]) -> Codec {
        Codec(
            scalar: .words(words.map(\.rawValue)), read: { $0.word($1, "`\($2)`", of: words) },
            write: { .text($0.rawValue) })
    }
}

extension Codec where Value == FieldPath {
    static var path: Codec {
        Codec(scalar: .form(.path), read: { decoder, text, _ in decoder.path(text) }, write: { .text($0.text) })
    }
}

extension Codec where Value == CodeMatch {
    static var code: Codec {
        Codec(scalar: .form(.code), read: { decoder, text, _ in decoder.code(text) }, write: { .text($0.spelling) })
    }
}

extension Codec where Value == WaitLimit {
    static var patience: Codec {
        Codec(
            scalar: .form(.patience), read: { $0.patience($1, $2) },
            write: {
                switch $0 {
                case .upTo(let limit): .text(ContractDecoder.duration(limit))
                case .forever: .text("forever")
                }
            })
    }
}

extension Codec where Value == TimeoutDefinition {
    /// `20s`, or `{any: 20s, constrained: 60s}`.
    static var timeout: Codec {
        .either(
            Codec<Int>.duration.map(to: { TimeoutDefinition($0) }, from: { $0.any }),
            .mapping({ PolicyKeys.timeout }, empty: { _ in TimeoutDefinition(0) }), isShort: { $0.constrained == nil })
    }
}

extension Codec where Value == RetryDefinition {
    /// `never`, or `{attempts: 3, base: 200ms, cap: 20s}`.
    static var retry: Codec {
        let never = Codec<String>.never(or: "{attempts: 3, base: 200ms, cap: 20s}").map(
            to: { _ in RetryDefinition.never }, from: { _ in "never" })
        let rule = Codec<RetryRuleKeys>.mapping({ PolicyKeys.retry }, empty: { _ in RetryRuleKeys() })
        return .either(
            never, rule.map(to: { $0.definition }, from: { RetryRuleKeys($0) }), isShort: { $0 == .never })
    }
}

extension Codec where Value == CompressionDefinition {
    /// `gzip`, `none`, or `{encoding: gzip, minimumSize: 4096}`.
    static var compression: Codec {
        .either(
            Codec<CompressionDefinition.Word>.word.map(
                to: { $0 == .gzip ? .gzip(minimumSize: nil) : CompressionDefinition.none },
                from: { $0 == CompressionDefinition.none ? .none : .gzip }),
            Codec<CompressionKeys>.mapping({ PolicyKeys.compression }, empty: { _ in CompressionKeys() }).map(
                to: { .gzip(minimumSize: $0.minimumSize) }, from: { CompressionKeys($0) }),
            isShort: { $0 == CompressionDefinition.none || $0 == .gzip(minimumSize: nil) })
    }
}

extension Codec where Value == DurableDefinition {
    /// `true`, `false`, or `{lifetime: 48h, lane: messages}`.
    static var durable: Codec {
        .either(
            Codec<Bool>.flag.map(
                to: { isKept in
                    var durable = DurableDefinition()
                    durable.isKept = isKept
                    return durable
                }, from: { $0.isKept }),
            .mapping({ PolicyKeys.durable }, empty: { _ in DurableDefinition() }),
            isShort: { !$0.isKept || $0.lifetime == nil && $0.lane == nil })
    }
}

extension Codec where Value == CacheDefinition {
    /// `http`, or `{http: true, offline: 1h}`.
    static var cache: Codec {
        .either(
            Codec<CacheDefinition.Word>.word.map(to: { _ in CacheDefinition() }, from: { _ in .http }),
            .mapping({ PolicyKeys.cache }, empty: { _ in CacheDefinition(isHTTP: false) }),
            isShort: { $0.isHTTP && $0.offline == nil })
    }
}

extension Codec where Value == SettlingRule {
    /// `success`, `{success: always}` or `{success: payload}`.
    static var settles: Codec {
        .either(
            Codec<SettlesKeys.Word>.word.map(to: { _ in .afterOpenAttempt }, from: { _ in .success }),
            Codec<SettlesKeys>.mapping({ PolicyKeys.settles }, empty: { _ in SettlesKeys() }).map(
                to: { $0.moment == .always ? .always : .payload },
                from: { SettlesKeys(moment: $0 == .payload ? .payload : .always) }),
            isShort: { $0 == .afterOpenAttempt })
    }
}

extension Codec where Value == ChecksumDefinition {
    /// `sha256`, or `{algorithm: sha256, header: X-Checksum, encoding: hex}`.
    static var checksum: Codec {
        .either(
            Codec<ChecksumDefinition.Algorithm>.word.map(
                to: { ChecksumDefinition(algorithm: $0, header: nil) }, from: { $0.algorithm }),
            Codec<ChecksumKeys>.mapping({ PolicyKeys.checksum }, empty: { _ in ChecksumKeys() }).map(
                to: { $0.definition }, from: { ChecksumKeys($0) }),
            isShort: { $0.header == nil })
    }
}
