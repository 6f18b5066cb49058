import ContractModel
import Diagnostics
import Pipeline

/// The folders that the client has open, the projects in them, and the texts that are being edited.
final class Workspace {
    let texts = OpenTexts()
    private let access: AccessOptions
    /// Absolute paths.
    private(set) var folders: [String] = []
    private var projects: [String: Project] = [:]
    /// Which project the files of a folder belong to.
    private var roots: [String: String] = [:]
    private var forgottenAnalyses = 0

    /// - Parameter access: What the command line allows beyond the files of the projects.
    init(_ access: AccessOptions) {
        self.access = access
    }

    func add(folder uri: String) {
        let path = DocumentAddress.path(of: uri)
        if path.hasPrefix("/"), !folders.contains(path) { folders.append(path) }
        reset()
    }

    func remove(folder uri: String) {
        let path = DocumentAddress.path(of: uri)
        folders.removeAll { $0 == path }
        reset()
    }

    /// The contracts that are open, in the order of their paths.
    var openContracts: [String] { texts.all.keys.filter { isContract($0) }.sorted() }

    /// A file is a contract if its name says so. Another YAML file, or a text without a name, is one where a line begins
    /// as every contract begins, so that a client that hands over every YAML file hears nothing about those of others.
    func isContract(_ path: String) -> Bool {
        if path.hasSuffix(".contract.yaml") || path.hasSuffix(".contract.yml") { return true }
        guard !isConfiguration(path), let text = texts[path]?.text else { return false }
        return (0..<min(text.lineCount, 50)).contains {
            text.bytes[text.content(ofLine: $0)].starts(with: "errand:".utf8)
        }
    }

    func project(of path: String) -> Project {
        let root = root(ofFilesIn: path.hasPrefix("/") ? DocumentAddress.folder(of: path) : folders.first ?? "/")
        if let known = projects[root] { return known }
        let project = Project(root: root, texts, access)
        projects[root] = project
        return project
    }

    /// The projects of the open contracts, and those whose `errand.yaml` is open.
    var openProjects: [Project] {
        for path in texts.all.keys where isContract(path) || isConfiguration(path) { _ = project(of: path) }
        return projects.values.sorted { $0.root < $1.root }
    }

    /// A text was edited, opened or closed, or a file has changed on the disk.
    func forget(_ path: String) {
        if isConfiguration(path) { return reset() }
        for project in projects.values { project.forget(path) }
    }

    /// How many analyses there were.
    var analysisCount: Int { projects.values.map(\.analysisCount).reduce(forgottenAnalyses, +) }

    /// The nearest folder above with an `errand.yaml`, else the client's folder that holds it, else its own.
    private func root(ofFilesIn folder: String) -> String {
        if let known = roots[folder] { return known }
        var root: String?
        var candidate = folder
        while root == nil {
            let file = DocumentAddress.normalized(candidate + "/" + ProjectConfiguration.fileName)
            if case .bytes = texts.readConfiguration(file) { root = candidate }
            if candidate == "/" { break }
            candidate = DocumentAddress.folder(of: candidate)
        }
        let holders = folders.filter { folder == $0 || folder.hasPrefix($0 + "/") || $0 == "/" }
        let found = root ?? holders.max { $0.count < $1.count } ?? folder
        roots[folder] = found
        return found
    }

    private func isConfiguration(_ path: String) -> Bool {
        DocumentAddress.name(of: path) == ProjectConfiguration.fileName
    }

    private func reset() {
        forgottenAnalyses = analysisCount
        projects = [:]
        roots = [:]
    }
}
