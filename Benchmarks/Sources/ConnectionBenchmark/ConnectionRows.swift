import ErrandRuntime
import FigureTables
import Foundation
import MeasuredTurns

/// Measures a keyed command over a connection whose server is in the process, beside the same command over HTTP.
struct ConnectionRows {
    let isQuick: Bool

    private var rounds: Int { isQuick ? 5 : 15 }
    private var slot: Double { isQuick ? 0.02 : 0.1 }
    private var counts: [Int] { isQuick ? [100, 1_000] : [100, 1_000, 10_000] }

    func oneCommand() async throws -> FigureTable {
        var table = FigureTable(
            "One command over an open connection, beside the same command over HTTP",
            columns: [
                "beside a transport over HTTP that answers", "connection", "HTTP", "connection ÷ HTTP", "spread",
                "goal", "",
            ])
        let frames = await FrameNotes.make(InstantServer(payload: StoredNote.example))
        let ours = Contender { try await frames.send(FrameNotes.Store()).number }
        let answer = InstantHTTP(StoredNote.example)
        let transports: [(String, any Transport)] = [
            ("at once, without another task", answer),
            ("from a task of its own, as on a socket", HandedOverHTTP(answer)),
        ]
        for (name, transport) in transports {
            let http = await HTTPNotes.make(transport)
            let found = try await Comparison.measure(
                rounds: rounds, slot: slot, ours: ours,
                theirs: Contender { try await http.send(HTTPNotes.Store()).number })
            let ratio = found.ours / found.theirs
            table.add(
                [
                    name, duration(found.ours), duration(found.theirs), "\(rounded(ratio)) ×",
                    "\(rounded(1 / found.spread.upperBound))–\(rounded(1 / found.spread.lowerBound))",
                ] + Goal.atMost(1.3).cells(ratio))
        }
        return table
    }

    /// Commands that were sent and have no reply yet, by the way that they were sent.
    func pendingCommands() async throws -> FigureTable {
        var table = FigureTable(
            "Commands that wait for their reply, memory of each",
            columns: ["commands", "connection", "HTTP", "more", "goal", ""])
        guard let count = counts.last else { return table }
        let frames = try Self.measured(.frames, count)
        let http = try Self.measured(.http, count)
        let more = frames - http
        table.add(
            ["\(count)", "\(frames) bytes", "\(http) bytes", "\(more) bytes"]
                + Goal.atMost(1, "KB").cells(Double(more) / 1_024))
        return table
    }

    /// The ways to send commands that wait.
    enum Way: String {
        case frames, http
    }

    /// Measures in a process of its own, because memory that was freed before would hide some.
    private static func measured(_ way: Way, _ count: Int) throws -> Int {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--memory", way.rawValue, "\(count)"]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let bytes = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Disagreement(what: "the memory of \(way)")
        }
        return bytes
    }

    /// The memory of each command that waits for its reply.
    static func memory(_ way: Way, _ count: Int) async throws -> Int {
        switch way {
        case .frames: try await memoryOverFrames(count)
        case .http: try await memoryOverHTTP(count)
        }
    }

    private static func memoryOverFrames(_ count: Int) async throws -> Int {
        let server = InstantServer(payload: StoredNote.example)
        let notes = await FrameNotes.make(server)
        _ = try await notes.send(FrameNotes.Store())
        server.fallSilent()
        return try await memory(count, arrived: { server.requests - 1 }) {
            _ = try? await notes.send(FrameNotes.Store())
        }
    }

    private static func memoryOverHTTP(_ count: Int) async throws -> Int {
        let transport = InstantHTTP("", isSilent: true)
        let notes = await HTTPNotes.make(transport, maximumRequests: 1 << 20)
        return try await memory(count, arrived: { transport.requests }) { _ = try? await notes.send(HTTPNotes.Store()) }
    }

    /// The memory of the process that each command needs until all are cancelled.
    private static func memory(
        _ count: Int, arrived: () -> Int, _ command: @escaping @Sendable () async -> Void
    ) async throws -> Int {
        let before = ProcessUsage.residentMemory()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { await command() } }
            while arrived() < count { try await Task.sleep(for: .milliseconds(5)) }
            let after = ProcessUsage.residentMemory()
            group.cancelAll()
            return (after - before) / count
        }
    }

    /// A connection is lost with commands on it, all of which are sent again over the next one.
    func reconnect() async throws -> FigureTable {
        var table = FigureTable(
            "A lost connection with pending commands, until each has its reply from the next connection",
            columns: ["commands", "processor time", "goal", "", "of each", "against the row above", ""])
        var last: Double?
        for count in counts {
            let server = InstantServer(payload: StoredNote.example)
            let notes = await FrameNotes.make(server)
            _ = try await notes.send(FrameNotes.Store())
            server.fallSilent()
            let time = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<count { group.addTask { try await notes.send(FrameNotes.Store()).number } }
                while server.requests < count + 1 { try await Task.sleep(for: .milliseconds(5)) }
                let start = ProcessUsage.processorTime()
                server.restart()
                _ = try await group.reduce(0, &+)
                return ProcessUsage.processorTime() - start
            }
            let each = time / Double(count)
            let growth = last.map { each / $0 }
            let goal = count == 10_000 ? Goal.atMost(1, "s").cells(time) : ["", ""]
            table.add(
                ["\(count)", duration(time)] + goal + [duration(each)]
                    + (growth.map { ["\(rounded($0)) ×", $0 < 1.5 ? "linear" : "more than linear"] } ?? []))
            last = each
        }
        return table
    }
}
