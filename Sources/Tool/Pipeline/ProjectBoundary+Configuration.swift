import ContractModel
import Diagnostics

// What `errand.yaml` says of the files of a run.
extension ProjectBoundary {
    /// - Parameters:
    ///   - base: The folder that relative paths begin at.
    ///   - configuration: What `errand.yaml` says, if there is one.
    ///   - paths: The contracts, documents and folders with contracts that the command line names.
    ///   - access: What the command line allows.
    package init(
        base: String = ".", _ configuration: ProjectConfiguration = ProjectConfiguration(), naming paths: [String] = [],
        _ access: AccessOptions = AccessOptions()
    ) {
        self.init(
            base: base, configuredIn: configuration.folder,
            configuration.contracts + configuration.allowed.map(\.value), configuration.limits, naming: paths, access)
    }

    /// The keys of `errand.yaml` with paths that a command writes to or reads.
    package enum PathKey: Sendable, CaseIterable {
        case output, templates, docsOutput, docsTemplates, texts
    }

    /// The paths of `errand.yaml` that it cannot decide.
    ///
    /// - Parameter keys: Those that the command takes from `errand.yaml`, and not from the command line. `allow` is for each command.
    package func findings(
        in configuration: ProjectConfiguration, base: String = ".", of keys: Set<PathKey>
    ) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        func add(_ message: String, _ range: SourceRange?, _ help: String) {
            guard let range else { return }
            findings.append(Diagnostic(rule: .outsideProject, message: message, at: range, help: help))
        }
        for folder in configuration.allowed {
            switch destination(of: FilePath.joined(base, folder.value)) {
            case .inside, .nothing: continue
            case .git: add("`\(folder.value)` has git's own files", folder.range, "remove it from `allow`")
            case .outside, .linkedOutside:
                add(
                    "`\(folder.value)` is outside the repository, and errand.yaml can allow only folders of it",
                    folder.range,
                    "allow the folder on the command line: `--allow-folder`")
            }
        }
        if keys.contains(.output), configuration.places["output"] != nil,
            let refusal = refusal(ofWriting: FilePath.joined(base, configuration.output), isNamed: false)
        {
            add(refusal.message, configuration.places["output"]?.range, refusal.help)
        }
        if keys.contains(.templates), let templates = configuration.templates,
            let refusal = refusal(ofReading: FilePath.joined(base, templates))
        {
            add(
                refusal.message, configuration.places["templates"]?.range,
                "name the folder with `--templates`, or move it")
        }
        if keys.contains(.docsTemplates), let folder = configuration.docs.templates,
            let refusal = refusal(ofReading: FilePath.joined(base, folder.value))
        {
            add(refusal.message, folder.range, "name the folder with `errand docs --templates`, or move it")
        }
        if keys.contains(.docsOutput), let folder = configuration.docs.output,
            let refusal = refusal(ofWriting: FilePath.joined(base, folder.value), isNamed: false)
        {
            add(refusal.message, folder.range, "name the folder with `errand docs --output`, or move it")
        }
        for catalog in keys.contains(.texts) ? configuration.texts : [] {
            let path = FilePath.joined(base, catalog.value)
            guard let refusal = refusal(ofWriting: path, isNamed: false) else { continue }
            add(refusal.message, catalog.range, "name the file with `errand texts --output`, or move it")
        }
        return findings
    }
}
