import Foundation
import PackagePlugin

/// The tool at work in the folders that a command is about.
struct ToolRun {
    /// The user's arguments, without `--target`.
    let arguments: [String]
    private let tool: URL
    private let package: Package
    /// The targets that `--target` names.
    private let targets: [String]

    init(_ context: PluginContext, _ arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        targets = extractor.extractOption(named: "target")
        self.arguments = extractor.remainingArguments
        tool = try context.tool(named: "errand-build").url
        package = context.package
    }

    /// Runs the tool in the package's folder if that is set up, otherwise in the folders of targets with contracts.
    ///
    /// - Returns: The greatest exit status.
    func perform(
        inTarget arguments: (_ contracts: [String]) -> [String], orInPackage packageArguments: () -> [String]
    ) throws -> Int32 {
        // `--help` prints the same in any folder.
        if targets.isEmpty, isSetUp || self.arguments.contains(where: ["--help", "-h"].contains) {
            return try run(packageArguments(), in: package.directoryURL)
        }
        var status: Int32 = 0
        for found in contracts() {
            // The paths that the tool prints are relative to the target's folder.
            print("\(found.target):")
            fflush(nil)
            status = max(status, try run(arguments(found.contracts.map(found.argument)), in: found.folder))
        }
        return status
    }

    /// Runs the tool once, in the package's folder, for a question about any contract of the package: where they are in
    /// targets, after the question.
    func ask(_ arguments: [String]) throws -> Int32 {
        let namesContracts = arguments.dropFirst().contains { $0.contains("/") || $0.contains(".") }
        guard !namesContracts, targets.isEmpty == false || !isSetUp else {
            return try run(arguments, in: package.directoryURL)
        }
        let meant = all.filter { targets.isEmpty || targets.contains($0.target) }
        let base = package.directoryURL.path + "/"
        let paths = meant.flatMap(\.contracts).map {
            TargetContracts.argument($0.path.hasPrefix(base) ? String($0.path.dropFirst(base.count)) : $0.path)
        }
        return try run(arguments + paths, in: package.directoryURL)
    }

    /// Runs the tool in the package's folder, with the folder of the named target, if one is named.
    func inPackage(_ arguments: [String]) throws -> Int32 {
        let base = package.directoryURL.path + "/"
        let named = targets.map { name -> String in
            guard let target = all.first(where: { $0.target == name }), target.folder.path.hasPrefix(base) else {
                return name
            }
            let path = String(target.folder.path.dropFirst(base.count))
            let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
            // A folder is told from a name by its `/`.
            return trimmed.contains("/") ? trimmed : trimmed + "/"
        }
        return try run(arguments + named.flatMap { ["--target", $0] } + self.arguments, in: package.directoryURL)
    }

    /// Ends the command as the tool ended.
    static func end(_ status: Int32) {
        if status != 0 { exit(status) }
    }

    /// Whether the package's folder is one that the tool works in.
    private var isSetUp: Bool {
        ["errand.yaml", "contracts"].contains { name in
            FileManager.default.fileExists(atPath: package.directoryURL.appendingPathComponent(name).path)
        }
    }

    /// The targets of Swift sources, with all files below their folders: where nothing but these commands reads a contract,
    /// the manifest excludes it.
    private var all: [TargetContracts] {
        package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.map { target in
            TargetContracts(
                files: TargetContracts.files(below: target.directoryURL), folder: target.directoryURL,
                target: target.name)
        }
    }

    private func contracts() -> [TargetContracts] {
        let all = all
        if targets.isEmpty {
            let found = all.filter { !$0.contracts.isEmpty }
            if !found.isEmpty { return found }
            Diagnostics.error(
                "no target of this package has a contract, and it has neither `errand.yaml` nor `contracts/`; "
                    + "`swift package --allow-writing-to-package-directory errand-init` writes a first contract"
            )
            exit(2)
        }
        return targets.map { name in
            guard let found = all.first(where: { $0.target == name }) else {
                let names = all.map { "`\($0.target)`" }.joined(separator: ", ")
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
