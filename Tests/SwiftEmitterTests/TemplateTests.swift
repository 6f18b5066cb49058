import Diagnostics
import Testing

@testable import SwiftEmitter

/// Templates are checked before anything is rendered: what Mustache would swallow is an error with its place.
@Suite struct TemplateTests {
    private func findings(_ template: String, as name: String = "alias") -> [Diagnostic] {
        let overrides = ["\(name).mustache": TemplateText(file: "mine/\(name).mustache", text: template)]
        return TemplateCatalog.load(overrides: overrides).diagnostics
    }

    @Test func builtInTemplatesAreSound() {
        let loaded = TemplateCatalog.load()
        #expect(loaded.diagnostics.isEmpty)
        #expect(loaded.catalog != nil)
        #expect(TemplateCatalog.fileNames.contains("client.mustache"))
    }

    @Test func anUnknownNameHasItsPlaceAndTheNearestOne() throws {
        let finding = try #require(findings("{{access}} typealias\n  {{nmae}} = {{target}}\n").first)
        #expect(finding.rule == "template-name-unknown")
        #expect(finding.file == "mine/alias.mustache")
        #expect(finding.range?.start == SourcePosition(line: 2, column: 3, offset: 23))
        #expect(finding.help == "did you mean `name`?")
    }

    @Test(arguments: [
        ("{{#doc}}x{{/doc}}", "template-name-misused"),
        ("{{name}", "template-tag-not-closed"),
        ("{{", "template-tag-not-closed"),
        ("{{> nothing}}", "template-partial-unknown"),
        ("{{> alias}}", "template-partial-recursive"),
        ("{{/name}}", "template-section-not-opened"),
        ("{{=<% %>=}}", "template-tag-unsupported"),
        ("{{<alias}}", "template-tag-unsupported"),
        ("{{{name}}}", "template-tag-unsupported"), ("{{&name}}", "template-tag-unsupported"),
        ("{{upper(name)}}", "template-name-unknown"),
        ("{{name}} {{> members}}", "template-partial-inline"),
        ("{{> members}} {{name}}", "template-partial-inline"),
        ("{{list}}", "template-name-misused"),
        ("{{^clause}}x{{/clause}}", "template-name-misused"),
        ("{{#line}}x{{/line}}", "template-name-misused"),
        ("{{#list}}x", "template-section-not-closed"),
    ])
    func isRefused(_ template: String, _ rule: String) {
        #expect(findings(template).map(\.rule) == [rule])
    }

    /// A statement holds statements, so its template takes itself in where it goes down to them, and nowhere else.
    @Test func aTemplateTakesItselfInOnTheWayDown() {
        #expect(findings("{{#loop}}{{#body}}\n{{> statement}}\n{{/body}}{{/loop}}", as: "statement").isEmpty)
        let endless = [
            "{{> statement}}",
            "{{#loop}}\n{{> statement}}\n{{/loop}}",
            "{{#encoding}}\n{{> statement}}\n{{/encoding}}",
        ]
        for template in endless {
            let rules = findings(template, as: "statement").map(\.rule)
            #expect(rules.contains("template-partial-recursive"), "\(template): \(rules)")
        }
    }

    /// The tags of the layout are no names of an input.
    @Test func noInputHasANameOfTheLayout() {
        var titles: Set<String> = []
        func check(_ schema: TemplateSchema) {
            guard titles.insert(schema.title).inserted else { return }
            for (name, kind) in schema.tags {
                #expect(LayoutTag(rawValue: name) == nil, "\(name) of \(schema.title)")
                if case .section(let inner) = kind { check(inner()) }
            }
        }
        for schema in [ClientInput.schema, ErrorsInput.schema, TypesInput.schema, CommandsInput.schema] {
            check(schema)
        }
        #expect(titles.count > 20)
    }

    @Test func sectionsMustBeClosedInTheirOrder() {
        let rules = findings("{{#reader}}{{#isText}}{{/reader}}{{/isText}}", as: "enumeration").map(\.rule)
        #expect(rules == ["template-section-mismatched", "template-section-mismatched"])
        #expect(findings("{{#open}}", as: "enumeration").map(\.rule) == ["template-section-not-closed"])
    }

    @Test func namesOfAnInnerSectionAreUnknownOutside() {
        #expect(findings("{{tokens}}", as: "enumeration").map(\.rule) == ["template-name-unknown"])
        #expect(findings("{{#reader}}{{tokens}} {{name}}{{/reader}}", as: "enumeration").isEmpty)
    }

    @Test func aFileThatIsNoTemplateIsRefused() {
        let finding = findings("", as: "structrue").first
        #expect(finding?.rule == "template-file-unknown")
        #expect(finding?.help == "did you mean `structure.mustache`?")
    }

    @Test func anOverrideTakesTheTemplatesPlace() throws {
        let template = TemplateText(file: "mine/alias.mustache", text: "    // <{{name}} & \"{{target}}\">\n")
        let emitted = try EmittedContract(
            EmittedContract.contract("types: {Code: {alias: string}}\nendpoints: {a: {get: /a, response: Code}}\n"),
            overrides: ["alias.mustache": template])
        #expect(emitted.text.contains("    // <Code & \"String\">\n"), "nothing is escaped as if it were HTML")
    }
}
