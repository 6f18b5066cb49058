import ArgumentParser
import BuildCommands

/// The command line: takes arguments and returns an exit status. `Pipeline` and `ProjectTasks` do the work.
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
            SharedCommand.initialize.type, ImportCommand.self, SharedCommand.generate.type, SharedCommand.lint.type,
            DiffCommand.self,
            SharedCommand.explain.type, SharedCommand.rules.type, SchemaCommand.self, ExportCommand.self,
            DocsCommand.self,
            TextsCommand.self,
            MockCommand.self, ReplayCommand.self,
            LanguageServerCommand.self, SharedCommand.buildContract.type,
        ]
    )

    static func main() async { await runProcess() }
}
