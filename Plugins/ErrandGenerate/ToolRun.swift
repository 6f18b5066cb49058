import Foundation
import PackagePlugin

/// The tool at work in the folders that a command is about.
struct ToolRun {
    /// What was said, without `--target`.
    let arguments: [String]
    private let tool: URL
    private let package: Package
    /// What `--target` names.
    private let targets: [String]

    init(_ context: PluginContext, _ arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        targets = extractor.extractOption(named: "target")
        self.arguments = extractor.remainingArguments
        tool = try context.tool(named: "errand").url
        package = context.package
    }

    /// Runs the tool in the package's folder where that is set up, and in the folders of targets with contracts otherwise.
    ///
    /// - Returns: The greatest exit status.
    func perform(
        inTarget arguments: (_ contracts: [String]) -> [String], orInPackage packageArguments: () -> [String]
    ) throws -> Int32 {
        let isSetUp = ["errand.yaml", "contracts"].contains { name in
            FileManager.default.fileExists(atPath: package.directoryURL.appendingPathComponent(name).path)
        }
        // `--help` says the same wherever it is asked.
        if targets.isEmpty, isSetUp || self.arguments.contains(where: ["--help", "-h"].contains) {
            return try run(packageArguments(), in: package.directoryURL)
        }
        var status: Int32 = 0
        for found in contracts() {
            // What the tool prints is relative to the target's folder.
            print("\(found.target):")
            fflush(nil)
            status = max(status, try run(arguments(found.contracts.map(found.relative)), in: found.folder))
        }
        return status
    }

    /// Ends the command as the tool ended.
    static func end(_ status: Int32) {
        if status != 0 { exit(status) }
    }

    private func contracts() -> [TargetContracts] {
        let known = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
        // All files below the folder: where nothing but these commands reads a contract, the manifest excludes it.
        let all = known.map { target in
            TargetContracts(
                files: TargetContracts.files(below: target.directoryURL), folder: target.directoryURL,
                target: target.name)
        }
        if targets.isEmpty {
            let found = all.filter { !$0.contracts.isEmpty }
            if !found.isEmpty { return found }
            Diagnostics.error(
                "no target of this package has a contract, and it has neither `errand.yaml` nor `contracts/`; "
                    + "`errand init` writes a first contract"
            )
            exit(2)
        }
        return targets.map { name in
            guard let found = all.first(where: { $0.target == name }) else {
                let names = known.map { "`\($0.name)`" }.joined(separator: ", ")
                Diagnostics.error("this package has no target `\(name)` of Swift sources; it has \(names)")
                exit(2)
            }
            guard !found.contracts.isEmpty else {
                Diagnostics.error(
                    "the target `\(name)` has no contract; put a file such as `bank.contract.yaml` into its folder (`errand init` writes one)"
                )
                exit(2)
            }
            return found
        }
    }

    private func run(_ arguments: [String], in folder: URL) throws -> Int32 {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 2
    }
}
