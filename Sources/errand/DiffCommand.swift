import ArgumentParser
import Diagnostics
import Pipeline

/// `errand diff`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Finds what a change of contracts breaks.",
        discussion: """
            The command compares two versions of a contract, or of all contracts in a folder. It says of each change what breaks: in \
            the source of apps, on the wire, and in the behavior of apps that people have already installed.

            Exit status: 0 nothing breaks, 1 something breaks, 2 could not run. Warnings alone end with 0.
            """
    )

    @Argument(help: "The contract from before the change, or a folder with contracts.")
    var old: String

    @Argument(help: "The contract from after the change, or a folder with contracts.")
    var new: String

    @Option(help: "The format of the changes.")
    var format: DiffFormat = .text

    @Flag(help: "Print all changes as Markdown for a changelog, by their severity.")
    var changelog = false

    @OptionGroup var access: AccessArguments

    @Flag(name: [.short, .long], help: "Print nothing if no change has consequences.")
    var quiet = false

    @Option(help: "When to use color.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard !changelog || format == .text else {
            throw ValidationError("--changelog is a form of its own; leave out --format.")
        }
    }

    func run() throws {
        let project = CommandProject(naming: [old, new], access.options)
        let report = Diff.run(DiffOptions(old: old, new: new, in: project.boundary))
        present(report)
        switch report.outcome {
        case .fine: return
        case .breaks: throw ExitStatus.findings
        case .couldNotRun: throw ExitStatus.couldNotRun
        }
    }

    private func present(_ report: DiffReport) {
        guard report.outcome != .couldNotRun else {
            var text = TextReport { report.sources[$0] }
            text.usesColor = color.isOn(for: 2)
            return Console.complain(text.render(report.findings))
        }
        let text = changelog ? report.changelog : rendered(report)
        if !text.isEmpty { Console.out(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
        guard format == .text, !changelog, !quiet || !report.findings.isEmpty else { return }
        let style = TextStyle(isColored: color.isOn(for: 1))
        let changes = counted(report.changeCount, "change") + " in " + counted(report.services.count, "service")
        let breaks = report.findings.count { $0.severity == .error }
        if breaks == 0 {
            let review = report.findings.count
            Console.out(style.good("nothing breaks") + (review > 0 ? ", \(review) to review" : "") + " (\(changes))")
        } else {
            Console.out(
                "\n" + style.strong("\(breaks == 1 ? "1 change breaks" : "\(breaks) changes break") apps (\(changes))"))
        }
    }

    private func rendered(_ report: DiffReport) -> String {
        switch format {
        case .text:
            var text = TextReport { report.sources[$0] }
            text.usesColor = color.isOn(for: 1)
            return text.render(report.findings)
        case .json: return JSONReport().render(report.findings)
        case .sarif: return SARIFReport(version: ErrandVersion.text, rules: FindingPages.all).render(report.findings)
        case .github: return GitHubReport().render(report.findings)
        case .xcode: return XcodeReport().render(report.findings)
        case .junit:
            return JUnitReport(failing: [.error], command: "diff").render(
                report.findings, files: report.services.map(\.file))
        case .markdown: return report.markdown
        }
    }
}

/// The forms in which changes are printed.
enum DiffFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github, xcode, junit, markdown
}
