import Foundation

/// A folder of this run, in which the tool generates clients.
public struct Workspace {
    /// The tool, built in release.
    private let tool: String
    private let folder: URL

    public init(tool: String) throws {
        self.tool = tool
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    public func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A folder for the tool to run in, with one contract.
    public func project(_ name: String, contract: String) throws -> URL {
        let project = try makeFolder(name)
        let contracts = try makeFolder("\(name)/contracts")
        try Data(contract.utf8).write(to: contracts.appendingPathComponent("synthetic.contract.yaml"))
        return project
    }

    /// Lints the project's contract with the tool.
    public func lint(_ project: URL) throws -> MeasuredProcess {
        try MeasuredProcess.run(tool, ["lint", "contracts"], in: project)
    }

    /// Compares another contract with the project's. The other one has to be a draft, whose breaks do not fail.
    public func diff(_ project: URL, from old: String) throws -> MeasuredProcess {
        try MeasuredProcess.run(tool, ["diff", old, "contracts", "--quiet"], in: project)
    }

    /// Writes the reference pages of the project's contract from nothing.
    public func docs(_ project: URL) throws -> MeasuredProcess {
        try? FileManager.default.removeItem(at: project.appendingPathComponent("site"))
        return try MeasuredProcess.run(tool, ["docs", "contracts", "--output", "site", "--quiet"], in: project)
    }

    /// Measures the start of the tool without any work.
    public func start() throws -> MeasuredProcess { try MeasuredProcess.run(tool, ["--version"], in: folder) }

    /// Generates the project's client from nothing.
    @discardableResult
    public func generate(_ project: URL) throws -> MeasuredProcess {
        try? FileManager.default.removeItem(at: project.appendingPathComponent("generated"))
        return try MeasuredProcess.run(tool, ["generate", "--quiet"], in: project)
    }

    /// The generated files in the order of their names.
    public func generatedFiles(_ project: URL) throws -> [URL] {
        let folder = project.appendingPathComponent("generated/Synthetic")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted {
            $0.path < $1.path
        }
    }

    public func makeFolder(_ name: String) throws -> URL {
        let made = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made
    }
}
