import Diagnostics

/// What a command works with: the settings of `errand.yaml`, and the files that it may read and write.
package struct CommandProject: Sendable {
    /// `nil` if `errand.yaml` has errors.
    package let configuration: ProjectConfiguration?
    package let boundary: ProjectBoundary
    /// The problems of `errand.yaml`, and the texts that they point into.
    package let diagnostics: [Diagnostic]
    package let sources: [String: [UInt8]]

    /// The project of the working folder, or of the folder that a person names.
    ///
    /// - Parameters:
    ///   - paths: The contracts, documents and folders that the command line names.
    ///   - keys: The paths of `errand.yaml` that the command uses, because the command line names no other ones.
    ///   - templates: The folder of templates that the command line names.
    package init(
        naming paths: [String] = [], _ access: AccessOptions = AccessOptions(),
        using keys: Set<ProjectBoundary.PathKey> = [.output, .templates], templates: String? = nil
    ) {
        let loaded = ProjectConfiguration.loadForCommand(naming: paths)
        var access = access
        if let templates { access.folders.append(templates) }
        let boundary = ProjectBoundary(loaded.configuration ?? ProjectConfiguration(), naming: paths, access)
        let refused = loaded.configuration.map { boundary.findings(in: $0, of: keys) } ?? []
        self.boundary = boundary
        configuration = refused.isEmpty ? loaded.configuration : nil
        diagnostics = loaded.diagnostics + refused
        sources = loaded.sources
    }
}
