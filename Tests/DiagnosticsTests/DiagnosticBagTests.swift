import Diagnostics
import Testing

@Suite struct DiagnosticBagTests {
    private func range(_ file: String, _ offset: Int) -> SourceRange {
        let start = SourcePosition(line: 1, column: offset + 1, offset: offset)
        return SourceRange(file: file, start: start, end: start)
    }

    @Test func sortsByFilePlaceAndRuleAndDropsRepetitions() {
        let all = [
            Diagnostic(rule: .sample("b"), message: "1", file: "a.yaml"),
            Diagnostic(rule: .sample("b"), message: "2", at: range("a.yaml", 3)),
            Diagnostic(rule: .sample("c"), message: "3", at: range("a.yaml", 3)),
            Diagnostic(rule: .sample("a"), message: "4", at: range("a.yaml", 20)),
            Diagnostic(rule: .sample("a"), message: "5", file: "b.yaml"),
        ]
        for _ in 0..<10 {
            let bag = DiagnosticBag(all.shuffled() + all.shuffled())
            #expect(bag.sorted().map(\.message) == ["1", "2", "3", "4", "5"])
        }
    }

    @Test func knowsWhetherThereAreErrors() {
        var bag = DiagnosticBag()
        #expect(bag.isEmpty && !bag.hasErrors)
        bag.add(Diagnostic(rule: .sample("a"), severity: .warning, message: "w", file: "a"))
        #expect(!bag.hasErrors)
        bag.add(contentsOf: [Diagnostic(rule: .sample("a"), message: "e", file: "a")])
        #expect(bag.hasErrors)
        #expect(bag.count(of: .warning) == 1)
    }

    @Test func anEndBeforeTheStartIsAnEmptyRange() {
        let reversed = SourceRange(file: "a", start: range("a", 5).start, end: range("a", 2).start)
        #expect(reversed.isEmpty)
        #expect(range("a", 2).joined(with: range("a", 5)).end.offset == 5)
    }
}
