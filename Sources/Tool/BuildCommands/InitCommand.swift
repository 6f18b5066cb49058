import ArgumentParser
import Diagnostics
import Pipeline

/// `errand init`.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a first contract and errand.yaml.",
        discussion: """
            Without --target, the contract goes into contracts/, for clients that you generate and commit. With --target, it goes into \
            the target's folder in Sources, for the plugin ErrandBuildTool. A target without source files gets one, \
            because SwiftPM would ignore the target; without a Package.swift, it is a program with the first call. The command never overwrites files and asks no questions.

            Exit status: 0 written, 2 a file already exists, and nothing was written.
            """
    )

    @Argument(help: "The package's folder.")
    var folder = "."

    @Option(help: "The name of the client in Swift.")
    var service = "Example"

    @Option(help: "A target, or its folder, whose client the build generates.")
    var target: String?

    func run() throws {
        let report = Initialize.run(service: service, folder: folder, target: target)
        guard report.findings.isEmpty else {
            Console.complain(TextReport { _ in nil }.render(report.findings))
            throw ExitStatus.couldNotRun
        }
        for file in report.files { Console.out("wrote \(printable(file))") }
        Console.out("")
        Console.out(target.map { buildLines($0, report) } ?? commitLines(report))
    }

    /// The complete text for Package.swift, so that people can paste or compare it.
    private func manifest(_ package: String, traits: String, target: [String], isNew: Bool) -> String {
        var lines = [
            "// swift-tools-version: 6.1",
            "import PackageDescription",
            "",
            "let package = Package(",
            "    name: \"\(package)\",",
            "    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],",
            "    dependencies: [.package(url: \"…/errand.git\", from: \"\(ErrandVersion.text)\"\(traits))],",
            "    targets: [",
        ]
        lines += target.map { "        " + $0 } + ["    ]", ")"]
        let head =
            isNew ? "Write Package.swift:" : "Add to Package.swift what it lacks, and keep the kinds of its targets:"
        return head + "\n\n" + lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
            + "\n\nFor `…/errand.git`, write the URL that you cloned Errand from. A checkout is "
            + "`.package(path: \"../errand\"\(traits))`;\nits folder must be called `errand`."
    }

    private func buildLines(_ target: String, _ report: Initialize.Report) -> String {
        let name = target.split(separator: "/").last.map(String.init) ?? target
        let target = [
            report.hasProgram ? ".executableTarget(" : ".target(", "    name: \"\(name)\",",
            "    dependencies: [.product(name: \"ErrandTransport\", package: \"errand\")],",
            "    plugins: [.plugin(name: \"ErrandBuildTool\", package: \"errand\")])",
        ]
        let manifest =
            report.isSetUp ? "" : manifest(name, traits: "", target: target, isNew: report.isNewPackage) + "\n\n"
        let build =
            report.hasProgram
            ? """
            Next, run the program, with a server at http://127.0.0.1:8080/v1. Every build generates the client:

                swift run
            """
            : """
            Next, build the package. Every build generates the client:

                swift build

            \(firstCall(of: report))
            """
        return """
            \(manifest)\(build)

            To commit the client instead, leave out the plugin, and run this after each change:

                swift package --allow-writing-to-package-directory errand-generate --target \(name)
            """
    }

    /// The first call of the contract that was written, against a server on this machine.
    private func firstCall(of report: Initialize.Report, importing module: String? = nil) -> String {
        let lines = [
            "let client = \(report.service)(.local())",
            "print(try await client.listItems())",
        ]
        return
            "Then, in Swift, in a function that is `async throws` (`main` may be), with a server at http://127.0.0.1:8080/v1:\n\n"
            + ((module.map { ["import \($0)", ""] } ?? []) + lines)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    private func commitLines(_ report: Initialize.Report) -> String {
        let target = [
            ".target(", "    name: \"\(report.service)Client\",",
            "    dependencies: [.product(name: \"ErrandTransport\", package: \"errand\")],",
            "    path: \"generated/\(report.service)\")",
        ]
        let manifest =
            report.isSetUp
            ? "" : manifest(report.service, traits: ", traits: []", target: target, isNew: report.isNewPackage) + "\n\n"
        return """
            \(manifest)Next, generate the client into generated/, and commit it:

                errand generate

            \(firstCall(of: report, importing: "\(report.service)Client"))

            To let every build generate the client instead, run `errand init --target TARGET`.
            """
    }
}
