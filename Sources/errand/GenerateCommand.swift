import ArgumentParser
import Diagnostics
import Pipeline

/// `errand generate`.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the Swift clients of contracts.",
        discussion: """
            Without contracts, the project's own are taken: those that errand.yaml names, or else those in contracts/. \
            Each client goes into a folder of its own. Only files whose content changed are written; files that an \
            earlier run left are removed; files that Errand did not write are never touched.
            """
    )

    @Argument(help: "Contract files, or folders of them.", completion: .file(extensions: ["yaml", "yml"]))
    var contracts: [String] = []

    @Option(name: [.short, .long], help: "The folder for the clients. (default: generated)", completion: .directory)
    var output: String?

    @Option(help: "A folder with templates that replace the built-in ones of the same name.", completion: .directory)
    var templates: String?

    @Option(help: "Who may use the generated code: public or package. (default: public)")
    var access: ClientAccess?

    @Flag(help: "Write nothing; name each file that is stale, missing or left over, and exit with 1 if there is one.")
    var check = false

    @Flag(name: [.short, .long], help: "Say nothing but what is wrong.")
    var quiet = false

    @Option(help: "When to colour: auto, always or never.")
    var color: ColourChoice = .auto

    func run() throws {
        let printer = ReportPrinter(colour: color, isQuiet: quiet)
        let order = try order(printer)
        let progress = ProgressLine(isShown: !quiet && Terminal.Stream.errors.isTerminal)
        let report = Generate(progress: progress.show).run(order)
        progress.clear()
        printer.print(report.diagnostics)
        printer.print(report, order)
        switch report.outcome {
        case .done: return
        case .findings: throw ExitStatus.findings
        case .failed: throw ExitStatus.notPossible
        }
    }

    /// The arguments together with what the project says.
    private func order(_ printer: ReportPrinter) throws -> Generate.Order {
        let project = ProjectFiles()
        let (configuration, findings) = project.configuration()
        printer.print(findings)
        guard let configuration else { throw ExitStatus.notPossible }
        let (paths, problems) = project.contracts(at: contracts.isEmpty ? configuration.contracts : contracts)
        printer.print(problems)
        guard problems.isEmpty else { throw ExitStatus.notPossible }
        return Generate.Order(
            contracts: paths, output: output ?? configuration.output, templates: templates ?? configuration.templates,
            access: access ?? configuration.access, checksOnly: check,
            isWholeProject: contracts.isEmpty && output == nil)
    }
}

extension ClientAccess: ExpressibleByArgument {}
extension ColourChoice: ExpressibleByArgument {}
