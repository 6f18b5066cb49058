/// The names that a template may use: the input of one template or of one of its sections.
///
/// One table serves both sides: the checker takes the existing names from it, and rendering takes the values from it. The two
/// therefore cannot disagree.
package protocol TemplateInput: Sendable {
    static var table: TagTable<Self> { get }
}

extension TemplateInput {
    /// The value of a name; `nil` for a name that this input does not have.
    func value(of name: String) -> TemplateValue? { Self.table.value(of: name, in: self) }

    /// The names and what they are.
    package static var schema: TemplateSchema { table.schema }
}

/// The value of a name in one input.
enum TemplateValue {
    /// Text, or a text that is missing.
    case text(String?)
    /// Text whose line breaks are open, or one that is missing.
    case layout(Layout?)
    case flag(Bool)
    /// The inputs of a section, which is rendered once for each.
    case inputs([any TemplateInput])
}

/// The names of one input and how their values are read.
package struct TagTable<Input>: Sendable {
    let schema: TemplateSchema
    private let readers: [String: @Sendable (Input) -> TemplateValue]

    package init(_ title: String, _ tags: [Tag<Input>]) {
        schema = TemplateSchema(
            title: title, tags: Dictionary(uniqueKeysWithValues: tags.map { ($0.name, $0.kind) }))
        readers = Dictionary(uniqueKeysWithValues: tags.map { ($0.name, $0.read) })
    }

    func value(of name: String, in input: Input) -> TemplateValue? { readers[name]?(input) }
}

/// One name of an input.
package struct Tag<Input>: Sendable {
    let name: String
    let kind: TemplateSchema.Kind
    let read: @Sendable (Input) -> TemplateValue

    /// Text, for `{{name}}`.
    package static func text(_ name: String, _ read: @escaping @Sendable (Input) -> String) -> Tag {
        Tag(name: name, kind: .text, read: { .text(read($0)) })
    }

    /// Text that may be missing, for `{{#name}}`, `{{^name}}` and, where it is there, `{{name}}`.
    package static func optionalText(_ name: String, _ read: @escaping @Sendable (Input) -> String?) -> Tag {
        Tag(name: name, kind: .optionalText, read: { .text(read($0)) })
    }

    /// The same for text whose line breaks are open.
    static func layout(_ name: String, _ read: @escaping @Sendable (Input) -> Layout) -> Tag {
        Tag(name: name, kind: .text, read: { .layout(read($0)) })
    }

    static func optionalLayout(_ name: String, _ read: @escaping @Sendable (Input) -> Layout?) -> Tag {
        Tag(name: name, kind: .optionalText, read: { .layout(read($0)) })
    }

    /// A yes or no, for `{{#name}}` and `{{^name}}`.
    package static func flag(_ name: String, _ read: @escaping @Sendable (Input) -> Bool) -> Tag {
        Tag(name: name, kind: .flag, read: { .flag(read($0)) })
    }

    /// An input of its own that may be missing, for `{{#name}}`.
    package static func section<Inner: TemplateInput>(
        _ name: String, _ read: @escaping @Sendable (Input) -> Inner?
    ) -> Tag {
        Tag(name: name, kind: .section { Inner.schema }, read: { input in .inputs(read(input).map { [$0] } ?? []) })
    }

    /// Inputs one after the other, for `{{#name}}`.
    package static func list<Inner: TemplateInput>(
        _ name: String, _ read: @escaping @Sendable (Input) -> [Inner]
    ) -> Tag {
        Tag(name: name, kind: .section { Inner.schema }, read: { .inputs(read($0)) })
    }
}

/// The names that a template may use at one place, and what they are.
package struct TemplateSchema: Sendable {
    package enum Kind: Sendable {
        case text, optionalText, flag
        /// Asked for only where a template enters it: statements hold statements.
        case section(@Sendable () -> TemplateSchema)
    }

    /// The name of the place in messages: "a structure".
    let title: String
    let tags: [String: Kind]
}

/// The names that every template has: the places where a line can end.
enum LayoutTag: String, CaseIterable {
    /// Arguments between parentheses: on one line, or each on an indented line.
    case list
    /// What follows a declaration's head, with a space at each end, or on indented lines of its own.
    case clause
    /// What follows a colon or an equals sign, after a space, or on an indented line of its own.
    case continued
    /// Between two elements of the others: a space, or the end of the line.
    case line

    /// The tag of a line has no content.
    var isSection: Bool { self != .line }
}
