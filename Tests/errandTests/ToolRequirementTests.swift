import Foundation
import Testing

/// A package that excludes the tool by `traits: []` and uses a plugin is told so by the compiler.
@Suite struct ToolRequirementTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Sources/Tool/BuildCommands/ToolRequirement.swift"
    ).standardizedFileURL.path

    private func swiftc(_ arguments: [String], in folder: ProjectFolder) throws -> (status: Int32, text: String) {
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc"] + arguments
        compiler.currentDirectoryURL = folder.url
        let errors = Pipe()
        compiler.standardOutput = FileHandle.nullDevice
        compiler.standardError = errors
        try compiler.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return (compiler.terminationStatus, text)
    }

    @Test func withoutTheToolsDependenciesTheCauseIsNamed() throws {
        let folder = try ProjectFolder()
        let (status, text) = try swiftc(["-typecheck", Self.file], in: folder)
        #expect(status != 0)
        #expect(text.contains("error: `traits: []` excludes Errand's tool"), "\(text)")
        #expect(text.contains("must depend on Errand without `traits:`"), "\(text)")
    }

    @Test func withThemNothingIsSaid() throws {
        let folder = try ProjectFolder()
        try folder.write("", to: "Parser.swift")
        let module = ["-module-name", "ArgumentParser", "-emit-module-path", "ArgumentParser.swiftmodule"]
        #expect(try swiftc(["-emit-module", "Parser.swift"] + module, in: folder).status == 0)
        let (status, text) = try swiftc(["-typecheck", Self.file, "-I", "."], in: folder)
        #expect(status == 0)
        #expect(text.isEmpty, "\(text)")
    }

    /// A target below the tool that failed first would hide the cause.
    @Test func theHostOfTheMockServerIsEmptyWithoutThem() throws {
        let sources = URL(fileURLWithPath: Self.file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var count = 0
        for target in ["Testing/ErrandHTTPServer", "Testing/ErrandTestServer", "Tool/MockHost"] {
            let folder = sources.appendingPathComponent(target)
            for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
                ?? .init()
            where file.pathExtension == "swift" {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                guard
                    lines.contains("import FlyingSocks") || lines.contains("import ErrandHTTPServer")
                        || lines.contains(where: { $0.contains("MockHost {") })
                else { continue }
                count += 1
                let first = lines.first { !$0.hasPrefix("//") }
                #expect(first == "#if canImport(FlyingSocks)" && lines.last == "#endif", "\(file.lastPathComponent)")
            }
        }
        #expect(count == 9)
    }
}
