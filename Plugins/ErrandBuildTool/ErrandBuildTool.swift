import Foundation
import PackagePlugin

/// Makes the clients of a target's contracts while it is built: one build command for each `*.contract.yaml`.
///
/// The names of what the commands write come from the names and sizes of the contracts. The command,
/// `errand build-contract`, reads them.
@main
struct ErrandBuildTool: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else {
            Diagnostics.error("ErrandBuildTool writes Swift, and `\(target.name)` is no target of Swift sources")
            return []
        }
        return TargetContracts(files: target.sourceFiles.map(\.url), folder: target.directoryURL, target: target.name)
            .buildCommands(
                tool: try context.tool(named: "errand-build").url, output: context.pluginWorkDirectoryURL
            )
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension ErrandBuildTool: XcodeBuildToolPlugin {
    /// A target of an Xcode project has no folder of its own. The common parent folder of its contracts is used instead.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        let files = target.inputFiles.map(\.url)
        let folder = TargetContracts.commonFolder(of: files) ?? context.xcodeProject.directoryURL
        return TargetContracts(files: files, folder: folder, target: target.displayName).buildCommands(
            tool: try context.tool(named: "errand-build").url, output: context.pluginWorkDirectoryURL
        )
    }
}
#endif

extension TargetContracts {
    /// The number of files for the types of a contract's client, and of files for its commands: one for each 16 KB of the
    /// contract.
    ///
    /// SwiftPM keeps a plugin's commands, and does not ask again when a contract changes. The tool therefore gets the number,
    /// and makes exactly these files even if the size has changed.
    static func shards(of contract: URL) -> Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: contract.path)[.size] as? Int) ?? 0
        return min(64, 1 + size / 16_384)
    }

    /// The names of the files of a client.
    static func outputs(_ stem: String, shards: Int) -> [String] {
        let numbers = 1...shards
        let suffixes = ["", "Errors"] + numbers.map { "Types\($0)" } + numbers.map { "Commands\($0)" }
        return suffixes.map { "\(stem)\($0).swift" }
    }

    func buildCommands(tool: URL, output: URL) -> [Command] {
        guard isUsable() else { return [] }
        let inputs = contracts + configuration
        return contracts.map { contract in
            let stem = Self.stem(of: contract)
            let shards = Self.shards(of: contract)
            var arguments = [
                "build-contract", argument(contract), "--target", folder.path, "--output", output.path, "--file-stem",
                stem, "--shards", "\(shards)",
            ]
            for other in contracts { arguments += ["--among", argument(other)] }
            return .buildCommand(
                displayName: "Errand: the client of \(relative(contract))", executable: tool, arguments: arguments,
                inputFiles: inputs,
                outputFiles: Self.outputs(stem, shards: shards).map(output.appendingPathComponent)
            )
        }
    }

    /// Whether the build can continue. If not, it reports the reason.
    private func isUsable() -> Bool {
        if contracts.isEmpty {
            // A package is set up before it has a contract, and `errand init` must be able to run in it.
            if hidden == nil { Diagnostics.warning(missing) } else { Diagnostics.error(missing) }
            return false
        }
        var stems: [String: URL] = [:]
        for contract in contracts {
            let stem = Self.stem(of: contract)
            if let other = stems[stem.lowercased()] {
                let both = "`\(relative(other))` and `\(relative(contract))`"
                Diagnostics.error(
                    "the clients of \(both) would both be written into `\(stem).swift`; rename one of the two contracts",
                    file: contract.path, line: 1
                )
                return false
            }
            stems[stem.lowercased()] = contract
        }
        return !hasFileInTheWay(stems)
    }

    /// The first bytes of a file. A pipe or a device is not opened, since it would be waited for.
    private static func beginning(of file: URL) -> Data {
        let target = file.resolvingSymlinksInPath()
        let kind = (try? FileManager.default.attributesOfItem(atPath: target.path))?[.type] as? FileAttributeType
        guard kind == .typeRegular, let handle = try? FileHandle(forReadingFrom: target) else { return Data() }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 64)) ?? Data()
    }

    /// A module cannot have two files with the same name, and the compiler's error does not name their origin.
    private func hasFileInTheWay(_ stems: [String: URL]) -> Bool {
        var outputs: [String: URL] = [:]
        for (stem, contract) in stems {
            for name in Self.outputs(stem, shards: Self.shards(of: contract)) { outputs[name.lowercased()] = contract }
        }
        for file in files where file.pathExtension == "swift" {
            guard let contract = outputs[file.lastPathComponent.lowercased()] else { continue }
            let isClient = Self.beginning(of: file).starts(with: "// Generated by Errand ".utf8)
            let fix =
                isClient
                ? "it is a committed client: remove it, or remove the plugin ErrandBuildTool from the target"
                : "rename one of the two"
            Diagnostics.error(
                "`\(relative(file))` has the name of a file that the build makes from `\(relative(contract))`; \(fix)",
                file: file.path, line: 1
            )
            return true
        }
        return false
    }
}
