import ArgumentParser

/// The command line: takes arguments and returns an exit status. `Pipeline` does the work.
@main
struct ErrandCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errand",
        abstract: "Generates Swift clients from API contracts that describe failures as well as successes.",
        discussion: """
            A contract is a YAML file that declares a service's endpoints, payloads, response envelopes and errors.

            Exit status: 0 success, 1 findings or stale output, 2 could not run. The findings that count are errors for \
            `generate`, and errors and warnings for `lint` and `import`. Notes never do, unless --fail-on or `fail-on` in \
            errand.yaml names them.
            """,
        version: ErrandVersion.text,
        subcommands: [
            InitCommand.self, ImportCommand.self, GenerateCommand.self, LintCommand.self, DiffCommand.self,
            ExplainCommand.self, RulesCommand.self, SchemaCommand.self, ExportCommand.self, DocsCommand.self,
            TextsCommand.self,
            MockCommand.self, ReplayCommand.self,
            LanguageServerCommand.self, BuildContractCommand.self,
        ]
    )

    /// The one place where an error becomes text and exit status.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let status as ExitStatus {
            endProcess(with: status)
        } catch {
            let isRequest = exitCode(for: error) == .success  // --help and --version arrive as errors
            let text = isRequest ? message(for: error) : fullMessage(for: error)
            if isRequest {
                Console.out(text)
            } else {
                Console.complain(CommandSuggestion.add(to: text, for: CommandLine.arguments.dropFirst()))
            }
            endProcess(with: isRequest ? .fine : .couldNotRun)
        }
        endProcess(with: .fine)
    }
}
