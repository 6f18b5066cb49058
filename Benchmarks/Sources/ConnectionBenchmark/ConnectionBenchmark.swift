import FigureTables
import Foundation

/// Prints what commands over a persistent connection cost, beside the same commands over HTTP.
///
/// Usage: ConnectionBenchmark [--quick] [--markdown]
///        ConnectionBenchmark --memory frames|http COUNT    prints the bytes of each command that waits for its reply
@main
struct ConnectionBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let rows = ConnectionRows(isQuick: arguments.contains("--quick"))
        do {
            if arguments.count == 4, arguments[1] == "--memory", let way = ConnectionRows.Way(rawValue: arguments[2]),
                let count = Int(arguments[3])
            {
                return print(try await ConnectionRows.memory(way, count))
            }
            print(try await rows.oneCommand().text(style))
            print(try await rows.pendingCommands().text(style))
            print(try await rows.reconnect().text(style))
        } catch {
            print("ConnectionBenchmark: \(error)")
            exit(1)
        }
    }
}
