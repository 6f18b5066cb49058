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
        for row in TextTable.lines(RuleList.all.map { [style.strong($0.name), $0.severity.rawValue, RuleList.tags(of: $0.name).joined(separator: ", ")] }) {
            Console.out(row)
        }
    }
}
