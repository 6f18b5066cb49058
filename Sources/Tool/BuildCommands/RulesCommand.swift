import ArgumentParser
import Diagnostics
import Pipeline

/// `errand rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Lists the lint rules and the other findings.",
        discussion: "`errand explain ID` prints the page of a finding."
    )

    func run() {
        let style = TextStyle(isColored: ColorChoice.auto.isOn(for: 1))
        Console.out(style.faint("Lint rules, whose severity errand.yaml can change"))
        let rules = FindingPages.ofRules.map { rule in
            [
                style.strong(rule.name), rule.severity.rawValue,
                FindingPages.tags(ofRule: rule.name).joined(separator: ", "),
            ]
        }
        for line in TextTable.lines(rules) { Console.out(line) }
        Console.out("\n" + style.faint("Other findings, whose severity is fixed"))
        let others = FindingPages.ofStages.map { [style.strong($0.name), $0.severity.rawValue, $0.summary] }
        for line in TextTable.lines(others) { Console.out(line) }
    }
}
