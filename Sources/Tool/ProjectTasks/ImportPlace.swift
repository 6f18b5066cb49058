import Diagnostics
import Pipeline

/// The contract that an import writes if the command does not name it.
enum ImportPlace {
    /// The file of a new contract: in the first folder that `errand.yaml` names, or beside the first contract.
    static func ofNew(_ service: String, _ contracts: [String]) -> String {
        let name = FirstFiles.fileName(of: service)
        let folders = contracts.map { path in isFile(path) ? folder(of: path) : path }
        guard let folder = folders.first, !folder.isEmpty, folder != "." else { return name }
        return folder + (folder.hasSuffix("/") ? "" : "/") + name
    }

    /// The contract that was imported as a service before; the place of a new one if no contract was.
    static func ofUpdate(_ service: String, _ contracts: [String], _ boundary: ProjectBoundary) -> String {
        let usual = ofNew(service, contracts)
        let imported = all(contracts, in: boundary).filter { ImportUpdate.reading($0, in: boundary).service == service }
        return imported.contains(usual) ? usual : imported.first ?? usual
    }

    /// The contracts of the project that can be updated.
    static func all(_ contracts: [String], in boundary: ProjectBoundary) -> [String] {
        ContractFiles.find(contracts, in: boundary).files.filter {
            (try? SystemCall.kind(of: ImportUpdate.basePath(of: $0))) == .file
        }
    }

    private static func isFile(_ path: String) -> Bool {
        if let kind = try? SystemCall.kind(of: path) { return kind != .folder }
        return path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    }

    private static func folder(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }
}
