import Mustache

/// What a template may name: the input of one template or of one of its sections.
///
/// One table serves both sides: the checker knows from it which names exist, and rendering takes the values from it, so
/// that the two cannot disagree.
protocol TemplateInput: MustacheParent, Sendable {
    static var table: TagTable<Self> { get }
}

extension TemplateInput {
    func child(named name: String) -> Any? { Self.table.value(of: name, in: self) }

    /// The names and what they are.
    static var schema: TemplateSchema { table.schema }
}

/// The names of one input and how their values are read.
struct TagTable<Input>: Sendable {
    let schema: TemplateSchema
    private let readers: [String: @Sendable (Input) -> Any?]

    init(_ title: String, _ tags: [Tag<Input>]) {
        schema = TemplateSchema(
            title: title, tags: Dictionary(uniqueKeysWithValues: tags.map { ($0.name, $0.kind) }))
        readers = Dictionary(uniqueKeysWithValues: tags.map { ($0.name, $0.read) })
    }

    func value(of name: String, in input: Input) -> Any? { readers[name]?(input) }
}

/// One name of an input.
struct Tag<Input>: Sendable {
    let name: String
    let kind: TemplateSchema.Kind
    let read: @Sendable (Input) -> Any?

    /// Text, for `{{name}}`.
    static func text(_ name: String, _ read: @escaping @Sendable (Input) -> String) -> Tag {
        Tag(name: name, kind: .text, read: read)
    }

    /// Text that may be missing, for `{{#name}}`, `{{^name}}` and, where it is there, `{{name}}`.
    static func optionalText(_ name: String, _ read: @escaping @Sendable (Input) -> String?) -> Tag {
        Tag(name: name, kind: .optionalText, read: { read($0) })
    }

    /// A yes or no, for `{{#name}}` and `{{^name}}`.
    static func flag(_ name: String, _ read: @escaping @Sendable (Input) -> Bool) -> Tag {
        Tag(name: name, kind: .flag, read: read)
    }

    /// An input of its own that may be missing, for `{{#name}}`.
    static func section<Inner: TemplateInput>(
        _ name: String, _ read: @escaping @Sendable (Input) -> Inner?
    ) -> Tag {
        Tag(name: name, kind: .section { Inner.schema }, read: { read($0) })
    }

    /// Inputs one after the other, for `{{#name}}`.
    static func list<Inner: TemplateInput>(
        _ name: String, _ read: @escaping @Sendable (Input) -> [Inner]
    ) -> Tag {
        Tag(name: name, kind: .section { Inner.schema }, read: read)
    }
}

/// The names that a template may use at one place, and what they are.
struct TemplateSchema: Sendable {
    enum Kind: Sendable {
        case text, optionalText, flag
        /// Asked for only where a template enters it: statements hold statements.
        case section(@Sendable () -> TemplateSchema)
    }

    /// What the place is called in messages: "a structure".
    let title: String
    let tags: [String: Kind]
}
