import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline
import ProjectTasks

/// `errand replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Judges recorded traffic by contracts.",
        discussion: """
            errand replay session.har                                     the contracts of errand.yaml, or those in contracts/
            errand replay session.har --contract contracts/bank.contract.yaml
            errand replay session.har --server Bank=http://127.0.0.1:8080/v1

            A recording is a HAR file of a browser or a proxy. The command finds the endpoint of each request, and what its response \
            is to a client. It reports responses, payloads and requests that the contract does not describe, and declarations \
            that the recording does not have. A report contains no values of a recording, and so none of its secrets.

            Exit status: 0 no findings at or above the severity of --fail-on, 1 findings, 2 could not run.
            """
    )

    @Argument(help: ArgumentHelp("HAR files, or - for standard input.", valueName: "recording"))
    var recordings: [String]

    @Option(
        name: .customLong("contract"),
        help: ArgumentHelp(
            "A contract file, or a folder with contracts. Repeat the option for several. (default: `contracts` in errand.yaml, or contracts/)",
            valueName: "path"))
    var contracts: [String] = []

    @Option(
        name: .customLong("server"),
        help: ArgumentHelp(
            "A base URL at which a service was recorded, beside those of its contract. Repeat the option for several.",
            valueName: "[service=]url"))
    var servers: [String] = []

    @Option(help: "The format of the findings.")
    var format: LintFormat = .text

    @Option(help: "The lowest severity that makes the exit status 1. (default: `fail-on` in errand.yaml, or warning)")
    var failOn: FailureLevel?

    @OptionGroup var access: AccessArguments

    @Flag(name: [.short, .long], help: "Print nothing if there are no findings.")
    var quiet = false

    @Option(help: "When to use color.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard recordings.count(where: { $0 == Replay.standardInput }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
        for server in servers where ReplayOptions.Address(server) == nil {
            throw ValidationError(
                "--server takes a URL, such as http://127.0.0.1:8080/v1 or Bank=http://127.0.0.1:8080/v1.")
        }
    }

    func run() throws {
        let project = CommandProject(naming: contracts, access.options)
        guard let configuration = project.configuration else {
            Console.complain(TextReport { project.sources[$0] }.render(project.diagnostics))
            throw ExitStatus.couldNotRun
        }
        var options = ReplayOptions(
            recordings: recordings, contracts: contracts.isEmpty ? configuration.contracts : contracts,
            in: project.boundary)
        options.addresses = servers.compactMap { ReplayOptions.Address($0) }
        options.settings = configuration.lint
        options.failOn = failOn.flatMap { Severity(rawValue: $0.rawValue) } ?? configuration.failOn ?? .warning
        let report = Replay.run(options)
        present(report)
        switch report.outcome {
        case .fine: return
        case .findings: throw ExitStatus.findings
        case .couldNotRun: throw ExitStatus.couldNotRun
        }
    }

    private func present(_ report: ReplayReport) {
        let findings = report.findings
        guard report.outcome != .couldNotRun else {
            var text = TextReport { report.sources[$0] }
            text.usesColor = color.isOn(for: 2)
            return Console.complain(text.render(findings))
        }
        let text = RenderedFindings(
            findings: findings, sources: report.sources, files: report.files, failing: report.failing,
            command: "replay"
        ).text(in: format, isColored: color.isOn(for: 1))
        if !text.isEmpty { Console.out(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
        guard format == .text, !quiet || !findings.isEmpty, let traffic = report.traffic else { return }
        if !text.isEmpty { Console.out("") }
        Console.out(TrafficSummary(traffic).text)
        let style = TextStyle(isColored: color.isOn(for: 1))
        let summary = Diagnostics.summary(of: findings)
        Console.out(findings.isEmpty ? style.good(summary) : style.strong(summary))
    }
}

/// What recordings have, as a table.
struct TrafficSummary {
    private let traffic: ReplayReport.Traffic

    init(_ traffic: ReplayReport.Traffic) { self.traffic = traffic }

    private static let mostEndpoints = 100

    var text: String {
        var lines: [String] = []
        for service in traffic.services where !service.endpoints.isEmpty {
            lines.append(service.name)
            let shown = service.endpoints.prefix(Self.mostEndpoints)
            let width = shown.map(\.name.count).max() ?? 0
            for endpoint in shown {
                var parts = endpoint.meanings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                    "\($0.key) \($0.value)"
                }
                if endpoint.others > 0 { parts.append("not judged \(endpoint.others)") }
                let name = endpoint.name + String(repeating: " ", count: width - endpoint.name.count)
                lines.append("  \(name)  \(parts.joined(separator: ", "))")
            }
            let rest = service.endpoints.count - shown.count
            if rest > 0 { lines.append("  and \(counted(rest, "endpoint")) more") }
        }
        let counts = traffic.counts
        var parts = ["\(counts.judged) judged"]
        for (count, what) in [
            (counts.unmatched, "without an endpoint"), (counts.otherHosts, "of other addresses"),
            (counts.preflights, "preflights"), (counts.withoutResponse, "without a response"),
            (counts.redirects, "redirects"), (counts.cached, "from a cache"), (counts.connections, "connections"),
            (counts.unreadable, "unreadable"),
        ] where count > 0 {
            parts.append("\(count) \(what)")
        }
        let entries = counts.entries == 1 ? "1 entry" : "\(counts.entries) entries"
        lines.append("\(entries): \(parts.joined(separator: ", "))")
        return lines.joined(separator: "\n")
    }
}
