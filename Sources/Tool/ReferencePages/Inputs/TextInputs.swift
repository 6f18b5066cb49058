import SwiftEmitter

/// A part of a paragraph: text or code, which can be a link.
struct Run: TemplateInput {
    var text: String?
    var code: String?
    var href: String?

    static func text(_ text: String, href: String? = nil) -> Run { Run(text: text, href: href) }
    static func code(_ code: String, href: String? = nil) -> Run { Run(code: code, href: href) }

    static let table = TagTable<Run>(
        "a part of a paragraph",
        [.optionalText("text") { $0.text }, .optionalText("code") { $0.code }, .optionalText("href") { $0.href }])
}

struct Paragraph: TemplateInput {
    var runs: [Run]

    static let table = TagTable<Paragraph>("a paragraph", [.list("runs") { $0.runs }])
}

/// A link to another page.
struct Link: TemplateInput {
    var name: String
    var href: String
    /// Whether it is the page that the link is on.
    var isCurrent = false

    static let table = TagTable<Link>(
        "a link", [.text("name") { $0.name }, .text("href") { $0.href }, .flag("isCurrent") { $0.isCurrent }])
}

/// What every page has at its top.
struct PageHead: TemplateInput {
    var title: String
    /// The path from the page to the site's folder: nothing, or `../`.
    var root: String
    /// The pages above it, and those beside it.
    var links: [Link]

    static let table = TagTable<PageHead>(
        "the head of a page", [.text("title") { $0.title }, .text("root") { $0.root }, .list("links") { $0.links }])
}

/// A field, a parameter or a header.
struct FieldRow: TemplateInput {
    var name: String
    /// `path`, `query`, `header`, `cookie` or `body`; nil where there is one place.
    var place: String?
    var type: [Run]
    var isRequired: Bool
    /// The doc and what a value must be.
    var meaning: [Run]

    static let table = TagTable<FieldRow>(
        "a field",
        [
            .text("name") { $0.name }, .optionalText("place") { $0.place }, .list("type") { $0.type },
            .flag("isRequired") { $0.isRequired }, .list("meaning") { $0.meaning },
        ])
}

/// A table of fields.
struct FieldTable: TemplateInput {
    /// The name of the table for people who do not see it.
    var caption: String
    var fields: [FieldRow]
    var hasPlaces: Bool { fields.contains { $0.place != nil } }

    static let table = TagTable<FieldTable>(
        "a table of fields",
        [
            .text("caption") { $0.caption }, .list("fields") { $0.fields }, .flag("hasPlaces") { $0.hasPlaces },
        ])
}
