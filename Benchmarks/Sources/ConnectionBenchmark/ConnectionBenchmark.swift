import FigureTables
import Foundation

/// Prints what commands over a persistent connection cost, beside the same commands over HTTP.
///
/// Usage: ConnectionBenchmark [--quick] [--markdown]
@main
struct ConnectionBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let rows = ConnectionRows(isQuick: arguments.contains("--quick"))
        do {
            print(try await rows.oneCommand().text(style))
            print(try await rows.pendingCommands().text(style))
            print(try await rows.reconnect().text(style))
        } catch {
            print("ConnectionBenchmark: \(error)")
            exit(1)
        }
    }
}
