import ArgumentParser

/// The command line: arguments in, exit status out.
///
/// A further task of the tool is a further subcommand, in a file of its own, with an entry function in `Pipeline`.
@main
struct ErrandCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errand",
        abstract: "Turns API contracts into Swift clients.",
        discussion: """
            A contract is a YAML file that says what a service can be asked, what it answers and what can go wrong. \
            Errand writes the Swift client for it.

            Exit status: 0 if all is well, 1 if there are findings or stale files, 2 if the run was not possible.
            """,
        version: ErrandVersion.text,
        subcommands: [GenerateCommand.self]
    )

    /// The one place where an error becomes text and an exit status.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let status as ExitStatus {
            exit(withError: ExitCode(status.rawValue))
        } catch {
            let isUsage = exitCode(for: error) == .validationFailure
            let text = fullMessage(for: error)
            // Help and version are asked for, and go to standard output.
            Terminal.print(text, to: exitCode(for: error).isSuccess ? .output : .errors)
            exit(withError: isUsage || !exitCode(for: error).isSuccess ? ExitCode(ExitStatus.notPossible.rawValue) : nil)
        }
    }
}

/// What the tool tells its caller.
enum ExitStatus: Int32, Error {
    case findings = 1
    case notPossible = 2
}

/// The version of the tool.
enum ErrandVersion {
    static let text = "0.1.0"
}
