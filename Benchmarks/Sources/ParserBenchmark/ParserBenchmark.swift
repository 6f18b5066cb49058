import FeedDocuments
import FigureTables
import Foundation

/// Prints how generated parsers compare with Foundation's coders and with yyjson, as ratios of processor time in this one
/// process, beside what the design promises.
///
/// Usage: ParserBenchmark [--quick] [--markdown] [--seed NUMBER]
///
/// Exit status: 0 measured, 1 the sides compared do not come to equal values, 2 misuse. A promise that is missed is printed.
@main
struct ParserBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        var seed = FeedDocument.defaultSeed
        if let flag = arguments.firstIndex(of: "--seed") {
            guard flag + 1 < arguments.count, let number = UInt64(arguments[flag + 1]) else {
                print("usage: ParserBenchmark [--quick] [--markdown] [--seed NUMBER]")
                exit(2)
            }
            seed = number
        }
        let isQuick = arguments.contains("--quick")
        let rows = ParserRows(seed: seed, rounds: isQuick ? 5 : 15, slot: isQuick ? 0.02 : 0.08)
        do {
            try await report(rows, arguments.contains("--markdown") ? .markdown : .terminal)
        } catch {
            print("ParserBenchmark: \(error)")
            exit(1)
        }
    }

    private static func report(_ rows: ParserRows, _ style: FigureTable.Style) async throws {
        let machine = ProcessInfo.processInfo
        print(
            "\(machine.activeProcessorCount) cores, \(machine.physicalMemory >> 30) GiB, \(machine.operatingSystemVersionString).\n"
        )
        // This comes first, because different values end the run.
        print(
            "Seed of the documents: \(rows.seed). Ratios of processor time, theirs ÷ ours, each the median of \(rows.rounds) rounds"
        )
        print(
            "in which the two take turns; the spread is that of the rounds. Both sides were seen to come to equal values.\n"
        )
        print(try await rows.speed().text(style))
        print(try rows.allocations().text(style))
        #if !HAS_YYJSON
        print("yyjson was left out: its source is not there (Benchmarks/fetch-yyjson gets it).\n")
        #endif
    }
}
