import ArgumentParser
import BuildCommands

/// The part of `errand` that the plugins run. It prints what `errand` prints.
@main
struct ErrandBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errand",
        abstract: "Generates Swift clients from API contracts that describe failures as well as successes.",
        discussion: "The other commands are those of the product `errand`, such as `swift run errand mock`.",
        version: ErrandVersion.text,
        subcommands: SharedCommand.allCases.map(\.type)
    )

    static func main() async { await runProcess() }
}
