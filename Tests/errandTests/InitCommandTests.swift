import Diagnostics
import Foundation
import Pipeline
import Testing

/// `errand init`: what it writes, that it lints, generates and compiles, and that it never overwrites.
@Suite struct InitCommandTests {
    @Test(arguments: [("Example", "example"), ("MyBank", "my-bank"), ("HTTPBin", "httpbin")])
    func whatItWritesLintsGeneratesAndCompiles(_ service: String, _ file: String) throws {
        let folder = try ProjectFolder()
        let run = try CommandRun(["init", "--service", service], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(
            folder.contents.keys.filter { $0.hasSuffix(".yaml") }.sorted() == [
                "contracts/\(file).contract.yaml", "errand.yaml",
            ])
        #expect(run.output.contains("wrote contracts/\(file).contract.yaml\nwrote errand.yaml\n"))
        #expect(run.output.contains("path: \"generated/\(service)\""))
        let lint = try CommandRun(["lint", "--fail-on", "note"], in: folder.url)
        #expect(lint.status == 0, "\(lint.output)")
        #expect(try CommandRun(["generate"], in: folder.url).status == 0)
        #expect(run.output.contains("\n    import \(service)Client\n"))
        try folder.write(try Self.firstCall(in: run.output), to: "generated/\(service)/FirstCall.swift")
        #expect(try GenerateCommandTests.compile(folder) == 0)
    }

    /// The lines of Swift that the command ends with, in a function.
    private static func firstCall(in output: String) throws -> String {
        let lines = try #require(output.components(separatedBy: "Then, in Swift").last).components(separatedBy: "\n")
            .filter { $0.hasPrefix("    ") && !$0.contains("import ") && !$0.contains("errand ") }
        try #require(lines.count == 2, "\(output)")
        return (["func firstCall() async throws {"] + lines + ["}", ""]).joined(separator: "\n")
    }

    /// A package that names the plugin needs no advice about its manifest.
    @Test func whatThePackageAlreadySaysIsNotRepeated() throws {
        let folder = try ProjectFolder()
        try folder.write("// plugins: [.plugin(name: \"ErrandBuildTool\", package: \"errand\")]", to: "Package.swift")
        try folder.write("", to: "Sources/App/App.swift")
        let run = try CommandRun(["init", "--target", "App"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(!run.output.contains("Package.swift") && run.output.contains("\n    swift build\n"), "\(run.output)")
    }

    @Test func intoATarget() throws {
        let folder = try ProjectFolder()
        try folder.write("", to: "app/Sources/App/App.swift")
        let run = try CommandRun(["init", "--service", "Bank", "--target", "App", "app"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains("wrote app/Sources/App/bank.contract.yaml\nwrote app/Sources/App/errand.yaml\n"))
        #expect(run.output.contains("ErrandBuildTool"))
        let build = try TargetStep(in: folder.url.appendingPathComponent("app/Sources/App"))
        #expect(try build.run("bank.contract.yaml").status == 0)
        let missing = try CommandRun(["init", "--target", "Apq", "app"], in: folder.url)
        #expect(missing.status == 2)
        #expect(missing.complaints.contains("there is no folder `app/Sources/Apq`"))
        #expect(missing.complaints.contains("did you mean `--target App`?"))
    }

    /// SwiftPM leaves out a target without sources before it asks its plugins.
    @Test(arguments: [
        ("App", "Example", "Sources/App", "App.swift"),
        ("Example", "Example", "Sources/Example", "ExampleTarget.swift"),
        // Swift would take `main.swift` for the program.
        ("main", "Example", "Sources/main", "mainTarget.swift"), ("Main", "Bank", "Sources/Main", "MainTarget.swift"),
        ("Sources/App", "Bank", "Sources/App", "App.swift"),
    ])
    func aTargetWithoutSourcesGetsOne(_ target: String, _ service: String, _ place: String, _ source: String) throws {
        let folder = try ProjectFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent(place), withIntermediateDirectories: true)
        let run = try CommandRun(["init", "--service", service, "--target", target], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains("wrote \(place)/\(source)\n"), "\(run.output)")
        #expect(folder.text("\(place)/\(source)")?.hasPrefix("// ") == true)
        #expect(run.output.contains("platforms: [.macOS(.v13)") && run.output.contains("\n    swift run\n"))
        let lint = try CommandRun(["lint", "--fail-on", "note"], in: folder.url.appendingPathComponent(place))
        #expect(lint.status == 0, "\(lint.output)\(lint.complaints)")
    }

    @Test func inAnEmptyFolderTheTargetIsMade() throws {
        let folder = try ProjectFolder()
        let run = try CommandRun(["init", "--target", "App"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains("Write Package.swift:"))
        let program = try #require(folder.text("Sources/App/App.swift"))
        #expect(program.contains("@main") && run.output.contains(".executableTarget("))
        #expect(run.output.contains("\n    swift run\n") && run.output.contains(".package(path: \"../errand\")"))
        #expect(try CommandRun(["generate"], in: folder.url.appendingPathComponent("Sources/App")).status == 0)
        #expect(try GenerateCommandTests.compile(folder, sources: "Sources/App") == 0)
        let manifest = try #require(run.output.components(separatedBy: "Package.swift:\n\n").last).components(
            separatedBy: "\n\nFor")[0].split(separator: "\n", omittingEmptySubsequences: false)
        #expect(manifest.allSatisfy { $0.isEmpty || $0.hasPrefix("    ") })
        #expect(manifest.last == "    )")
    }

    @Test func sourcesOfAPackageWithOneTargetAreFound() throws {
        let folder = try ProjectFolder()
        try folder.write("// swift-tools-version: 6.1", to: "Package.swift")
        try folder.write("print(1)", to: "Sources/main.swift")
        let run = try CommandRun(["init", "--target", "App"], in: folder.url)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(
            run.output.contains("wrote Sources/example.contract.yaml\nwrote Sources/errand.yaml\n"), "\(run.output)")
    }

    @Test(arguments: ["errand.yaml", "contracts/example.contract.yaml"])
    func whatIsThereStaysAndNothingIsWritten(_ present: String) throws {
        let folder = try ProjectFolder()
        try folder.write("mine", to: present)
        let run = try CommandRun(["init"], in: folder.url)
        #expect(run.status == 2)
        #expect(run.complaints.contains("`\(present)` already exists"), "\(run.complaints)")
        #expect(run.output.isEmpty)
        #expect(
            folder.contents.filter { !$0.key.hasPrefix(".") && !$0.value.isEmpty }.mapValues {
                String(decoding: $0, as: UTF8.self)
            } == [present: "mine"])
    }

    @Test(arguments: ["bank", "A: b", "Bank-1", "String", "", "self"])
    func aNameThatSwiftDoesNotTakeIsRefused(_ service: String) throws {
        let folder = try ProjectFolder()
        let run = try CommandRun(["init", "--service", service], in: folder.url)
        #expect(run.status == 2)
        #expect(run.complaints.contains("`\(service)`"), "\(run.complaints)")
        #expect(folder.contents.isEmpty)
    }

    /// Without its `#`s the file says every key, and each as the tool understands it.
    @Test(arguments: [false, true])
    func everyKeyIsThereAndIsOne(_ isForTarget: Bool) throws {
        let folder = try ProjectFolder()
        try folder.write("", to: "Sources/App/App.swift")
        #expect(try CommandRun(["init"] + (isForTarget ? ["--target", "App"] : []), in: folder.url).status == 0)
        let text = try #require(folder.text(isForTarget ? "Sources/App/errand.yaml" : "errand.yaml"))
        #expect(
            ProjectConfiguration.decode(Array(text.utf8), file: "errand.yaml").configuration == ProjectConfiguration())
        let keys = ProjectConfiguration.keys.filter { !isForTarget || !["contracts", "output"].contains($0) }
        let lines = text.split(separator: "\n").filter { line in keys.contains { line.hasPrefix("# \($0): ") } }.map {
            $0.dropFirst(2)
        }
        #expect(lines.count == keys.count)
        let decoded = ProjectConfiguration.decode(Array(lines.joined(separator: "\n").utf8), file: "errand.yaml")
        #expect(decoded.diagnostics.isEmpty, "\(decoded.diagnostics)")
        #expect(Set((decoded.configuration?.places ?? [:]).keys) == Set(keys))
    }
}
