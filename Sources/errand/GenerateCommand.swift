import ArgumentParser
import Diagnostics
import Pipeline

/// `errand generate`.
struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates Swift clients from contracts.",
        discussion: """
            Without contracts it does what errand.yaml in this folder says; without that file it reads contracts/ and \
            writes generated/. A folder means every *.contract.yaml below it.

            Only files whose content changed are written, each in one step. Files of earlier runs that no contract makes \
            any more are removed; files that Errand did not write are never touched.

            Exit status: 0 fine, 1 findings or (with --check) stale output, 2 could not run.
            """
    )

    @Argument(help: "Contract files, or folders with contracts.")
    var contracts: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The folder for the generated code. (default: generated)", valueName: "folder"))
    var output: String?

    @Option(help: ArgumentHelp("A folder with templates that replace built-in ones.", valueName: "folder"))
    var templates: String?

    @Option(help: "The access level of generated declarations: public, package or internal. (default: public)")
    var access: AccessChoice?

    @Flag(help: "Remove the generated files of contracts that are not named.")
    var whole = false

    @Flag(help: "Write nothing. If the output is not current, list the files and exit with status 1.")
    var check = false

    @Flag(name: [.short, .long], help: "Print only findings.")
    var quiet = false

    @Option(help: "When to use color: auto, always or never.")
    var color: ColourChoice = .auto

    enum AccessChoice: String, ExpressibleByArgument, CaseIterable {
        case `public`, package, `internal`
    }

    func validate() throws {
        for (name, value) in [("--output", output), ("--templates", templates)] where value?.isEmpty == true {
            throw ValidationError("\(name) needs the name of a folder.")
        }
    }

    func run() async throws {
        let presenter = GeneratePresenter(isQuiet: quiet, colour: color)
        guard let options = presenter.options(for: self) else { throw ExitStatus.couldNotRun }
        let line = !quiet && Console.isTerminal(2) ? ProgressLine() : nil
        let report = Generate.run(options) { line?.show($0) }
        await line?.end()
        presenter.present(report, options)
        switch report.outcome {
        case .fine: return
        case .findings, .stale: throw ExitStatus.findings
        case .couldNotRun: throw ExitStatus.couldNotRun
        }
    }
}
