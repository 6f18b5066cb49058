import FigureTables
import Foundation

/// Prints what a read from the cache costs, beside `URLCache` and a dictionary, what reads that share a request cost, and what a folder
/// with many responses costs a process that starts.
///
/// Usage: CacheBenchmark [--quick] [--markdown]
///        CacheBenchmark start FOLDER READS PAGES     starts with a folder, which the benchmark does in processes of their own
@main
struct CacheBenchmark {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.count == 4, arguments[0] == "start", let reads = Int(arguments[2]),
                let pages = Int(arguments[3])
            {
                return print(try await FolderStart.measure(arguments[1], reads: reads, of: pages).line)
            }
            let style: FigureTable.Style = arguments.contains("--markdown") ? .markdown : .terminal
            let rows = CacheRows(isQuick: arguments.contains("--quick"))
            print(try await rows.reads().text(style))
            print(try await rows.sharing().text(style))
            print(try await rows.folder().text(style))
        } catch {
            print("CacheBenchmark: \(error)")
            exit(1)
        }
    }
}
