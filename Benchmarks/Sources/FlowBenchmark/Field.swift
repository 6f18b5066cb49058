import Foundation
import SyntheticProjects

/// The server, the contenders' programs, and a folder for their files.
struct Field {
    enum Job: String {
        case down, file, up, loop, pages, elements, events, lines, commands, frames
    }

    /// The isolation of the code that takes pages, elements and events.
    enum Reader: String {
        case task, mainActor

        var title: String { self == .task ? "a task" : "the main actor" }
    }

    /// The figures of one run.
    struct Figure {
        /// Seconds.
        var wall: Double
        /// Seconds of processor time.
        var processor: Double
        /// The largest resident size, in bytes.
        var memory: Int
    }

    private let tools: URL
    private let folder: URL
    private let server: Process
    /// The server ends when this pipe closes.
    private let leash: Pipe
    private let port: Int

    init(tools: URL) throws {
        self.tools = tools
        // The folder is in memory if the system has such a folder, so that no disk is measured.
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let base =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        folder = base.appendingPathComponent("errand-flow-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        (server, leash) = (Process(), Pipe())
        let output = Pipe()
        server.executableURL = tools.appendingPathComponent("FlowServer")
        (server.standardInput, server.standardOutput) = (leash, output)
        try server.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw MeasuredProcess.Failure(description: "FlowServer named no port")
        }
        self.port = port
    }

    func remove() {
        try? leash.fileHandleForWriting.close()
        server.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private var source: URL { folder.appendingPathComponent("source") }
    private var target: URL { folder.appendingPathComponent("target") }

    /// Writes the file that uploads send.
    func prepareUpload(_ count: Int) throws {
        try Data().write(to: source)
        let handle = try FileHandle(forWritingTo: source)
        defer { try? handle.close() }
        let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for start in stride(from: 0, to: count, by: block.count) {
            try handle.write(contentsOf: block.prefix(count - start))
        }
    }

    func run(_ contender: String, _ job: Job, _ count: Int, by reader: Reader = .task) throws -> Figure {
        defer { try? FileManager.default.removeItem(at: target) }
        if contender == "curl" { return try runCurl(job, count) }
        let tool = tools.appendingPathComponent("FlowContender").path
        let file = job == .up ? source : target
        _ = try MeasuredProcess.run(
            tool, [contender, job.rawValue, reader.rawValue, "\(port)", "\(count)", file.path], in: folder)
        let numbers = try log().split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3 else {
            throw MeasuredProcess.Failure(description: "\(contender) printed \(numbers.count) numbers")
        }
        return Figure(wall: numbers[0], processor: numbers[1], memory: Int(numbers[2]))
    }

    private func log() throws -> String {
        try String(contentsOf: folder.appendingPathComponent(MeasuredProcess.logName), encoding: .utf8)
    }

    // MARK: curl

    static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    /// curl says how long the transfer took, and then what it knows of itself.
    private func runCurl(_ job: Job, _ count: Int) throws -> Figure {
        let url = "http://127.0.0.1:\(port)/bytes"
        let transfer =
            switch job {
            case .up: ["-T", source.path, "-o", "/dev/null", url]
            case .file: ["-o", target.path, "\(url)?count=\(count)"]
            case .down, .loop, .pages, .elements, .events, .lines, .commands, .frames:
                ["-o", "/dev/null", "\(url)?count=\(count)"]
            }
        let itself = FileManager.default.fileExists(atPath: "/proc/self/status") ? "/proc/self/status" : "/dev/null"
        let measured = try MeasuredProcess.run(
            "/usr/bin/curl",
            ["--fail", "--silent", "--show-error", "-w", "seconds: %{time_total}\n"] + transfer
                + ["--next", "--silent", "file://\(itself)"], in: folder)
        var (wall, memory) = (measured.wall, measured.peakMemory)
        for line in try log().split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 2 else { continue }
            if words[0] == "seconds:" { wall = Double(words[1]) ?? wall }
            if words[0] == "VmHWM:" { memory = Int(words[1]).map { $0 << 10 } ?? memory }
        }
        return Figure(wall: wall, processor: measured.processor, memory: memory)
    }
}
