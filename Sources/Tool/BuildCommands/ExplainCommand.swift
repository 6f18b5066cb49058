import ArgumentParser
import Diagnostics
import Pipeline

/// `errand explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Prints the page of a finding, the meaning of an endpoint's responses and its retries, or an event.",
        discussion: """
            errand explain ID                 the page of a finding or a rule
            errand explain ENDPOINT           its decision table, retries and timeline
            errand explain EVENT              its frame, its data, and what its followers can rely on
            errand explain SERVICE NAME       the same, if two services have the name

            Contract files or folders may follow. Without them, the command uses the same contracts as `errand lint`.
            """
    )

    @Argument(
        help:
            "The id of a finding, an endpoint, an event, or a service and one of the two; then, optionally, contracts.")
    var subject: [String]

    @OptionGroup var access: AccessArguments

    func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("Name the id of a finding, an endpoint, an event, or a service and one of the two.")
        }
    }

    /// The subject: the first argument, and the second if it isn't a path.
    private var words: [String] { subject.prefix(1) + subject.dropFirst().prefix { !ContractFiles.isPath($0) } }

    func run() throws {
        var paths = Array(subject.dropFirst(words.count))
        let project = CommandProject(naming: paths, access.options)
        if paths.isEmpty { paths = project.configuration?.contracts ?? ["contracts"] }
        let answer =
            words.count == 1
            ? Explain.run(words[0], contracts: paths, in: project.boundary)
            : Explain.run(service: words[0], name: words[1], contracts: paths, in: project.boundary)
        switch answer {
        case .page(let page):
            let style = TextStyle(isColored: ColorChoice.auto.isOn(for: 1))
            Console.out("\(style.strong(page.name)) (\(page.severity.rawValue))\n\n\(page.page)")
        case .endpoint(let explanation): present(explanation)
        case .event(let explanation): present(explanation)
        case .findings(let findings, let sources):
            Console.complain(TextReport { sources[$0] }.render(findings))
            throw ExitStatus.couldNotRun
        }
    }

    private func present(_ explanation: Explain.Explanation) {
        let style = TextStyle(isColored: ColorChoice.auto.isOn(for: 1))
        Console.out("\(style.strong(explanation.request)): \(explanation.effect)\n")
        let head = ["response", "result", "category", "applied", "then"].map(style.faint)
        for line in TextTable.lines(
            [head] + explanation.rows.map { [$0.answer, $0.means, $0.category, $0.applied, $0.then] })
        { Console.out(line) }
        if let server = explanation.server { Console.out("\n\(server)") }
        if let group = explanation.group { Console.out("\n\(group)") }
        if !explanation.headers.isEmpty { Console.out("") }
        for sentence in explanation.headers { Console.out(sentence) }
        if let durable = explanation.durable { Console.out("\n\(durable)") }
        if let share = explanation.share { Console.out("\n\(share)") }
        if !explanation.cache.isEmpty { Console.out("") }
        for sentence in explanation.cache { Console.out(sentence) }
        if let pages = explanation.pages { Console.out("\n\(pages)") }
        if let credentials = explanation.credentials { Console.out("\n\(credentials)") }
        if let redirects = explanation.redirects { Console.out("\n\(redirects)") }
        if let reading = explanation.reading { Console.out("\n\(reading)") }
        if !explanation.connection.isEmpty { Console.out("") }
        for sentence in explanation.connection { Console.out(sentence) }
        Console.out("\n\(style.faint("at worst, if each attempt takes its timeout and each pause its maximum"))")
        for line in explanation.timeline { Console.out(line) }
        Console.out(explanation.patience)
        Console.out(explanation.rateLimit)
        for sentence in explanation.trust + explanation.gateways { Console.out(sentence) }
    }

    private func present(_ explanation: Explain.EventExplanation) {
        let style = TextStyle(isColored: ColorChoice.auto.isOn(for: 1))
        Console.out("\(style.strong(explanation.frame)): \(explanation.cause)\n")
        if !explanation.fields.isEmpty {
            let head = ["data", "type"].map(style.faint)
            for line in TextTable.lines([head] + explanation.fields.map { [$0.name, $0.type] }) { Console.out(line) }
        }
        Console.out(explanation.data)
        Console.out("")
        for sentence in explanation.followers { Console.out(sentence) }
        Console.out(explanation.reconnection)
        Console.out(explanation.malformed)
    }
}
