import ArgumentParser
import Diagnostics
import Pipeline

/// `errand schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints a JSON Schema of the contract language, for editors.",
        discussion: """
            The schema (draft 2020-12) has every key with its description and values. It describes a single file and does not check \
            references to names, which `errand lint` does.

            Exit status: 0 success, 2 the file could not be written.
            """
    )

    @Flag(name: .customLong("configuration"), help: "Print the schema of errand.yaml.")
    var isOfConfiguration = false

    @Option(help: ArgumentHelp("The output file, in place of standard output.", valueName: "file"))
    var output: String?

    func run() throws {
        let schema: Schema = isOfConfiguration ? .configuration : .contract
        guard let output else { return Console.out(String(schema.text.dropLast())) }
        let problems = schema.write(to: output)
        guard problems.isEmpty else {
            Console.complain(TextReport { _ in nil }.render(problems))
            throw ExitStatus.couldNotRun
        }
    }
}
