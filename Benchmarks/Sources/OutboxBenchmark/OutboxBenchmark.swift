import FigureTables
import Foundation

/// Prints what a durable command costs on the disk, beside bare inserts into a database with the same settings, and what many waiting
/// commands cost.
///
/// Usage: OutboxBenchmark [--quick] [--markdown]
@main
struct OutboxBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
        let rows = OutboxRows(isQuick: arguments.contains("--quick"))
        do {
            print(try await rows.syncs().text(style))
            print(try await rows.waiting().text(style))
        } catch {
            print("OutboxBenchmark: \(error)")
            exit(1)
        }
    }
}
