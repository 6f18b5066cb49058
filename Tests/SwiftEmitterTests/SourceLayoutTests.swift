import Foundation
import Testing

@testable import SwiftEmitter

/// Rendered text becomes source code as `swift format` leaves it. That it does, `scripts/check-format` holds for everything
/// that is generated; the golden case `wide` has what needs breaking.
@Suite struct SourceLayoutTests {
    /// A name of a length that no line has room for twice.
    private static let long = String(repeating: "long", count: 16)

    @Test func linesAreIndentedByTheirBrackets() {
        let text = """
            struct A {
            func f() {
            switch x {
            case 1:
            g(
            [
            "}",
            ]
            )
            default: break
            }
            }
            }
            """
        let wanted = """
            struct A {
                func f() {
                    switch x {
                    case 1:
                        g(
                            [
                                "}",
                            ]
                        )
                    default: break
                    }
                }
            }

            """
        #expect(SourceLayout.formatted(text) == wanted)
    }

    @Test func blankLinesSeparateAndNothingElse() {
        #expect(SourceLayout.formatted("\n\na {\n\n\nb\n\n\nc\n\n}\n\n\n") == "a {\n    b\n\n    c\n}\n")
    }

    @Test func conditionalImportsAreNotIndented() {
        #expect(
            SourceLayout.formatted("#if a\nimport B\n#else\nimport C\n#endif\n")
                == "#if a\nimport B\n#else\nimport C\n#endif\n")
    }

    /// Each line with what it becomes; `~` is the long name.
    @Test(arguments: [
        ("f(~, ~)", "f(\n    ~,\n    ~\n)\n"),
        ("f(a, g(~, ~), b)", "f(\n    a,\n    g(\n        ~,\n        ~\n    ),\n    b\n)\n"),
        ("let a = [~, ~]", "let a = [\n    ~,\n    ~,\n]\n"),
        ("a = ~ ? ~ : b", "a =\n    ~\n    ? ~\n    : b\n"),
        ("guard ~, let ~ else { return nil }", "guard\n    ~,\n    let ~\nelse {\n    return nil\n}\n"),
        ("struct ~: Sendable, ~ {\n}", "struct ~:\n    Sendable,\n    ~\n{\n}\n"),
        ("a = b(~).map { c in ~(c) }", "a = b(~).map { c in\n    ~(c)\n}\n"),
        ("func f(~: A, b: B) async throws(~) -> C {\n}", "func f(\n    ~: A,\n    b: B\n) async throws(~) -> C {\n}\n"),
    ])
    func aWideLineIsBroken(_ line: String, _ wanted: String) {
        let text = line.replacing("~", with: Self.long)
        #expect(SourceLayout.formatted(text) == wanted.replacing("~", with: Self.long))
    }

    @Test func aWideLiteralBecomesOneOfSeveralLines() {
        let text = "f(a, b: \"\(Self.long) \(Self.long)\")\nf(\"\(Self.long),\(Self.long)\")"
        let wanted = """
            f(
                a,
                b: \"""
                    ~ \\
                    ~
                    \"""
            )
            f(
                \"""
                ~,\\
                ~
                \"""
            )

            """
        #expect(SourceLayout.formatted(text) == wanted.replacing("~", with: Self.long))
    }

    @Test func aWideCommentGoesOn() {
        let text = "    /// \(Self.long) \(Self.long)\n"
        #expect(SourceLayout.formatted(text) == "/// \(Self.long)\n/// \(Self.long)\n")
    }

    @Test(arguments: GoldenTests.cases) func nothingIsTooWide(_ golden: GoldenTests.Case) throws {
        let emitted = try EmittedContract(
            String(contentsOf: golden.contract, encoding: .utf8), file: golden.contract.lastPathComponent,
            options: golden.options)
        for line in emitted.text.split(separator: "\n") { #expect(line.count <= SourceLayout.width, "\(line)") }
    }
}
