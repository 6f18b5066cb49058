import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline
import ProjectTasks

/// `errand diff`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Finds what a change of contracts breaks.",
        discussion: """
            The command compares two versions of a contract, or of all contracts in a folder. It says of each change what breaks: in \
            the source of apps, on the wire, and in the behavior of apps that people have already installed.

            A side is a contract, a folder, git:REF or git:REF:PATH for a commit, or an OpenAPI document.

            Exit status: 0 nothing breaks, 1 something breaks, 2 could not run. Warnings alone end with 0.
            """
    )

    @Argument(help: "The side from before the change.")
    var old: String

    @Argument(
        help: "The side from after the change. (default beside a commit: the contracts of errand.yaml, or contracts/)")
    var new: String?

    @Option(help: "The format of the changes.")
    var format: DiffFormat = .text

    @Flag(help: "Print all changes as Markdown for a changelog, by their severity.")
    var changelog = false

    @Flag(
        help:
            "Print the next version of each contract, by the rules of semantic versioning. The exit status stays the same."
    )
    var suggestVersion = false

    @Flag(help: "Report contracts whose version is lower than their changes need.")
    var check = false

    @Option(
        help: ArgumentHelp(
            "The only consequences that count: wire, behavior or source. (repeatable)", valueName: "column"))
    var only: [DiffColumn] = []

    @Flag(help: "Print each change, also where many in one part of a contract are alike.")
    var allFindings = false

    @Option(help: ArgumentHelp("The file with accepted breaks. (default: .errand-signoffs.yaml)", valueName: "file"))
    var signOffs: String?

    @Option(help: ArgumentHelp("Accept the breaks of this run, and write them into the file.", valueName: "reason"))
    var signOff: String?

    @Option(help: ArgumentHelp("The last day on which --sign-off counts, such as 2026-12-31.", valueName: "date"))
    var expires: String?

    @OptionGroup var access: AccessArguments

    @Flag(name: [.short, .long], help: "Print nothing if no change has consequences.")
    var quiet = false

    @Option(help: "When to use color.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard !changelog || format == .text else {
            throw ValidationError("--changelog is a form of its own; leave out --format.")
        }
        guard !suggestVersion || (format == .text && !changelog) else {
            throw ValidationError("--suggest-version prints versions only; leave out --format and --changelog.")
        }
        guard new != nil || DiffOptions.isCommit(old) else {
            throw ValidationError("Name both sides, or compare with a commit: errand diff git:main")
        }
        guard !old.isEmpty, new != "" else {
            throw ValidationError("A side needs the name of a file, a folder or a commit.")
        }
        guard signOffs != "" else { throw ValidationError("--sign-offs needs the name of a file.") }
        guard (signOff == nil) == (expires == nil) else {
            throw ValidationError("--sign-off REASON and --expires DATE belong together.")
        }
        guard signOff?.contains(where: { !$0.isWhitespace }) != false else {
            throw ValidationError("--sign-off needs a reason.")
        }
        guard expires == nil || newSignOff != nil else {
            throw ValidationError("--expires takes a date, such as 2026-12-31.")
        }
        guard newSignOff?.isOver() != true else {
            throw ValidationError("The day of --expires is over; name a day to come.")
        }
    }

    func run() throws {
        let paths = [old, new].compactMap { $0 }.filter { !DiffOptions.isCommit($0) }
        let project = CommandProject(naming: paths, access.options)
        guard let configuration = project.configuration else {
            var text = TextReport { project.sources[$0] }
            text.usesColor = color.isOn(for: 2)
            Console.complain(text.render(project.diagnostics))
            throw ExitStatus.couldNotRun
        }
        var options = DiffOptions(old: old, new: new ?? "", in: project.boundary)
        options.usualPaths = configuration.contracts
        options.lint = configuration.lint
        options.folder = configuration.folder ?? "."
        options.signOffs = signOffs
        options.newSignOff = newSignOff
        options.checksVersion = check
        options.only = Set(only)
        options.showsAll = allFindings
        let report = Diff.run(options)
        present(report)
        switch report.outcome {
        case .fine: return
        case .breaks: throw ExitStatus.findings
        case .couldNotRun: throw ExitStatus.couldNotRun
        }
    }

    private var newSignOff: DiffOptions.NewSignOff? {
        guard let signOff, let expires else { return nil }
        return DiffOptions.NewSignOff(signOff, expires: expires)
    }

    private func present(_ report: DiffReport) {
        guard report.outcome != .couldNotRun else {
            var text = TextReport { report.sources[$0] }
            text.usesColor = color.isOn(for: 2)
            return Console.complain(text.render(report.findings))
        }
        if suggestVersion { return Console.out(report.suggestions.joined(separator: "\n")) }
        let text = changelog ? report.changelog : rendered(report)
        if !text.isEmpty { Console.out(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
        guard format == .text, !changelog, !quiet || !report.findings.isEmpty else { return }
        let style = TextStyle(isColored: color.isOn(for: 1))
        let changes = counted(report.changeCount, "change") + " in " + counted(report.services.count, "service")
        let (errors, warnings) = (report.count(.error), report.count(.warning))
        if errors.changes + errors.others == 0 {
            var counts = warnings.changes > 0 ? ", \(warnings.changes) to review" : ""
            let accepted = report.count(.note).changes
            if accepted > 0 { counts += ", \(accepted) signed off" }
            if warnings.others > 0 { counts += ", " + counted(warnings.others, "other problem") }
            Console.out(style.good("nothing breaks") + counts + " (\(changes))")
        } else {
            var parts: [String] = []
            if errors.changes > 0 {
                parts.append(errors.changes == 1 ? "1 change breaks apps" : "\(errors.changes) changes break apps")
            }
            if errors.others > 0 { parts.append(counted(errors.others, "other problem")) }
            Console.out("\n" + style.strong(parts.joined(separator: ", ") + " (\(changes))"))
        }
    }

    private func rendered(_ report: DiffReport) -> String {
        guard let format = LintFormat(rawValue: format.rawValue) else { return report.markdown }
        return RenderedFindings(
            findings: report.findings, sources: report.sources, files: report.services.map(\.file),
            failing: [.error], command: "diff"
        ).text(in: format, isColored: color.isOn(for: 1))
    }
}

extension DiffColumn: ExpressibleByArgument {}

/// The forms in which changes are printed.
enum DiffFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github, xcode, junit, markdown
}
