import ContractDiff
import Testing

@Suite struct ChangeVerdictTests {
    @Test func theMostSevereColumnIsTheLevel() {
        #expect(ChangeVerdict.none.level == .none)
        #expect(ChangeVerdict(source: .warns("."), behavior: .breaks(".")).level == .breaks)
        #expect(ChangeVerdict(wire: .warns(".")).level == .warns)
    }

    @Test func columnsHaveTheOrderOfReports() {
        let verdict = ChangeVerdict(source: .none, wire: .warns("w"), behavior: .breaks("b"), direction: .oldApp)
        #expect(verdict.columns.map(\.name) == ["source", "wire", "behavior"])
        #expect(verdict.columns.map(\.judgment.sentence) == [nil, "w", "b"])
    }
}
