import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline
import ProjectTasks

/// `errand docs`.
struct DocsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Writes reference pages of contracts: endpoints, errors and types.",
        discussion: """
            errand docs                                           the contracts and the folder (`docs`) of errand.yaml
            errand docs -o site                                   the contracts of errand.yaml
            errand docs contracts/bank.contract.yaml -o site
            errand docs -o wiki --format markdown

            The pages open from the disk. The command writes only changed files, each in one step. It removes pages of \
            the run before it that no longer belong to a contract. It never changes files that Errand did not write.

            Exit status: 0 success, 1 errors or (with --check) stale pages, 2 could not run.
            """
    )

    @Argument(help: "Contract files, or folders with contracts. (default: `contracts` in errand.yaml, or contracts/)")
    var contracts: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder of the site. (default: `docs` in errand.yaml)", valueName: "folder"))
    var output: String?

    @Option(help: "The language of the pages.")
    var format: FormatChoice = .html

    @Option(
        help: ArgumentHelp(
            "A folder with templates that replace built-in ones. (default: `docs` in errand.yaml)", valueName: "folder")
    )
    var templates: String?

    @Flag(help: "Write nothing. If the pages are not current, list them and exit with status 1.")
    var check = false

    @Flag(name: .shortAndLong, help: "Print nothing unless there is a problem.")
    var quiet = false

    @OptionGroup var access: AccessArguments

    enum FormatChoice: String, ExpressibleByArgument, CaseIterable {
        case html, markdown
    }

    func validate() throws {
        for (name, value) in [("--output", output), ("--templates", templates)] where value?.isEmpty == true {
            throw ValidationError("\(name) needs the name of a folder.")
        }
    }

    func run() throws {
        // What this command does not take from `errand.yaml` can be anywhere.
        var keys: Set<ProjectBoundary.PathKey> = []
        if output == nil { keys.insert(.docsOutput) }
        if templates == nil { keys.insert(.docsTemplates) }
        let project = CommandProject(naming: contracts, access.options, using: keys, templates: templates)
        guard let configuration = project.configuration else {
            Console.complain(TextReport { project.sources[$0] }.render(project.diagnostics))
            throw ExitStatus.couldNotRun
        }
        guard let folder = output ?? configuration.docs.output?.value else {
            throw ValidationError("There is no folder. Name one with --output, or in errand.yaml with `docs`.")
        }
        var options = Reference.Options(configuration, output: folder)
        options.isOutputNamed = output != nil
        if !contracts.isEmpty { options.contracts = contracts }
        options.format = format == .html ? .html : .markdown
        options.templates = templates ?? options.templates
        options.isCheck = check
        switch Reference.run(options, in: project.boundary) {
        case .findings(let findings, let sources):
            show(findings, sources)
            throw ExitStatus.findings
        case .couldNotRun(let findings, let sources):
            show(findings, sources)
            throw ExitStatus.couldNotRun
        case .done(let changes):
            let isStale = check && !changes.isEmpty
            if !quiet || isStale { Console.out(summary(of: changes, in: folder)) }
            if isStale { throw ExitStatus.findings }
        }
    }

    private func show(_ findings: [Diagnostic], _ sources: [String: [UInt8]]) {
        Console.complain(TextReport { sources[$0] }.render(DiagnosticBag(findings).sorted().bounded()))
    }

    private func summary(of changes: OutputChanges, in output: String) -> String {
        let folder = printable(output)
        let written = changes.added.count + changes.changed.count
        if check {
            if changes.isEmpty { return "\(folder) is current: \(counted(changes.unchanged.count, "file"))" }
            var lines: [String] = []
            for (word, paths) in [
                ("stale", changes.changed.map(\.path)), ("missing", changes.added.map(\.path)),
                ("unneeded", changes.leftovers),
            ] {
                lines += paths.prefix(Self.mostPaths).map { "\(word): \(folder)/\(printable($0))" }
                if paths.count > Self.mostPaths { lines.append("\(word): \(paths.count - Self.mostPaths) more") }
            }
            lines.append("run `errand docs` without --check to update them")
            return lines.joined(separator: "\n")
        }
        return
            "\(folder): \(counted(written, "file")) written, \(changes.leftovers.count) removed, \(changes.unchanged.count) unchanged"
    }

    private static let mostPaths = 50
}
