import Diagnostics
import SwiftEmitter
import Testing

@testable import ReferencePages

/// A template of a user cannot have a value where the text of a contract could become markup or code.
@Suite struct MarkupPlaceTests {
    private func findings(_ text: String, _ file: String = "site.html.mustache") -> [Diagnostic] {
        let template = TemplateText(file: "mine/" + file, text: text)
        return PageTemplates.load(.html, overrides: [file: template]).diagnostics
    }

    @Test(arguments: [
        "<p title={{title}}>", "<p title = {{title}}>", "<p title=a{{title}}>", "<p {{title}}>", "<p {{title}}=\"a\">",
        "<p class=\"a\" {{title}}>",
        "<{{title}}>", "</{{title}}>", "<p a{{title}}=\"b\">", "<!{{title}}>", "<?{{title}}>",
        "<script>var a = \"{{title}}\"</script>", "<SCRIPT async>{{title}}</SCRIPT>",
        "<script>a</scripty>{{title}}</script>",
        "<style>p { color: {{title}} }</style >", "<iframe>{{title}}</iframe>", "<noscript>{{title}}</noscript>",
        "<p onclick=\"f('{{title}}')\">", "<p ONCLICK='{{title}}'>", "<p style=\"color: {{title}}\">",
        "<iframe srcdoc=\"{{title}}\"></iframe>",
        "<a href=\"{{title}}\">", "<a href='{{root}}{{title}}'>",
        "<img src=\"{{title}}\">",
        "<form action='{{title}}'></form>", "<!-- {{title}} -->", "<!--> <p title={{title}}> -->",
        "<!-- a --!> <p title={{title}}> -->",
        "<p{{#links}} title=\"{{/links}}\">", "{{#links}}<script>{{/links}}</script>",
        "{{#links}}<p title={{/links}}\"a\">", "<p title=\"", "<script>", "<!-- ",
    ]) func aValueThatCouldBecomeMarkupIsRefused(_ text: String) {
        let found = findings("{{#page}}\(text){{/page}}")
        #expect(
            !found.isEmpty && found.allSatisfy { $0.isOf(.templateValueAsMarkup) }, "\(found.map(\.message))")
        #expect(found.allSatisfy { $0.file == "mine/site.html.mustache" && $0.range?.start.line == 1 })
    }

    @Test(arguments: [
        "<p title=\"{{title}}\">{{title}}</p>", "<p title='{{title}}'>", "<p\n  title = \"a {{title}} b\">",
        "<a href=\"{{root}}index.html#{{title}}\">", "<a href=\"https://example.com/?q={{title}}\">",
        "<br/>{{title}}", "a < b {{title}}", "a <3 {{title}}", "<title>{{title}}</title>",
        "<textarea>{{title}}</textarea>",
        "<script src=\"{{root}}search.js\" defer></script>{{title}}", "<style>p { color: red }</style>{{title}}",
        "<script>if (1 < 2) { \"<p title=\" }</script>{{title}}", "<!-- a \" comment -->{{title}}",
        "<!doctype html>{{title}}", "<!---->{{title}}", "<p title=a>{{title}}", "<p title=a b='{{title}}'>",
        "<svg><text x=\"1\">{{title}}</text></svg>",
        "{{#links}}<li><a href=\"{{href}}\"{{#isCurrent}} aria-current=\"page\"{{/isCurrent}}>{{name}}</a>{{/links}}",
        "<p hidden>{{title}}", "<p data-a=\"{{title}}\" class=\"{{title}}\">",
    ]) func aTextAndAnAttributeInQuotesAreTaken(_ text: String) {
        #expect(findings("{{#page}}\(text){{/page}}").map(\.message) == [])
    }

    @Test(arguments: [
        ("[a]({{title}})", false), ("[a]( <{{title}}>)", false), ("[a]: {{title}}", false), ("<{{title}}>", false),
        ("<a href={{title}}>", false), ("[a](page.md#{{title}})", true),
        ("{{#links}}[{{name}}]({{href}}){{/links}}", true),
        ("* {{title}} (a)", true), ("`{{title}}`", true),
    ]) func linksOfMarkdownLeadIntoTheSite(_ text: String, _ isTaken: Bool) {
        #expect(findings("{{#page}}\(text){{/page}}", "site.md.mustache").isEmpty == isTaken)
    }

    @Test func theFindingSaysThePlaceAndWhatToWrite() throws {
        let found = try #require(findings("<ul>\n{{#contracts}}\n<li title={{name}}>\n{{/contracts}}\n</ul>\n").first)
        #expect(found.range?.start.line == 3 && found.range?.start.column == 11)
        #expect(found.message == "`{{name}}` is the value of an attribute without quotes")
        #expect(found.help == "write quotes around it: `title=\"{{name}}\"`")
    }
}
