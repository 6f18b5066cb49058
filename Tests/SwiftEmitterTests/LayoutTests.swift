import Foundation
import Testing

@testable import SwiftEmitter

/// Layouts are printed as `swift format` leaves source code. `scripts/check format` checks everything that is generated; the
/// golden case `wide` contains what does not fit on a line.
@Suite struct LayoutTests {
    // Foundation has an `Expression` too.
    typealias Code = SwiftEmitter.Expression

    /// A name of a length that no line has room for twice.
    private static let long = String(repeating: "long", count: 16)
    private static let name = Code.name(long)

    /// Each expression with its text; `~` is the long name.
    @Test(arguments: [
        (Code.call(.name("f"), [Argument(name)]), "f(~)"),
        (.call(.name("f"), [Argument(name), Argument("a", name)]), "f(\n    ~,\n    a: ~\n)"),
        (
            .call(.name("f"), [Argument(name.method("g", name, name)), Argument(.bool(true))]),
            "f(\n    ~.g(\n        ~,\n        ~\n    ),\n    true\n)"
        ),
        (.array([name, name]), "[\n    ~,\n    ~,\n]"),
        (.array([name.method("of", name)]), "[\n    ~.of(\n        ~\n    )\n]"),
        (.strings([long, "a", "b", long]), "[\n    \"~\", \"a\", \"b\",\n    \"~\",\n]"),
        (.rows([.bool(true), .bool(false)]), "[\n    true,\n    false,\n]"),
        (.conditional(name, name, otherwise: .null), "~\n    ? ~\n    : nil"),
        (name.method("map", closure: name), "~.map {\n    ~\n}"),
        // Of several groups on a line, the last one is broken.
        (
            .call(
                .member(.call(.name("load"), [Argument("from", .bool(true))]), "map"), [Argument(name), Argument(name)]),
            "load(from: true).map(\n    ~,\n    ~\n)"
        ),
    ])
    func aGroupIsOnOneLineOrBroken(_ expression: Code, _ wanted: String) {
        #expect(expression.layout.printed == wanted.replacing("~", with: Self.long))
    }

    /// `swift format` counts a comma after the list's last element. It calls the line of 120 columns too long.
    @Test(arguments: [("b", true), ("bb", false)]) func aListInACallHasRoomForItsComma(_ label: String, _ fits: Bool) {
        let text = String(repeating: "x", count: 49)
        let call = Code.call(.name("f"), [Argument(.strings(["a", text])), Argument(label, .strings([text]))])
        let layout = call.layout
        #expect(layout.flat.count == LayoutPrinter.width - (fits ? 1 : 0))
        #expect((layout.printed == layout.flat) == fits)
    }

    @Test func theValueOfAnAssignmentGoesOn() {
        func assigned(_ value: Code) -> String {
            var layout = Layout()
            layout.add("name =")
            layout.add(SwiftPrinter.layout { $0.addAssigned(value) })
            return layout.printed.replacing(Self.long, with: "~")
        }
        #expect(assigned(Self.name) == "name = ~")
        #expect(
            assigned(.call(Self.name, [Argument(.name("b"))]).method("c", .name(String(Self.long.dropLast(20)))))
                == "name =\n    ~(b).c(\(Self.long.dropLast(20)))")
        #expect(assigned(.conditional(Self.name, Self.name, otherwise: .null)) == "name =\n    ~\n    ? ~\n    : nil")
    }

    @Test func aWideLiteralBecomesOneOfSeveralLines() {
        let text = "\(Self.long) \"\(Self.long),\(Self.long)"
        let call = Code.call(.name("f"), [Argument("b", .string(text)), Argument(.string(text))])
        let wanted = #"""
            f(
                b: """
                    ~ \
                    \"~,\
                    ~
                    """,
                """
                ~ \
                \"~,\
                ~
                """
            )
            """#
        #expect(call.layout.printed == wanted.replacing("~", with: Self.long))
    }

    @Test func aWideCommentGoesOn() {
        let comment = DocComment("\(Self.long) \(Self.long)\n\nb")
        #expect(comment.layout.printed == "/// \(Self.long)\n/// \(Self.long)\n///\n/// b\n")
    }

    /// What follows a declaration's parameters is broken only if it does not fit on the line of the closing parenthesis.
    @Test(arguments: [
        ("~", "B", "f(a: ~) -> B {"), ("~", "~", "f(\n    a: ~\n) -> ~ {"),
        ("~", "~~", "f(\n    a: ~\n)\n    -> ~~\n{"), ("", "~~", "f()\n    -> ~~\n{"),
    ])
    func aClauseIsBrokenLast(_ parameter: String, _ result: String, _ wanted: String) {
        var layout = Layout()
        layout.add("f(")
        let list = layout.begin(.cut)
        if !parameter.isEmpty { layout.add("a: " + parameter.replacing("~", with: Self.long)) }
        layout.end(list, .cut)
        layout.add(")")
        let clause = layout.begin(.space, as: .clause)
        layout.add("-> " + result.replacing("~", with: Self.long))
        layout.end(clause, .space)
        layout.add("{")
        #expect(layout.printed.replacing(Self.long, with: "~") == wanted)
    }

    @Test(arguments: GoldenTests.cases) func nothingIsTooWide(_ golden: GoldenTests.Case) throws {
        let emitted = try EmittedContract(
            String(contentsOf: golden.contract, encoding: .utf8), file: golden.contract.lastPathComponent,
            options: golden.options)
        for line in emitted.text.split(separator: "\n") { #expect(line.count <= LayoutPrinter.width, "\(line)") }
    }
}
