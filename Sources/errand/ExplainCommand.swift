import ArgumentParser
import Diagnostics
import Pipeline

/// `errand explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Prints the page of a finding, or what an endpoint's answers mean and what is sent again.",
        discussion: """
            errand explain ID                   the page of a finding or a rule: missing-key
            errand explain SERVICE ENDPOINT     its decision table, retry safety and worst-case timeline
            """
    )

    @Argument(help: "The id of a finding, or a service and one of its endpoints.")
    var subject: [String]

    @Option(
        help: ArgumentHelp(
            "Contract files, or folders with contracts. (default: as errand.yaml says, or contracts)", valueName: "path"
        ))
    var contracts: [String] = []

    func validate() throws {
        guard (1...2).contains(subject.count) else {
            throw ValidationError("Name the id of a finding, or a service and one of its endpoints.")
        }
    }

    func run() throws {
        if subject.count == 1 { return try explain(finding: subject[0]) }
        var paths = contracts
        if paths.isEmpty { paths = ProjectConfiguration.load().configuration?.contracts ?? ["contracts"] }
        switch Explain.run(service: subject[0], endpoint: subject[1], contracts: paths) {
        case .endpoint(let explanation): present(explanation)
        case .findings(let findings, let sources):
            Console.complain(TextReport { sources[$0] }.render(findings))
            throw ExitStatus.couldNotRun
        }
    }

    private func explain(finding name: String) throws {
        guard let page = FindingPages.page(of: name) else {
            let near = nearestSpelling(of: name, among: FindingPages.all.map(\.name))
            Console.complain(
                "no finding has the id `\(name)`"
                    + (near.map { "; did you mean `\($0)`?" } ?? "; `errand rules` lists them")
            )
            throw ExitStatus.couldNotRun
        }
        let style = TextStyle(isColoured: ColourChoice.auto.isOn(for: 1))
        Console.out("\(style.strong(page.name)) (\(page.severity.rawValue))\n\n\(page.page)")
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
