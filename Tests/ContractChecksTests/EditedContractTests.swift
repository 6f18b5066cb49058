import ContractModel
import Diagnostics
import Foundation
import Testing

@testable import ContractChecks

/// A resolver that is kept while a contract is edited says what a new one says, after each edit.
@Suite struct EditedContractTests {
    /// A file that is being typed; the others are those of the checkout.
    private final class Typed: SourceProvider {
        var text = ""

        func read(_ path: String) -> SourceReading {
            path == "contracts/typed.contract.yaml" ? .bytes(Array(text.utf8)) : CheckoutSource().read(path)
        }
    }

    @Test(arguments: ["auth", "bank", "conversations", "friends", "live", "video"])
    func everyEditIsLookedAtAsIfTheFileWereNew(_ name: String) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var dice = Dice(state: seed)
        let path = CheckoutSource.root.appendingPathComponent("contracts/\(name).contract.yaml")
        let original = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
        let typed = Typed()
        let kept = ContractResolver(provider: typed)
        var lines = original
        var before = lines
        var outcomes = (broken: 0, whole: 0)
        for round in 0..<40 {
            // Chance may break every one of them, or none; the last two are one of each.
            switch round {
            case 38: lines = original
            case 39: lines = original + ["service: ["]
            case _ where dice.below(10) < 3: (lines, before) = (before, lines)  // what was broken is mended
            case _ where dice.below(7) == 0: lines = original
            default:
                before = lines
                Self.edit(&lines, &dice)
            }
            typed.text = lines.joined(separator: "\n")
            let edited = kept.examine(path: "contracts/typed.contract.yaml")
            let new = ContractResolver(provider: typed).examine(path: "contracts/typed.contract.yaml")
            #expect(edited.findings == new.findings, "seed \(seed), round \(round)\n\(typed.text)")
            #expect(LintRunner().run(edited) == LintRunner().run(new), "seed \(seed), round \(round)\n\(typed.text)")
            let (found, wanted) = (Self.everything(edited), Self.everything(new))
            guard found == wanted else {
                let place = zip(found.split(separator: "\n"), wanted.split(separator: "\n")).first { $0 != $1 }
                Issue.record(
                    "another contract (seed \(seed), round \(round)): \(String(describing: place))\n\(typed.text)")
                return
            }
            if edited.resolved == nil { outcomes.broken += 1 } else { outcomes.whole += 1 }
        }
        #expect(outcomes.broken > 0 && outcomes.whole > 0, "\(outcomes), seed \(seed)")
    }

    /// All of the contract with all its places.
    private static func everything(_ examination: ContractExamination) -> String {
        var written = examination.written
        var text = "\(written?.unreadableNames.sorted() ?? [])"
        written?.unreadableNames = []  // a set is in no order
        dump(written, to: &text)
        dump(examination.endpoints, to: &text)
        dump(examination.types, to: &text)
        return text
    }

    private static let added = [
        "# a comment", "    # errand:ignore verb-in-path the path is the server's", "  # errand:ignore missing-timeout",
        "", "\t", "    doc: More of it.",
        "  added: {get: /added, response: string}", "  Added: {id: int, next: Added?}", "    amount: double",
        "      - one", "  list: &list [1]", "    errors: [none]",
    ]

    private static func edit(_ lines: inout [String], _ dice: inout Dice) {
        let one = dice.below(lines.count)
        switch dice.below(9) {
        case 0: lines.remove(at: one)
        case 1: lines.insert(added[dice.below(added.count)], at: one)
        case 2: lines[one] = " " + lines[one]
        case 3: if lines[one].hasPrefix(" ") { lines[one].removeFirst() }
        case 4: lines[one] += [" # why", "?", ",", ": x", " {", " errand:ignore", "\t", "é"][dice.below(8)]
        case 5: lines[one] = lines[one].replacing("t", with: "\t", maxReplacements: 1)
        case 6: lines[one] = lines[one].replacing(": ", with: ": &a ", maxReplacements: 1)
        default:
            // One letter of a word is another.
            guard let place = lines[one].indices.filter({ lines[one][$0].isLetter }).dropFirst(dice.below(20)).first
            else { return }
            lines[one].replaceSubrange(place...place, with: ["a", "S", "z", ""][dice.below(4)])
        }
    }
}
