import Foundation
import TestPrograms

/// Type-checks clients against the modules that this test is built with.
struct Compiler {
    /// How a target of an app is compiled.
    enum Mode: CaseIterable {
        case plain
        case mainActor
        case memberImportVisibility
        /// Plain, over clients that are generated with conformances and without `public`.
        case conforming

        var style: Style { self == .conforming ? .conforming : .plain }

        /// One mode goes beyond types, since some warnings come after them.
        var arguments: [String] {
            let mainActor = ["-typecheck", "-default-isolation", "MainActor"]
            return switch self {
            case .plain: ["-emit-sil", "-o", "/dev/null"]
            case .conforming: ["-typecheck"]
            case .mainActor: mainActor
            case .memberImportVisibility: mainActor + ["-enable-upcoming-feature", "MemberImportVisibility"]
            }
        }
    }

    /// The compiler's message about one line.
    struct Problem: CustomStringConvertible {
        let file: String
        let line: Int
        let message: String
        let isError: Bool

        /// The name of the service, whose folder the file is in.
        var service: String { URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent }

        /// The line that it is about.
        var source: String {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.indices.contains(line - 1) ? lines[line - 1].trimmingCharacters(in: .whitespaces) : ""
        }

        /// The message without the names in it.
        var kind: String {
            let parts = message.split(separator: "'", omittingEmptySubsequences: false)
            return parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: "…")
        }

        var description: String {
            "\(URL(fileURLWithPath: file).lastPathComponent):\(line): \(message)\n    \(source)"
        }
    }

    struct ModulesMissing: Error {}
    /// The compiler failed, and said nothing of any file.
    struct CompilerFailed: Error { let output: String }

    private let modules: String

    init() throws {
        var folders = [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let candidates = folders.map { $0.appendingPathComponent("Modules").path }
        guard
            let modules = candidates.first(where: {
                FileManager.default.fileExists(atPath: $0 + "/ErrandRuntime.swiftmodule")
            })
        else { throw ModulesMissing() }
        self.modules = modules
    }

    /// The problems of files that are one module.
    func problems(in files: [String], _ mode: Mode, below folder: URL) throws -> [Problem] {
        if files.isEmpty { return [] }
        return try run(mode.arguments, files, below: folder)
    }

    /// Makes a program of files, one of which has `@main`.
    ///
    /// - Parameter module: where the module of the files is written, for ``errors(in:using:below:)``. Warnings are no problems then.
    func program(
        of files: [String], below folder: URL, module: URL? = nil
    ) throws -> (program: URL, problems: [Problem]) {
        let program = folder.appendingPathComponent("program")
        var objects: [String] = []
        for target in [
            "ErrandJSON", "ErrandPatterns", "ErrandSemantics", "ErrandService", "ErrandRuntime", "ErrandClient",
            "CZlib",
            "ErrandCompression", "CCurl", "ErrandCurl", "ErrandURLSession", "ErrandTransport", "ErrandDigests",
            "ErrandXML", "ErrandDurable", "ErrandConnections", "ErrandTesting",
        ] {
            let build = URL(fileURLWithPath: modules).deletingLastPathComponent().appendingPathComponent(
                "\(target).build")
            // The build's folder keeps the objects of files that were renamed since.
            let sources = Self.sources(of: target)
            for path in Self.paths(below: build.path) where path.hasSuffix(".swift.o") || path.hasSuffix(".c.o") {
                guard sources.contains(String(path.split(separator: "/").last?.dropLast(2) ?? "")) else { continue }
                objects.append(build.appendingPathComponent(path).path)
            }
        }
        let digests = try digestObjects()
        let libraries = digests.isEmpty ? [] : ["-lstdc++"]
        let extra =
            module.map { ["-no-warnings-as-errors", "-emit-executable", "-emit-module", "-emit-module-path", $0.path] }
            ?? []
        let arguments = ["-o", program.path] + libraries + extra
        return (program, try run(arguments, files + objects + digests, below: folder))
    }

    /// The errors of files that import the module of a program.
    func errors(in files: [String], using module: URL, below folder: URL) throws -> [Problem] {
        let arguments = [
            "-typecheck", "-no-warnings-as-errors", "-module-name", "Uses", "-I",
            module.deletingLastPathComponent().path,
        ]
        return try run(arguments, files, below: folder).filter(\.isError)
    }

    /// The objects of swift-crypto, which signed clients need on systems without CryptoKit, as the program of these tests is
    /// linked with them.
    private func digestObjects() throws -> [String] {
        #if canImport(CryptoKit)
        return []
        #else
        let list = URL(fileURLWithPath: modules).deletingLastPathComponent().appendingPathComponent(
            "errandPackageTests.product/Objects.LinkFileList")
        let library = /\/(Crypto|CryptoBoringWrapper|CCrypto\w+|CXKCP\w*)\.build\//
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
        }.filter { $0.contains(library) }
        #endif
    }

    /// The names of the files of a target, which is in one of the wings of `Sources`.
    private static func sources(of target: String) -> Set<String> {
        let wings = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources")
        let names = try? FileManager.default.contentsOfDirectory(atPath: wings.path)
        return (names ?? []).reduce(into: []) { found, wing in
            found.formUnion(Self.names(below: wings.appendingPathComponent("\(wing)/\(target)").path))
        }
    }

    private static func paths(below folder: String) -> [String] {
        FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    }

    private static func names(below folder: String) -> Set<String> {
        Set(paths(below: folder).compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    private func run(_ arguments: [String], _ files: [String], below folder: URL) throws -> [Problem] {
        let list = folder.appendingPathComponent("files-\(UUID().uuidString)")
        let log = folder.appendingPathComponent("log-\(UUID().uuidString)")
        try Data(files.map { "\"\($0)\"\n" }.joined().utf8).write(to: list)
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-wmo", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors",
                "-module-name", "RandomClients", "-I", modules,
            ] + (try ModuleMaps.arguments()) + arguments + ["@" + list.path]
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let output = try String(contentsOf: log, encoding: .utf8)
        let problems = output.split(separator: "\n").compactMap(Self.problem)
        if process.terminationStatus != 0, problems.isEmpty {
            throw CompilerFailed(output: String(output.prefix(3000)))
        }
        return process.terminationStatus == 0 ? [] : problems
    }

    /// `…/S1/S1Types1.swift:12:7: error: …`
    private static func problem(_ line: Substring) -> Problem? {
        for severity in [": error: ", ": warning: "] {
            guard let mark = line.range(of: severity), line.hasPrefix("/") else { continue }
            let place = line[..<mark.lowerBound].split(separator: ":")
            guard place.count >= 3, let number = Int(place[place.count - 2]) else { continue }
            return Problem(
                file: place.dropLast(2).joined(separator: ":"), line: number, message: String(line[mark.upperBound...]),
                isError: severity == ": error: ")
        }
        return nil
    }
}
