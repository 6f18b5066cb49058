import ArgumentParser
import Diagnostics
import Pipeline

/// `errand explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Prints the page of a rule, or what an endpoint's answers mean and what is sent again.",
        discussion: """
            errand explain RULE                 the page of a rule
            errand explain SERVICE ENDPOINT     its decision table, retry safety and worst-case timeline
            """
    )

    @Argument(help: "A rule, or a service and one of its endpoints.")
    var subject: [String]

    @Option(
        help: ArgumentHelp(
            "Contract files, or folders with contracts. (default: as errand.yaml says, or contracts)", valueName: "path"
        ))
    var contracts: [String] = []

    func validate() throws {
        guard (1...2).contains(subject.count) else {
            throw ValidationError("Name a rule, or a service and one of its endpoints.")
        }
    }

    func run() throws {
        if subject.count == 1 { return try explain(rule: subject[0]) }
        var paths = contracts
        if paths.isEmpty { paths = ProjectConfiguration.load().configuration?.contracts ?? ["contracts"] }
        switch Explain.run(service: subject[0], endpoint: subject[1], contracts: paths) {
        case .endpoint(let explanation): present(explanation)
        case .findings(let findings, let sources):
            Console.complain(TextReport { sources[$0] }.render(findings))
            throw ExitStatus.couldNotRun
        }
    }

    private func explain(rule name: String) throws {
        let rules = RuleList.all
        guard let rule = rules.first(where: { $0.name == name }) else {
            let near = nearestSpelling(of: name, among: rules.map(\.name))
            Console.complain(
                "there is no rule `\(name)`" + (near.map { "; did you mean `\($0)`?" } ?? "; `errand rules` lists them")
            )
            throw ExitStatus.couldNotRun
        }
        let style = TextStyle(isColoured: ColourChoice.auto.isOn(for: 1))
        Console.out("\(style.strong(rule.name)) (\(rule.severity.rawValue))\n\n\(rule.page)")
    }

    private func present(_ explanation: Explain.Explanation) {
        let style = TextStyle(isColoured: ColourChoice.auto.isOn(for: 1))
        Console.out("\(style.strong(explanation.request)): \(explanation.effect)\n")
        let head = ["answer", "means", "category", "applied", "then"].map(style.faint)
        for line in TextTable.lines(
            [head] + explanation.rows.map { [$0.answer, $0.means, $0.category, $0.applied, $0.then] })
        { Console.out(line) }
        Console.out("\n\(style.faint("at worst, where each attempt takes its timeout and each pause its most"))")
        for line in explanation.timeline { Console.out(line) }
        Console.out(explanation.patience)
    }
}
