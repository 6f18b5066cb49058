import ArgumentParser
import Diagnostics
import Pipeline

/// `errand init`.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a first contract and errand.yaml.",
        discussion: """
            Without --target the contract goes into contracts/, for clients that are generated and committed; with it, into \
            Sources/TARGET, where the plugin ErrandBuildTool finds it. Nothing is ever overwritten.

            Exit status: 0 written, 2 something is in the way, and then nothing was written.
            """
    )

    @Argument(help: "The package's folder.")
    var folder = "."

    @Option(help: "What the client is called in Swift.")
    var service = "Example"

    @Option(help: "A target in Sources/, for a client that is made while it is built.")
    var target: String?

    func run() throws {
        let report = Initialise.run(service: service, folder: folder, target: target)
        guard report.findings.isEmpty else {
            Console.complain(TextReport { _ in nil }.render(report.findings))
            throw ExitStatus.couldNotRun
        }
        for file in report.files { Console.out("wrote \(file)") }
        Console.out("")
        Console.out(target.map { buildLines($0) } ?? commitLines(report.service))
    }

    private func buildLines(_ target: String) -> String {
        """
        Add to Package.swift, and every build makes the client:

            .package(url: "…/errand.git", from: "\(ErrandVersion.text)"),                  // dependencies
            .product(name: "ErrandURLSession", package: "errand"),          // dependencies of \(target)
            .plugin(name: "ErrandBuildTool", package: "errand"),            // plugins of \(target)

        To commit the client instead, leave the plugin out, and after each change:

            swift package --allow-writing-to-package-directory errand-generate --target \(target)
        """
    }

    private func commitLines(_ service: String) -> String {
        """
        `errand generate` writes the client into generated/. Commit it, and add to Package.swift:

            .package(url: "…/errand.git", from: "\(ErrandVersion.text)", traits: []),      // dependencies
            .target(name: "\(service)Client", dependencies: [.product(name: "ErrandURLSession", package: "errand")],
                    path: "generated/\(service)"),                             // targets

        To have every build make it instead: `errand init --target TARGET`.
        """
    }
}
