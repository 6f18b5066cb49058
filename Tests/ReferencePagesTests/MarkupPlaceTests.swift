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
        // URLs: of code, without a whole host, with a scheme that may be empty before or hidden.
        "<a href=\"javascript:show('{{title}}')\">", "<object data=\"data:text/html,{{title}}\">",
        "<a href=\" {{title}}\">", "<a href=\"\t{{title}}\">", "<a href=\"{{line}}{{title}}\">",
        "<a href=\"&#106;ava{{title}}\">",
        "<a href=\"&#32;{{title}}\">", "<a href=\"java{{title}}\">", "<a href=\"{{root}}java{{title}}\">",
        "<a href=\"{{root}} {{title}}\">", "<a href=\"java\tscript:/{{title}}\">", "<a href=\"/{{title}}\">",
        "<a href=\"//{{title}}\">", "<a href=\"/\\{{title}}\">", "<a href=\"https://{{title}}\">",
        "<a href=\"https://a.example{{title}}\">", "<a href=\"https:{{title}}\">", "<a href=\"https:///{{title}}\">",
        "<meta http-equiv=refresh content={{title}}>", "<meta http-equiv=\"refresh\" content=\"{{title}}\">",
        "<META CONTENT='0; url={{title}}' http-equiv=refresh>", "<meta content=\"0; url=/{{title}}\">",
        "<img srcset=\"{{root}}a.png, {{title}}\">", "<a href=\"{{#links}}java{{/links}}{{title}}\">",
        "<a href=\"{{#links}}{{href}}{{/links}}{{title}}\">",
        // Sections that change what follows, or themselves when they are repeated.
        "<p {{#links}}on{{/links}}click=\"{{title}}\">", "<p {{#links}}click=\"{{name}}\" on{{/links}}>",
        "<p {{#links}}onclick {{/links}}=\"{{title}}\">", "<h{{#links}}1{{/links}}>",
        "<script></scr{{#links}}a{{/links}}ipt>{{title}}", "<!-- a -{{#links}}b{{/links}}-> {{title}}",
        "<a href=\"a.html{{#links}}\" href=\"{{/links}}\" title={{title}}>",
        // Elements without tags.
        "<title><p title=\"</title><script>\"{{title}}\"</script>", "<textarea><!--</textarea><p title={{title}}> -->",
        "<svg><title><p title={{title}}></title></svg>", "<!--!> <p> --> <p title={{title}}>",
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
        "<a href=\"/pages/{{title}}\">", "<a href=\"pages/{{title}}\">", "<a href=\"?q={{title}}\">",
        "<a href=\"#{{title}}\">", "<a href=\"//a.example/{{title}}\">", "<a href=\"{{root}}pages/{{title}}\">",
        "<a href=\"{{#links}}a.html{{/links}}{{^links}}b.html{{/links}}\">",
        "<a href=\"https://a.example/{{#links}}{{name}}/{{/links}}\">", "<a href=\"{{#links}}{{href}}{{/links}}\">",
        "<p {{#links}}hidden{{/links}} title=\"{{title}}\">",
        "<p {{#links}}title=\"{{name}}\" {{/links}}class=\"{{title}}\">",
        "<p class=\"{{#links}}{{name}} {{/links}}a\">", "<script>{{#links}}var a = 1;{{/links}}</script>{{title}}",
        "<!-- {{#links}}a{{/links}} -->{{title}}", "<title>a < b {{#links}}{{name}}{{/links}}</title>",
        "<p hidden>{{title}}", "<p content=\"{{title}}\">", "<p data-a=\"{{title}}\" class=\"{{title}}\">",
    ]) func aTextAndAnAttributeInQuotesAreTaken(_ text: String) {
        #expect(findings("{{#page}}\(text){{/page}}").map(\.message) == [])
    }

    @Test(arguments: [
        ("[a]({{title}})", false), ("[a]( <{{title}}>)", false), ("[a]: {{title}}", false), ("<{{title}}>", false),
        ("<a href={{title}}>", false), ("[a](page.md#{{title}})", true),
        ("{{#links}}[{{name}}]({{href}}){{/links}}", true),
        ("* {{title}} (a)", true), ("`{{title}}`", true),
        ("[a]({{#links}}{{name}}{{/links}})", false), ("[a](\n{{title}})", false), ("[a]({{root}}{{title}})", false),
        ("[a](java{{title}})", false), ("[a](javascript:f({{title}}))", false), ("[a](&#106;{{title}}/)", false),
        ("[a](javascript\\:{{title}})", false), ("[a]{{title}}", false), ("{{#links}}({{name}})[a]{{/links}}", false),
        ("[a]{{#links}}({{name}}){{/links}}", false), ("{{#links}}[a]({{/links}}{{title}})", false),
        ("[a](pages/{{title}})", true), ("[a](x.md \"{{title}}\")", true), ("[a]({{root}} \"{{title}}\")", true),
        ("[a](x.md) ({{title}})", true), ("[a] {{title}}", true), ("[a]{{#links}}({{href}}){{/links}}.", true),
        ("{{#links}}\n[{{name}}]: {{href}}\n{{/links}}\n", true),
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
