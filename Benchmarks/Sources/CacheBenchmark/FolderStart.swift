@_spi(Measuring) import ErrandRuntime
import FeedClient
import Foundation
import MeasuredTurns
import SyntheticProjects

/// What a process measures that starts with a folder of responses.
struct FolderStart {
    /// Seconds from the start of the client to its first response.
    let first: Double
    /// Seconds of each further read of a response that is on the disk only.
    let each: Double
    /// Seconds for a file of the same size, read as a whole, and for the same parsing.
    let plain: Double
    /// By how many bytes the process has grown between its start and the first response.
    let memory: Int

    /// What the folder may have, in bytes on the disk.
    static let size = 2 << 30

    var line: String { "\(first) \(each) \(plain) \(memory)" }

    /// Measures in this process.
    static func measure(_ path: String, reads: Int, of pages: Int) async throws -> FolderStart {
        let before = ProcessUsage.residentMemory()
        let start = ContinuousClock.now
        let feed = KeptFeed.client(NoNetwork(), folder: path + "/kept", size: size)
        let count = try await feed.keptArticles(page: 0).count
        let first = (ContinuousClock.now - start) / .seconds(1)
        let memory = ProcessUsage.residentMemory() - before
        // Pages all over the folder, none of them twice.
        let step = max(1, pages / reads)
        let further = (1..<reads).map { $0 * step }
        let middle = ContinuousClock.now
        for page in further {
            try Disagreement.check("the articles", try await feed.keptArticles(page: page).count, count)
        }
        let each = (ContinuousClock.now - middle) / .seconds(1)
        let last = ContinuousClock.now
        for _ in further {
            let body = try Data(contentsOf: URL(fileURLWithPath: path + "/kept.json"))
            try Disagreement.check(
                "the articles", try Feed.KeptArticles.response(readFrom: Array(body))?.count, count)
        }
        let plain = (ContinuousClock.now - last) / .seconds(1)
        let divisor = Double(max(1, further.count))
        return FolderStart(first: first, each: each / divisor, plain: plain / divisor, memory: memory)
    }

    /// Measures in a new process of this program.
    static func inProcess(_ path: String, reads: Int, of pages: Int) throws -> FolderStart {
        let folder = URL(fileURLWithPath: path)
        _ = try MeasuredProcess.run(
            ProcessInfo.processInfo.arguments[0], ["start", path, "\(reads)", "\(pages)"], in: folder)
        let output = try String(contentsOf: folder.appendingPathComponent(MeasuredProcess.logName), encoding: .utf8)
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 4 else { throw MeasuredProcess.Failure(description: "the process said: \(output)") }
        return FolderStart(first: numbers[0], each: numbers[1], plain: numbers[2], memory: Int(numbers[3]))
    }
}
