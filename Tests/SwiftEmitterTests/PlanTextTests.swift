import Foundation
import Testing

/// Templates own the text of what is generated: a plan names things, and makes trees of statements, expressions and types. It
/// spells no Swift.
@Suite struct PlanTextTests {
    private static let plans = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/Tool/SwiftEmitter/Plan")

    /// The code of all plans, by the names of their files.
    private static func sources() throws -> [(name: String, text: String)] {
        let names = try FileManager.default.contentsOfDirectory(atPath: plans.path).sorted()
        return try names.map { ($0, try String(contentsOf: plans.appendingPathComponent($0), encoding: .utf8)) }
    }

    private static func literals(in source: String) -> [String] {
        let code = source.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
        return code.joined(separator: "\n").matches(of: /"((?:\\.|[^"\\\n])*)"/).map { String($0.1) }
    }

    /// The literals of a plan with a word that begins a declaration or a statement.
    private static func statements(in source: String) -> [String] {
        let keyword =
            /\b(struct|enum|extension|func|var|let|case|switch|return|guard|if|for|try|await|as|typealias|import|init)(?: |\()/
        // Findings and doc comments are prose.
        let prose = /`|^What |\bthe\b/
        return literals(in: source).filter { $0.contains(keyword) && !$0.contains(prose) }
    }

    /// The literals of a plan that are neither one name nor prose. A name may be composed, and prose quotes names in
    /// backticks. Whatever else there is has a sign of Swift in it: a dot, a bracket, an operator, a label's colon.
    private static func expressions(in source: String) -> [String] {
        let name = /\w*/
        let prose = /(?:\\n)?\w+(?: \w+)*\.?/
        return literals(in: source).filter { literal in
            let text = literal.replacing(/`[^`]*`/, with: "quoted")
                .replacing(/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/, with: "value")
            let isProse = (literal.contains(" ") || literal.contains("`")) && text.wholeMatch(of: prose) != nil
            return !isProse && text.wholeMatch(of: name) == nil
        }
    }

    @Test func aPlanSpellsNoStatementAndNoExpression() throws {
        let sources = try Self.sources()
        #expect(sources.count > 20, "the plans are somewhere else")
        for (name, source) in sources {
            #expect(Self.statements(in: source).isEmpty, "\(name) spells \(Self.statements(in: source))")
            #expect(Self.expressions(in: source).isEmpty, "\(name) spells \(Self.expressions(in: source))")
        }
    }

    /// Text of a tree that a plan asks for would become part of other text.
    @Test func aPlanAsksNoTreeForItsText() throws {
        for (name, source) in try Self.sources() {
            for spelling in ["SwiftLiteral", "SwiftPrinter", ".joined(separator:"] {
                #expect(!source.contains(spelling), "\(name) uses \(spelling)")
            }
            let spelled = source.matches(of: /(\w*)\.spelled\b(?!\(as:)/).map(\.1).filter { $0 != "SwiftIdentifier" }
            #expect(spelled.isEmpty, "\(name) spells \(spelled)")
        }
    }

    @Test func aPlantedStatementIsFound() {
        #expect(Self.statements(in: #"lines.append("return \(value)")"#) == [#"return \(value)"#])
        #expect(Self.statements(in: #"doc = "The failures of `if (x)`.""#).isEmpty)
        #expect(Self.statements(in: "// \"return 1\"\n").isEmpty)
    }

    @Test(arguments: [
        #"check.range(\(name), \(value))"#, "self.", #"\(value).map"#, #"Nullable<\(type)>"#, "{ $0", "$0", " ?? ",
        ", ",
        #"label: \(value)"#, "()", ".absent", "[]", #"\(type)?"#, "&reader", #"-\(digits)"#, "! ",
    ])
    func aPlantedExpressionIsFound(_ planted: String) {
        #expect(Self.expressions(in: "let text = \"\(planted)\"") == [planted])
    }

    @Test(arguments: [
        "rawValue", "", #"_\(name)"#, #"readOptional\(kind(of: shape))"#, #"The failures of `\(name).load()`."#,
        "must be a date in the years 0 to 9999", #"\n`\(read)` confirms whether it took effect."#,
    ])
    func aNameAndProseAreNoExpression(_ literal: String) {
        #expect(Self.expressions(in: "let text = \"\(literal)\"").isEmpty)
    }
}
