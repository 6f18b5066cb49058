import Foundation
import Testing

/// Templates own the text of what is generated: a plan names things and spells no declaration and no statement of Swift.
@Suite struct PlanTextTests {
    private static let plans = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/SwiftEmitter/Plan")

    /// The words in the literals of a plan that begin a declaration or a statement.
    private static func swift(in source: String) -> [String] {
        let code = source.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
        let literals = code.joined(separator: "\n").matches(of: /"((?:\\.|[^"\\\n])*)"/).map { String($0.1) }
        let keyword =
            /\b(struct|enum|extension|func|var|let|case|switch|return|guard|if|for|typealias|import|init)(?: |\()/
        // Findings and doc comments are prose.
        let prose = /`|^What |\bthe\b/
        return literals.filter { $0.contains(keyword) && !$0.contains(prose) }
    }

    @Test func aPlanSpellsNoSwift() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.plans.path)
        #expect(names.count > 20, "the plans are somewhere else")
        for name in names.sorted() {
            let source = try String(contentsOf: Self.plans.appendingPathComponent(name), encoding: .utf8)
            let found = Self.swift(in: source)
            #expect(found.isEmpty, "\(name) spells \(found)")
        }
    }

    @Test func aPlantedStatementIsFound() {
        #expect(Self.swift(in: #"lines.append("return \(value)")"#) == [#"return \(value)"#])
        #expect(Self.swift(in: #"doc = "The failures of `if (x)`.""#).isEmpty)
        #expect(Self.swift(in: "// \"return 1\"\n").isEmpty)
    }
}
