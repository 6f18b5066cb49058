import ArgumentParser
import Diagnostics
import Pipeline

/// `errand generate`.
struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates Swift clients from contracts.",
        discussion: """
            Without arguments, the command uses the errand.yaml in this folder. Without that file, it reads contracts/ and \
            writes generated/. A folder stands for every *.contract.yaml below it.

            The command writes only changed files, each in one step. It removes files of earlier runs that no longer belong to \
            a contract. It never changes files that Errand did not write.

            Exit status: 0 success, 1 errors or (with --check) stale output, 2 could not run. `fail-on` in errand.yaml names \
            another severity than error.
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

    @Option(help: "The access level of generated declarations. (default: public)")
    var access: AccessChoice?

    @Flag(help: "Remove the generated files of contracts that are not named.")
    var whole = false

    @Flag(help: "Write nothing. If the output is not current, list the files and exit with status 1.")
    var check = false

    @Flag(name: [.short, .long], help: "Print only findings.")
    var quiet = false

    @OptionGroup var allowed: AccessArguments

    @Option(help: "When to use color.")
    var color: ColorChoice = .auto

    enum AccessChoice: String, ExpressibleByArgument, CaseIterable {
        case `public`, package, `internal`
    }

    func validate() throws {
        for (name, value) in [("--output", output), ("--templates", templates)] where value?.isEmpty == true {
            throw ValidationError("\(name) needs the name of a folder.")
        }
    }

    func run() async throws {
        let presenter = GeneratePresenter(isQuiet: quiet, color: color)
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
