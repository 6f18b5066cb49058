import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline
import ProjectTasks

/// `errand schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints a JSON Schema of the contract language, for editors.",
        discussion: """
            errand schema             the schema of contracts
            errand schema scenario    the schema of the scenarios of `errand mock`

            The schema (draft 2020-12) has every key with its description and values. It describes a single file and does not check \
            references to names, which `errand lint` does.

            Exit status: 0 success, 2 the file could not be written.
            """
    )

    /// The kinds of files beside `errand.yaml`.
    enum Subject: String, ExpressibleByArgument, CaseIterable { case contract, scenario }

    @Argument(help: "The kind of file: `contract`, or `scenario` for a file of `errand mock`.")
    var subject = Subject.contract

    @Flag(name: .customLong("configuration"), help: "Print the schema of errand.yaml.")
    var isOfConfiguration = false

    @Option(help: ArgumentHelp("The output file, in place of standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard !isOfConfiguration || subject == .contract else {
            throw ValidationError("--configuration names another schema than `\(subject.rawValue)`.")
        }
    }

    func run() throws {
        let schema: Schema = isOfConfiguration ? .configuration : subject == .scenario ? .scenario : .contract
        guard let output else { return Console.out(String(schema.text.dropLast())) }
        let problems = schema.write(to: output)
        guard problems.isEmpty else {
            Console.complain(TextReport { _ in nil }.render(problems))
            throw ExitStatus.couldNotRun
        }
    }
}
