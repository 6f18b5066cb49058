import ArgumentParser
import Diagnostics
import Pipeline

/// `errand rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Lists the lint rules, and what else can be found.",
        discussion: "`errand explain ID` prints the page of one."
    )

    func run() {
        let style = TextStyle(isColoured: ColourChoice.auto.isOn(for: 1))
        Console.out(style.faint("lint rules, which errand.yaml can set"))
        let rules = FindingPages.ofRules.map { rule in
            [
                style.strong(rule.name), rule.severity.rawValue,
                FindingPages.tags(ofRule: rule.name).joined(separator: ", "),
            ]
        }
        for line in TextTable.lines(rules) { Console.out(line) }
        Console.out("\n" + style.faint("found while files are read and generated, which cannot be set"))
        let others = FindingPages.ofStages.map { [style.strong($0.name), $0.severity.rawValue, $0.summary] }
        for line in TextTable.lines(others) { Console.out(line) }
    }
}
