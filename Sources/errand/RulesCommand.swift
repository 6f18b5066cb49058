import ArgumentParser
import Diagnostics
import Pipeline

/// `errand rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Lists what `errand lint` looks for.",
        discussion: "`errand explain RULE` prints the page of one."
    )

    func run() {
        let style = TextStyle(isColoured: ColourChoice.auto.isOn(for: 1))
        let rows = RuleList.all.map { rule in
            [style.strong(rule.name), rule.severity.rawValue, RuleList.tags(of: rule.name).joined(separator: ", ")]
        }
        for line in TextTable.lines(rows) { Console.out(line) }
    }
}
