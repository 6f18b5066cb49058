import ArgumentParser
import Diagnostics
import Pipeline

/// `errand build-contract`: what the plugin `ErrandBuildTool` has a build run for each contract of a target.
struct BuildContractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build-contract",
        abstract: "Checks one contract of a target and writes its client, as a step of a build.",
        discussion:
            "Exit status: 0 if the files are written, 1 if findings stop the build, 2 if the command could not run.",
        shouldDisplay: false
    )

    @Argument(help: "The contract, relative to the target's folder.")
    var contract: String

    @Option(help: ArgumentHelp("The target's folder.", valueName: "folder"))
    var target: String

    @Option(
        name: .customLong("among"),
        help: ArgumentHelp("A contract of the target. Repeat the option for each contract.", valueName: "contract"))
    var contracts: [String]

    @Option(help: ArgumentHelp("The output folder.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The prefix of the file names.", valueName: "name"))
    var fileStem: String

    @Option(help: ArgumentHelp("The number of files with types, and of files with commands.", valueName: "number"))
    var shards: Int = 1

    func validate() throws {
        if shards < 1 { throw ValidationError("`--shards` must be at least 1") }
    }

    func run() throws {
        let report = TargetBuild.run(
            TargetBuildOptions(
                folder: target, contract: contract, contracts: contracts, output: output, fileStem: fileStem,
                shards: shards
            ))
        // Build tools find lines of this form in what a step prints, and need the whole path.
        let text = XcodeReport(folder: target).render(report.findings)
        if !text.isEmpty { Console.complain(String(text.dropLast())) }
        switch report.outcome {
        case .fine: return
        case .findings, .stale: throw ExitStatus.findings
        case .couldNotRun: throw ExitStatus.couldNotRun
        }
    }
}
