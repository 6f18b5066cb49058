import Diagnostics

/// Where a project's contracts are: what was named on the command line, or what the project itself says.
package struct ProjectFiles {
    private let files: FileAccess
    private static let suffixes = [".contract.yaml", ".contract.yml"]

    package init(files: FileAccess = FileAccess()) {
        self.files = files
    }

    /// The project's configuration; the usual one where there is no file of it.
    package func configuration() -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic]) {
        let name = ProjectConfiguration.fileName
        if files.kind(of: name) == .missing { return (ProjectConfiguration(), []) }
        switch files.read(name) {
        case .success(let bytes): return ProjectConfiguration.decode(bytes, file: name)
        case .failure(let problem): return (nil, [Diagnostic(problem, file: name)])
        }
    }

    /// The contract files that paths stand for: a file for itself, a folder for the contracts in it, each once.
    package func contracts(at paths: [String]) -> (contracts: [String], diagnostics: [Diagnostic]) {
        var contracts: [String] = []
        var diagnostics: [Diagnostic] = []
        var seen: Set<String> = []
        for path in paths {
            let path = Self.normalised(path)
            guard files.kind(of: path) == .folder else {
                if seen.insert(path).inserted { contracts.append(path) }
                continue
            }
            switch files.names(in: path) {
            case .failure(let problem): diagnostics.append(Diagnostic(problem, file: path))
            case .success(let names):
                let found = names.filter { name in Self.suffixes.contains { name.hasSuffix($0) } }
                if found.isEmpty {
                    diagnostics.append(Diagnostic(
                        rule: "contracts-missing", message: "there is no contract in the folder `\(path)`", file: path,
                        help: "Contracts end in `.contract.yaml`."))
                }
                for name in found where seen.insert(path + "/" + name).inserted { contracts.append(path + "/" + name) }
            }
        }
        return (contracts, diagnostics)
    }

    /// The path without `./` before it and slashes behind it.
    private static func normalised(_ path: String) -> String {
        var path = path
        while path.hasPrefix("./"), path.count > 2 { path.removeFirst(2) }
        while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
        return path
    }
}
