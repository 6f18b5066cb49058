import Foundation
import SyntheticProjects

/// The Swift compiler of the PATH, run as SwiftPM runs it.
struct Compiler {
    enum Configuration: String {
        case debug, release

        fileprivate var flags: [String] {
            switch self {
            case .debug: ["-Onone", "-g", "-enable-batch-mode"]
            case .release: ["-O", "-g", "-whole-module-optimization", "-num-threads", "2"]
            }
        }
    }

    /// The cost and the result of compiling one module.
    struct Result {
        let process: MeasuredProcess
        /// Bytes of code and data, without debug information; nil if the command `size` isn't installed.
        let objectCode: Int?
    }

    private let compiler: String
    private let size: String?
    private let modules: String
    private let maps: String

    /// Whether object code can be measured.
    var canSize: Bool { size != nil }

    /// - Parameters:
    ///   - modules: the folder with ErrandRuntime.swiftmodule.
    ///   - maps: a file with the arguments for modules of C.
    init(modules: String, maps: String) throws {
        guard let compiler = Self.find("swiftc") else {
            throw MeasuredProcess.Failure(description: "there is no swiftc in the PATH")
        }
        self.compiler = compiler
        size = Self.find("size") ?? Self.find("llvm-size")
        self.modules = modules
        self.maps = maps
    }

    /// Compiles files into objects in a folder, which holds nothing else.
    func compile(_ files: [URL], module: String, _ configuration: Configuration, in folder: URL) throws -> Result {
        let process = try MeasuredProcess.run(
            compiler,
            [
                "-module-name", module, "-swift-version", "6", "-parse-as-library", "-emit-module", "-c", "-j2", "-I",
                modules, "@" + maps,
            ]
                + configuration.flags + files.map(\.path),
            in: folder)
        return Result(process: process, objectCode: try objectCode(folder))
    }

    /// Text and data of all objects, by `size` in the format of Berkeley.
    private func objectCode(_ folder: URL) throws -> Int? {
        guard let size else { return nil }
        let objects = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "o" }
        _ = try MeasuredProcess.run(size, objects.map(\.lastPathComponent), in: folder)
        let lines = try String(contentsOf: folder.appendingPathComponent(MeasuredProcess.logName), encoding: .utf8)
            .split(separator: "\n").dropFirst()
        guard lines.count == objects.count else {
            throw MeasuredProcess.Failure(description: "\(size) says something unexpected")
        }
        return lines.reduce(0) { sum, line in
            let columns = line.split(whereSeparator: \.isWhitespace).prefix(2).compactMap { Int($0) }
            return sum + columns.reduce(0, +)
        }
    }

    private static func find(_ tool: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
