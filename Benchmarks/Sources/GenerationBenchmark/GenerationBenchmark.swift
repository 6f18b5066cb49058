import Foundation

/// Prints what generating a client costs for contracts of 10, 100 and 1,000 endpoints, and what compiling the client of
/// 100 costs.
///
/// Usage: GenerationBenchmark ERRAND MODULES [--quick]
///   ERRAND   the tool, built in release
///   MODULES  the folder with ErrandRuntime.swiftmodule
@main
struct GenerationBenchmark {
    /// Figures of the best-known generator for Swift on the same work, from a trial on 2 cores; not measured by this run.
    private enum Reference {
        static let generation: [Int: (processor: Double, lines: Int)] = [100: (4.2, 60_221), 1000: (45, 600_671)]
        static let debugCompile = 91.0
        static let releaseCompile = 180.0
    }

    private let tool: String
    private let modules: String
    private let folder: URL

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: GenerationBenchmark ERRAND MODULES [--quick]")
            exit(2)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let benchmark = GenerationBenchmark(tool: arguments[1], modules: arguments[2], folder: folder)
        try benchmark.run(isQuick: arguments.contains("--quick"))
    }

    private func run(isQuick: Bool) throws {
        print("Generation (median of 5 runs, whole process)")
        print(row(["endpoints", "wall", "CPU", "peak memory", "files", "lines", "bytes", "CPU : reference", "lines : reference"]))
        var processor: [Int: Double] = [:]
        for count in isQuick ? [10, 100] : [10, 100, 1000] {
            let project = try project(endpoints: count)
            let runs = try (0..<5).map { _ in
                try? FileManager.default.removeItem(at: project.appendingPathComponent("generated"))
                return try MeasuredProcess.run(tool, ["generate", "--quiet"], in: project)
            }
            let median = runs.sorted { $0.processor < $1.processor }[2]
            processor[count] = median.processor
            let output = try generatedFiles(project)
            let reference = Reference.generation[count]
            print(row([
                "\(count)", seconds(median.wall), seconds(median.processor), megabytes(median.peakMemory), "\(output.files.count)", "\(output.lines)", "\(output.bytes)",
                reference.map { ratio($0.processor / median.processor, "less") } ?? "", reference.map { ratio(Double($0.lines) / Double(output.lines), "fewer") } ?? "",
            ]))
        }
        if let small = processor[100], let large = processor[1000] {
            print("growth of CPU from 100 to 1,000 endpoints: \(rounded(large / small)) ×")
        }
        print("\nCompiling the generated client (CPU of the compiler)")
        print(row(["endpoints", "configuration", "wall", "CPU", "peak memory", "CPU : reference"]))
        try compile(endpoints: isQuick ? 10 : 100, isQuick: isQuick)
        if !isQuick { try compile(endpoints: 1000, isQuick: true) }
        print("\nreference: figures of another generator on the same work, from an earlier trial, not measured by this run")
    }

    // MARK: Work

    private func project(endpoints count: Int) throws -> URL {
        let project = folder.appendingPathComponent("project-\(count)")
        try FileManager.default.createDirectory(at: project.appendingPathComponent("contracts"), withIntermediateDirectories: true)
        let contract = project.appendingPathComponent("contracts/synthetic.contract.yaml")
        try Data(SyntheticContract.text(endpoints: count).utf8).write(to: contract)
        return project
    }

    private func generatedFiles(_ project: URL) throws -> (files: [URL], lines: Int, bytes: Int) {
        let folder = project.appendingPathComponent("generated/Synthetic")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted { $0.path < $1.path }
        var lines = 0
        var bytes = 0
        for file in files {
            let data = try Data(contentsOf: file)
            bytes += data.count
            lines += data.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        }
        return (files, lines, bytes)
    }

    private func compile(endpoints count: Int, isQuick: Bool) throws {
        let project = try project(endpoints: count)
        _ = try MeasuredProcess.run(tool, ["generate", "--quiet"], in: project)
        let files = try generatedFiles(project).files.map(\.path)
        let compiler = try swiftCompiler()
        var configurations = [("debug", ["-Onone", "-g", "-enable-batch-mode"], count == 100 ? Reference.debugCompile : nil)]
        if !isQuick { configurations.append(("release", ["-O", "-g", "-whole-module-optimization", "-num-threads", "2"], count == 100 ? Reference.releaseCompile : nil)) }
        for (name, flags, reference) in configurations {
            let output = project.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
            let measured = try MeasuredProcess.run(
                compiler,
                ["-module-name", "SyntheticClient", "-swift-version", "6", "-parse-as-library", "-emit-module", "-c", "-j2", "-I", modules] + flags + files,
                in: output
            )
            print(row(["\(count)", name, seconds(measured.wall), seconds(measured.processor), megabytes(measured.peakMemory),
                       reference.map { ratio($0 / measured.processor, "less") } ?? ""]))
        }
    }

    private func swiftCompiler() throws -> String {
        for path in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let candidate = "\(path)/swiftc"
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
        }
        throw MeasuredProcess.Failure(description: "there is no swiftc in the PATH")
    }

    // MARK: Text

    private func row(_ cells: [String]) -> String {
        cells.map { $0 + String(repeating: " ", count: max(1, 16 - $0.count)) }.joined()
    }

    private func seconds(_ value: Double) -> String { value < 1 ? "\(Int((value * 1000).rounded())) ms" : "\(rounded(value)) s" }

    private func megabytes(_ bytes: Int) -> String { "\(bytes >> 20) MB" }

    private func ratio(_ value: Double, _ word: String) -> String { "\(rounded(value)) × \(word)" }

    private func rounded(_ value: Double) -> Double { value < 10 ? (value * 100).rounded() / 100 : (value * 10).rounded() / 10 }
}
