import ArgumentParser
import Diagnostics
import Pipeline

/// `errand lint`.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds errors and questionable patterns in contracts.",
        discussion: """
            Without paths, the command checks the contracts of errand.yaml, or those in contracts/. It finds everything that `generate` \
            would refuse. `errand rules` lists the rules, and `errand explain ID` prints the page of a rule.

            Exit status: 0 no findings at or above the severity of --fail-on, 1 findings, 2 could not run. So notes alone end \
            with 0, unless --fail-on is note.
            """
    )

    @Argument(help: "Contract files, or folders with contracts.")
    var contracts: [String] = []

    @Option(help: "The format of the findings.")
    var format: LintFormat = .text

    @Option(help: "The lowest severity that makes the exit status 1. (default: `fail-on` in errand.yaml, or warning)")
    var failOn: FailureLevel?

    @Flag(help: "Apply the fixes that are certain, and report the remaining findings.")
    var fix = false

    @Option(help: ArgumentHelp("A file with known findings, which are not reported.", valueName: "file"))
    var baseline: String?

    @Flag(help: "Write the current findings into the baseline.")
    var updateBaseline = false

    @Option(
        help: ArgumentHelp(
            "Report only findings that the contracts of a commit did not have.", valueName: "git:ref"))
    var changedSince: String?

    @OptionGroup var access: AccessArguments

    @Flag(name: [.short, .long], help: "Print nothing if there are no findings.")
    var quiet = false

    @Option(help: "When to use color.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard baseline?.isEmpty != true else { throw ValidationError("--baseline needs the name of a file.") }
        guard !updateBaseline || baseline != nil else {
            throw ValidationError("--update-baseline needs --baseline FILE.")
        }
        guard let changedSince else { return }
        guard changedSince.hasPrefix("git:") else {
            throw ValidationError("--changed-since takes git:REF, such as git:origin/main.")
        }
        guard !updateBaseline else {
            throw ValidationError("A baseline contains all findings; leave out --changed-since.")
        }
    }

    func run() throws {
        let presenter = LintPresenter(format: format, isQuiet: quiet, color: color)
        guard let options = presenter.options(for: self) else { throw ExitStatus.couldNotRun }
        let report = Lint.run(options)
        presenter.present(report)
        // The process ends; the system takes all memory at once.
        _ = report.reading.map(Unmanaged.passRetained)
        switch report.outcome {
        case .fine: return
        case .findings: throw ExitStatus.findings
        case .couldNotRun: throw ExitStatus.couldNotRun
        }
    }
}

/// The forms in which findings are printed.
package enum LintFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github, xcode, junit
}

/// The lowest severity that makes a command fail.
package enum FailureLevel: String, ExpressibleByArgument, CaseIterable {
    case error, warning, note
}
