import Mustache

/// The names that a template may use: the input of one template or of one of its sections.
///
/// One table serves both sides: the checker takes the existing names from it, and rendering takes the values from it. The two
/// therefore cannot disagree.
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
        Tag(name: name, kind: .text, read: { RenderedText(text: read($0)) })
    }

    /// Text that may be missing, for `{{#name}}`, `{{^name}}` and, where it is there, `{{name}}`.
    static func optionalText(_ name: String, _ read: @escaping @Sendable (Input) -> String?) -> Tag {
        Tag(name: name, kind: .optionalText, read: { RenderedText(text: read($0)) })
    }

    /// A yes or no, for `{{#name}}` and `{{^name}}`.
    static func flag(_ name: String, _ read: @escaping @Sendable (Input) -> Bool) -> Tag {
        Tag(name: name, kind: .flag, read: read)
    }

    /// An input of its own that may be missing, for `{{#name}}`.
    static func section<Inner: TemplateInput>(
        _ name: String, _ read: @escaping @Sendable (Input) -> Inner?
    ) -> Tag {
        // Mustache would look for a missing section in the inputs around this one.
        Tag(name: name, kind: .section { Inner.schema }, read: { read($0) ?? false as Any })
    }

    /// Inputs one after the other, for `{{#name}}`.
    static func list<Inner: TemplateInput>(
        _ name: String, _ read: @escaping @Sendable (Input) -> [Inner]
    ) -> Tag {
        Tag(name: name, kind: .section { Inner.schema }, read: read)
    }
}

/// A text of an input, or a text that is missing there.
///
/// Mustache casts each value to what it could be. This type is what it asks for early: it needs no search for a description, no
/// mirror for the tags inside a section, and a missing text is not looked for in the inputs around this one.
private struct RenderedText: MustacheCustomRenderable, MustacheParent {
    let text: String?

    var renderText: String { text ?? "" }
    var isNull: Bool { text == nil }

    func child(named name: String) -> Any? { nil }
}

/// The names that a template may use at one place, and what they are.
struct TemplateSchema: Sendable {
    enum Kind: Sendable {
        case text, optionalText, flag
        /// Asked for only where a template enters it: statements hold statements.
        case section(@Sendable () -> TemplateSchema)
    }

    /// The name of the place in messages: "a structure".
    let title: String
    let tags: [String: Kind]
}
