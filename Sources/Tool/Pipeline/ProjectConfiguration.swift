import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter
import YAMLTree

/// The contents of `errand.yaml`. Its paths are relative to its folder.
package struct ProjectConfiguration: Sendable, Equatable {
    package static let fileName = "errand.yaml"
    /// The keys in the order of the page that describes them. The page and `errand init` are held to this list.
    package static var keys: [String] { ConfigurationKeys.configuration.names }
    package static var lintKeys: [String] { ConfigurationKeys.lint.names }
    static var docsKeys: [String] { ConfigurationKeys.docs.names }
    static var limitKeys: [String] { ConfigurationKeys.limits.names }

    /// Contract files, and folders with contracts.
    package var contracts: [String] = ["contracts"]
    /// The folder that generated code is written into.
    package var output = "generated"
    package var access = AccessLevel.public
    /// Further protocols that generated models conform to.
    package var conformances: Set<ModelConformance> = []
    /// Modules that every generated file imports beside those that it needs.
    package var imports: [String] = []
    /// The endpoints to generate, by contract, and their Swift names.
    package var customization = ServiceCustomization()
    /// A folder with templates that take the place of built-in ones.
    package var templates: String?
    /// Catalogs with the texts of all contracts, which `errand lint` compares and `errand texts` writes.
    package var texts: [Located<String>] = []
    /// The folders of reference pages: that of the site, and that of templates in the place of built-in ones.
    package var docs = DocsFolders()
    /// Folders of the same repository whose files contracts may import, and documents refer to.
    package var allowed: [Located<String>] = []
    /// How large contracts may be.
    package var limits = ConfiguredLimits()
    /// The folder of the file; `nil` if there is none.
    package var folder: String?
    /// How much each lint rule weighs, and where.
    package var lint = RuleSettings()
    /// The least severity of a finding that makes `errand lint` fail and stops a build; `nil` if the file doesn't set it.
    package var failOn: Severity?
    /// The place of each key that the file has.
    package var places: [String: Place] = [:]

    package init() {}

    /// A place in the file. It is not part of what the configuration says, so all places are equal.
    package struct Place: Sendable, Equatable {
        package let range: SourceRange

        package static func == (left: Place, right: Place) -> Bool { true }
    }

    /// The folders of `errand docs`; nil for those that the file does not name.
    package struct DocsFolders: Sendable, Equatable {
        package var output: Located<String>?
        package var templates: Located<String>?
    }

    /// The result of reading a configuration, and the text that its findings point into.
    package typealias Loaded = (
        configuration: ProjectConfiguration?, diagnostics: [Diagnostic], sources: [String: [UInt8]]
    )

    /// The settings in `errand.yaml` of the working folder, or the conventions if the file does not exist.
    package static func load() -> Loaded { load(read(fileName)) }

    /// The same for a person's command. In a target's folder with contracts beside the sources and without settings, it uses
    /// those contracts, and writes code to the place that `swift package errand-generate` uses.
    ///
    /// - Parameter paths: The contracts and folders that the person names. If the working folder has no `errand.yaml`, and the
    ///   paths name one folder that has one, or files in it, the result is the same as in that folder.
    package static func loadForCommand(naming paths: [String] = []) -> Loaded {
        var loaded = load()
        let boundary = ProjectBoundary(naming: paths)
        if loaded.sources.isEmpty, let folder = configuredFolder(of: paths, boundary) {
            loaded = load(boundary.readSmall(folder + "/" + fileName), file: folder + "/" + fileName)
            if loaded.configuration?.places["output"] == nil { loaded.configuration?.output = "Generated" }
            loaded.configuration?.makePathsRelative(toParentOf: folder)
            return loaded
        }
        guard var configuration = loaded.configuration, configuration.places["contracts"] == nil else { return loaded }
        let found = ContractFiles.ofThisTarget(hasConfiguration: !loaded.sources.isEmpty)
        guard !found.files.isEmpty else { return loaded }
        configuration.contracts = found.files
        if found.areHere, configuration.places["output"] == nil { configuration.output = "Generated" }
        loaded.configuration = configuration
        return loaded
    }

    /// The one folder with an `errand.yaml` that all paths are, or are directly in.
    private static func configuredFolder(of paths: [String], _ boundary: ProjectBoundary) -> String? {
        let folders = Set(
            paths.map { path -> String in
                let isFolder = (try? SystemCall.kind(of: path)) == .folder
                let parts = path.split(separator: "/").dropLast(isFolder ? 0 : 1).filter { $0 != "." }
                return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
            })
        guard folders.count == 1, let folder = folders.first, !folder.isEmpty,
            boundary.refusal(ofReading: folder) == nil, (try? SystemCall.kind(of: folder + "/" + fileName)) == .file
        else { return nil }
        return folder
    }

    /// Makes paths that are relative to a folder relative to the working folder, which the folder's path is relative to.
    private mutating func makePathsRelative(toParentOf folder: String) {
        func moved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
        contracts = contracts.map(moved)
        allowed = allowed.map { Located(moved($0.value), at: $0.range) }
        texts = texts.map { Located(moved($0.value), at: $0.range) }
        docs.output = docs.output.map { Located(moved($0.value), at: $0.range) }
        docs.templates = docs.templates.map { Located(moved($0.value), at: $0.range) }
        output = moved(output)
        templates = templates.map(moved)
        lint.overrides = lint.overrides.map { RuleSettings.Override(path: moved($0.path), levels: $0.levels) }
    }

    /// A configuration file. A link leads to another one of the same checkout, and to no other file.
    package static func read(_ file: String) -> SourceReading {
        guard (try? SystemCall.kind(of: file, followingLinks: false)) != nil else {
            return .failure(rule: .missingFile, message: "there is no file `\(file)`", help: nil)
        }
        return ProjectBoundary(ofCheckoutAround: FilePath.folder(of: file)).readSmall(file)
    }

    /// The settings of a configuration, from the result of reading it.
    package static func load(_ reading: SourceReading, file: String = fileName) -> Loaded {
        switch reading {
        case .bytes(let bytes):
            var decoded = decode(bytes, file: file)
            decoded.configuration?.folder = FilePath.folder(of: file)
            return (decoded.configuration, decoded.diagnostics, [file: bytes])
        case .failure(.missingFile, _, _): return (ProjectConfiguration(), [], [:])
        case .failure(let rule, let message, let help):
            return (nil, [Diagnostic(rule: rule, message: message, file: file, help: help)], [:])
        }
    }

    /// Whether a path is that of a configuration, which no contract names.
    package static func isConfiguration(_ path: String) -> Bool { path == fileName || path.hasSuffix("/" + fileName) }

    /// Decodes a configuration; every problem of the file is reported.
    package static func decode(_ bytes: [UInt8], file: String) -> (
        configuration: ProjectConfiguration?, diagnostics: [Diagnostic]
    ) {
        let parsed = YAMLParser().parse(bytes, file: file)
        guard let document = parsed.document else {
            // A file in which every key is still a comment has no settings, and is valid.
            let isSilent = parsed.diagnostics.allSatisfy {
                $0.isOf(.yamlOnlyComments) || $0.isOf(.yamlEmptyFile)
            }
            return isSilent ? (ProjectConfiguration(), []) : (nil, parsed.diagnostics)
        }
        var decoder = ConfigurationDecoder(findings: DiagnosticBag(parsed.diagnostics))
        let configuration = decoder.configuration(document.root)
        return (decoder.findings.hasErrors ? nil : configuration, decoder.findings.sorted())
    }
}
