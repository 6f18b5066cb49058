import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline
import ProjectTasks

/// `errand export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Converts a contract to an OpenAPI document.",
        subcommands: [OpenAPI.self], defaultSubcommand: OpenAPI.self
    )

    struct OpenAPI: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "openapi",
            abstract: "Prints a contract as an OpenAPI document.",
            discussion: """
                Keys of the form x-errand-… have the categories, effects and other parts that OpenAPI cannot express. \
                docs/openapi.md lists them.

                Exit status: 0 success, 2 the contract has errors, or the file could not be written.
                """
        )

        @Argument(help: ArgumentHelp("A contract file.", valueName: "contract"))
        var contract: String

        @Option(help: ArgumentHelp("The output file, in place of standard output.", valueName: "file"))
        var output: String?

        @Option(help: "The format. (default: the output's extension, or yaml)")
        var format: Export.Format?

        @OptionGroup var access: AccessArguments

        func run() throws {
            let boundary = CommandProject(naming: [contract], access.options).boundary
            let format = format ?? (output?.hasSuffix(".json") == true ? .json : .yaml)
            switch Export.openAPI(contract: contract, format: format, in: boundary) {
            case .findings(let findings, let sources):
                Console.complain(TextReport { sources[$0] }.render(findings))
                throw ExitStatus.couldNotRun
            case .document(let text, let lost, let sources):
                if let output {
                    let problems = Export.write(text, to: output)
                    guard problems.isEmpty else {
                        Console.complain(TextReport { _ in nil }.render(problems))
                        throw ExitStatus.couldNotRun
                    }
                } else {
                    Console.out(String(text.dropLast()))
                }
                guard lost.isEmpty else {
                    Console.complain(TextReport { sources[$0] }.render(lost))
                    throw ExitStatus.findings
                }
            }
        }
    }
}

extension Export.Format: ExpressibleByArgument {}
