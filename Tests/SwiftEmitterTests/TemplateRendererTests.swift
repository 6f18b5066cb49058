import Testing

@testable import SwiftEmitter

/// What a template makes of its input, by the rules of Mustache (https://mustache.github.io/mustache.5.html).
@Suite struct TemplateRendererTests {
    private func rendered(_ template: String, partials: [String: String] = [:]) -> String {
        var renderer = TemplateRenderer(
            partials.merging(["main": template]) { $1 }.mapValues { Template($0, TemplateTokens($0)) })
        return renderer.render("main", with: Shelf()).printed
    }

    @Test(arguments: [
        ("{{name}}", "North"), ("{{ name }}", "North"),
        ("<{{quoted}}>", "<\"a\" & b>"),
        ("[{{note}}]", "[]"), ("{{#note}}x{{/note}}{{^note}}none{{/note}}", "none"),
        ("{{#sign}}({{sign}}){{/sign}}{{^sign}}none{{/sign}}", "(!)"),
        ("{{#isOpen}}open{{/isOpen}}{{^isOpen}}closed{{/isOpen}}", "open"),
        ("{{#isFull}}full{{/isFull}}{{^isFull}}free{{/isFull}}", "free"),
        ("{{#books}}{{title}}{{^isLast}}, {{/isLast}}{{/books}}", "One, Two"),
        ("{{#none}}x{{/none}}{{^none}}empty{{/none}}", "empty"),
        ("{{#books}}{{name}}/{{title}} {{/books}}", "North/One North/Two "),
        ("{{#first}}{{title}}{{/first}}{{#last}}x{{/last}}{{^last}}no last{{/last}}", "Oneno last"),
    ])
    func tags(_ template: String, _ text: String) {
        #expect(rendered(template) == text)
    }

    @Test(arguments: [
        ("a\n{{#isOpen}}\nb\n{{/isOpen}}\nc\n", "a\nb\nc\n"),
        ("a\n  {{#isOpen}}  \n  b\n\t{{/isOpen}}\nc\n", "a\n  b\nc\n"),
        ("a\r\n{{#isOpen}}\r\nb\r\n{{/isOpen}}\r\nc\r\n", "a\nb\nc\n"),
        ("{{! why }}\na\n{{! why }}", "a\n"), ("{{! why\nso }}\na", "a"),
        ("a {{#isOpen}}\nb\n{{/isOpen}} c", "a \nb\n c"),
        ("{{#isOpen}}{{#isOpen}}\nb\n{{/isOpen}}{{/isOpen}}\n", "b\n"),
        ("{{name}}\n{{name}}\n", "North\nNorth\n"), ("  {{note}}\n", ""),
        ("{{#books}}\n{{title}}\n{{/books}}", "One\nTwo\n"),
        ("ä{{name}}\u{301}\n", "äNorth\u{301}\n"),
    ])
    func aTagAloneOnItsLineTakesTheLineWithIt(_ template: String, _ text: String) {
        #expect(
            rendered(template).unicodeScalars.elementsEqual(text.unicodeScalars),
            "\(rendered(template).debugDescription)")
    }

    /// The lines of a partial are indented as its tag is (https://mustache.github.io/mustache.5.html, "Partials").
    @Test func aPartialIsIndented() {
        let partials = ["book": "{\n\t{{title}}\n\n{{#last}}x{{/last}}\n}\n"]
        #expect(
            rendered("a\n\n  {{#books}}\n  {{> book}}\n  {{/books}}\n\nb\n", partials: partials)
                == "a\n  {\n      One\n  }\n  {\n      Two\n  }\nb\n")
    }

    /// A blank line separates two lines of the same indentation, and is at no edge of a block.
    @Test func blankLinesSeparate() {
        #expect(rendered("\n\na {\n\n\n  b\n\n\n  c\n\n}\n\n\nd\n\n") == "a {\n  b\n\n  c\n}\n\nd\n")
    }

    @Test(arguments: [
        ("f({{#list}}{{#books}}{{title}}{{^isLast}},{{line}}{{/isLast}}{{/books}}{{/list}})", "f(One, Two)"),
        ("f({{#list}}{{#none}}x{{/none}}{{/list}})", "f()"),
        ("f({{#list}}~,{{line}}~{{/list}})", "f(\n    ~,\n    ~\n)"),
        ("case a:{{#continued}}b{{/continued}}", "case a: b"),
        ("case ~:{{#continued}}~{{/continued}}", "case ~:\n    ~"),
        ("struct a:{{#clause}}b,{{line}}c{{/clause}}{", "struct a: b, c {"),
        ("struct ~:{{#clause}}~,{{line}}c{{/clause}}{", "struct ~:\n    ~,\n    c\n{"),
    ])
    func tagsOfTheLayout(_ template: String, _ text: String) {
        let long = String(repeating: "long", count: 16)
        #expect(rendered(template.replacing("~", with: long)) == text.replacing("~", with: long))
    }

    @Test func aPartialIsRenderedWithTheInputOfItsPlace() {
        let partials = ["book": "<{{title}} of {{name}}>\n"]
        #expect(
            rendered("{{#books}}\n{{> book}}\n{{/books}}\nend\n", partials: partials)
                == "<One of North>\n<Two of North>\nend\n")
    }
}

private struct Shelf: TemplateInput {
    static let table = TagTable<Shelf>(
        "a shelf",
        [
            .text("name") { _ in "North" }, .text("quoted") { _ in "\"a\" & b" }, .optionalText("note") { _ in nil },
            .optionalText("sign") { _ in "!" }, .flag("isOpen") { _ in true }, .flag("isFull") { _ in false },
            .list("books") { _ in [Book(title: "One", isLast: false), Book(title: "Two", isLast: true)] },
            .list("none") { _ in [Book]() }, .section("first") { _ in Book(title: "One", isLast: false) },
            .section("last") { _ in Book?.none },
        ])
}

private struct Book: TemplateInput {
    let title: String
    let isLast: Bool

    static let table = TagTable<Book>("a book", [.text("title") { $0.title }, .flag("isLast") { $0.isLast }])
}
