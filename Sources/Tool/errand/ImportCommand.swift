import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline
import ProjectTasks

/// `errand import`.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Converts an OpenAPI document to a contract.",
        subcommands: [OpenAPI.self], defaultSubcommand: OpenAPI.self)

    /// `errand import openapi`.
    struct OpenAPI: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "openapi",
            abstract: "Converts an OpenAPI document to a contract.",
            discussion: """
                Reads OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0, in YAML or JSON, with all files of the document. Lists each part that \
                a contract cannot express, with its JSON pointer, file and line.

                Each failure of the document becomes an error with a proposed category, and a comment `# errand:review` with the \
                reason. `--report` lists these places.

                Exit status: 0 complete, 1 a part of the document is lost (a warning) or, with --fail-on review, a place is to be \
                reviewed, 2 could not run. Notes alone are complete.
                """
        )

        @Argument(help: "The document.")
        var document: String

        @Option(
            name: [.short, .long],
            help: ArgumentHelp(
                "The contract. (default: NAME.contract.yaml in the folder of the project's contracts)",
                valueName: "file"))
        var output: String?

        @Option(help: "The name of the service. (default: the title of the document)")
        var service: String?

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "Import only these tags and endpoints, with the types that they use.", valueName: "tag|endpoint"))
        var only: [String] = []

        @Option(
            help: ArgumentHelp(
                "An overlay of version 1.0 or 1.1 that changes the document before the import. Can be repeated.",
                valueName: "file"))
        var overlay: [String] = []

        @Flag(help: "Make a group of each tag, so that an app finds its endpoints under one property.")
        var groups = false

        @Flag(help: "Write nothing if the contract would lose a part of the document.")
        var strict = false

        @Flag(help: "Overwrite an existing contract.")
        var force = false

        @Flag(help: "Update the contract to a newer document, and keep your own edits.")
        var update = false

        @Flag(help: "List the places to review.")
        var report = false

        @Option(help: "What makes the exit status 1: `warning`, or `review` for a warning or a place to review.")
        var failOn: ImportFailureLevel = .warning

        @Flag(help: "Print all findings, and not only the first 1,000 of each file.")
        var allFindings = false

        @OptionGroup var access: AccessArguments

        @Flag(name: [.short, .long], help: "Print only findings.")
        var quiet = false

        @Option(help: "When to use color.")
        var color: ColorChoice = .auto

        func validate() throws {
            guard output?.isEmpty != true else { throw ValidationError("--output needs the name of a file.") }
            guard !update || !force else {
                throw ValidationError(
                    "--update and --force cannot be used together: --update keeps your edits, --force overwrites them.")
            }
            guard let service else { return }
            let isName = service.first.map { ("A"..."Z").contains($0) } ?? false
            guard isName, service.utf8.allSatisfy({ Self.isNameByte($0) }) else {
                throw ValidationError("--service needs an uppercase letter A–Z, then letters and digits.")
            }
        }

        private static func isNameByte(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }

        func run() throws {
            let project = CommandProject(naming: [document] + overlay, access.options)
            if !project.diagnostics.isEmpty {
                var text = TextReport { project.sources[$0] }
                text.usesColor = color.isOn(for: 2)
                Console.complain(text.render(project.diagnostics))
            }
            guard let configuration = project.configuration else { throw ExitStatus.couldNotRun }
            var options = ImportOptions(document: document, configuration)
            options.boundary = project.boundary
            options.output = output
            options.service = service
            options.only = only
            options.overlays = overlay
            options.hasGroups = groups
            options.isStrict = strict
            options.failsOnReview = failOn == .review
            options.isForced = force
            options.isUpdate = update
            options.showsAll = allFindings
            let result = Import.run(options)
            show(result)
            switch result.outcome {
            case .complete: return
            case .incomplete: throw ExitStatus.findings
            case .couldNotRun: throw ExitStatus.couldNotRun
            }
        }

        private func show(_ result: ImportReport) {
            if !result.findings.isEmpty {
                var text = TextReport { result.sources[$0] }
                text.usesColor = color.isOn(for: 2)
                Console.complain(text.render(result.findings))
                if result.findings.count > 1 {
                    let style = TextStyle(isColored: text.usesColor)
                    Console.complain(style.strong(summary(of: result.findings)))
                }
            }
            if report, result.outcome != .couldNotRun { showReviews(result) }
            guard !quiet, result.outcome != .couldNotRun else { return }
            let style = TextStyle(isColored: color.isOn(for: 1))
            guard let written = result.written else {
                return Console.out(
                    style.warning(
                        "nothing was written, because the contract would lose a part of the document (--strict)"))
            }
            let counts = result.counts
            if let changes = result.changeCount {
                return Console.out(
                    "\(document) → \(style.strong(written))  \(style.faint(counted(changes, "change")))"
                )
            }
            var parts = [
                counted(counts.endpoints, "endpoint"), counted(counts.types, "type"),
                counted(counts.errors, "error"),
                "\(result.reviews.count) to review",
            ]
            if result.sensitiveCount > 0 { parts.append(counted(result.sensitiveCount, "field") + " marked sensitive") }
            let fields = result.fieldCount
            if fields.untyped > 0 { parts.append("\(fields.untyped) of \(counted(fields.all, "field")) untyped") }
            Console.out("\(document) → \(style.strong(written))  \(style.faint(parts.joined(separator: ", ")))")
        }

        private func showReviews(_ result: ImportReport) {
            let style = TextStyle(isColored: color.isOn(for: 1))
            for line in TextTable.lines(result.reviews.map { [style.strong($0.subject), $0.reason] }) {
                Console.out(line)
            }
            let findings = result.findings.isEmpty ? "no findings" : summary(of: result.findings)
            Console.out(style.strong("\(findings), \(result.openReviews) to review"))
        }
    }
}

/// What makes the exit status of an import 1.
enum ImportFailureLevel: String, ExpressibleByArgument, CaseIterable {
    case warning, review
}
