import BankClient
import ErrandRuntime
import FigureTables
import Foundation

/// Prints what a dispatcher adds to the bare call of its transport, for one command, for many at once, for many that wait, and
/// for a list that comes in pages.
///
/// Usage: PipelineBenchmark [--quick] [--markdown]
@main
struct PipelineBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let rows = PipelineRows(isQuick: arguments.contains("--quick"))
        do {
            print(try await rows.oneCommand().text(style))
            print(try await rows.overURLSession().text(style))
            print(try await rows.manyCommands().text(style))
            print(try await rows.waitingCommands().text(style))
            print(try await rows.pages().text(style))
        } catch {
            print("PipelineBenchmark: \(error)")
            exit(1)
        }
    }
}
