import ContractModel
import Testing

@testable import ContractDiff

/// Types that stand for each other: as many pairs as both contracts have types, multiplied.
@Suite struct TypePairTests {
    /// A contract whose types all lead to each other, in an order that differs between two letters.
    private static func contract(_ letter: String, by power: Int) -> String {
        let count = 12
        let types = (0..<count).map { number in
            let next = (0..<count).map { "n\($0): \(letter)\(((power == 1 ? $0 : $0 * $0) + number) % count)?" }
            return "  \(letter)\(number): {\(next.joined(separator: ", ")), own\(letter)\(number): int?}\n"
        }
        return
            "errand: 1\nservice: Shop\nservers: {main: https://shop.example}\ntypes:\n\(types.joined())endpoints:\n  getItem: {get: /item, response: \(letter)0}\n"
    }

    /// The verdicts of the edits, and the pairs.
    private func compare(_ bounds: TypePairs.Bounds) throws -> (verdicts: [ChangeVerdict], pairs: TypePairs) {
        let examinations = [Self.contract("A", by: 1), Self.contract("B", by: 2)].map {
            ContractPair.examine($0, "shop.contract.yaml")
        }
        let versions = try examinations.map {
            try ContractVersion($0, #require($0.resolved), written: #require($0.written))
        }
        let (edits, pairs) = TreeComparison.edits(
            from: versions[0].tree, to: versions[1].tree, (versions[0].types, versions[1].types), bounds)
        let verdicts = edits.compactMap { edit in
            VerdictTable.outcome(edit.slot, edit.edit)?.verdict(
                Situation(edit: edit, old: versions[0], new: versions[1], pairs: pairs))
        }
        return (verdicts, pairs)
    }

    private func uncompared(_ verdicts: [ChangeVerdict]) -> Int {
        verdicts.count { $0.wire.sentence?.contains("has not compared") == true && $0.wire.level == .warns }
    }

    @Test func allPairsAreComparedWithinTheBounds() throws {
        let (verdicts, pairs) = try compare(TypePairs.Bounds())
        #expect(!pairs.isFull && pairs.uses.count == 72, "\(pairs.uses.count)")
        #expect(uncompared(verdicts) == 0 && verdicts.count > 72)
    }

    @Test(arguments: [
        TypePairs.Bounds(pairs: 20), TypePairs.Bounds(work: 2_000), TypePairs.Bounds(edits: 50),
    ])
    func whatIsNotComparedIsToBeReviewed(_ bounds: TypePairs.Bounds) throws {
        let (verdicts, pairs) = try compare(bounds)
        #expect(pairs.isFull && pairs.uses.count < 72)
        #expect(uncompared(verdicts) > 0)
        #expect(verdicts.count < 1_000)
    }

    @Test func theNewNameOfATypeIsFoundWithoutASearch() {
        var pairs = TypePairs()
        let isNew = [("A", "B"), ("C", "D"), ("C", "E")].map {
            pairs.add(TypePair(old: $0, new: $1), .requests, parts: 1)
        }
        #expect(isNew == [true, true, true])
        #expect(pairs.newName(of: "A") == "B" && pairs.newName(of: "C") == nil && pairs.newName(of: "B") == nil)
    }
}
