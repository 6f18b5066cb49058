import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter
import YAMLTree

/// What `errand.yaml` says. Paths in it are relative to its folder.
package struct ProjectConfiguration: Sendable, Equatable {
    package static let fileName = "errand.yaml"
    /// The keys in the order of the page that describes them. The page and `errand init` are held to this list.
    package static var keys: [String] { ConfigurationKeys.configuration.names }
    package static var lintKeys: [String] { ConfigurationKeys.lint.names }

    /// Contract files, and folders with contracts.
    package var contracts: [String] = ["contracts"]
    /// The folder that generated code is written into.
    package var output = "generated"
    package var access = AccessLevel.public
    /// What generated models conform to beside what they need.
    package var conformances: Set<ModelConformance> = []
    /// Modules that every generated file imports beside those that it needs.
    package var imports: [String] = []
    /// Which endpoints of which contract are generated, and what things are called in Swift.
    package var tailoring = ServiceTailoring()
    /// A folder with templates that take the place of built-in ones.
    package var templates: String?
    /// How much each lint rule weighs, and where.
    package var lint = RuleSettings()
    /// The least severity of a finding that makes `errand lint` fail and stops a build; `nil` where the file does not say.
    package var failOn: Severity?
    /// Where each key stands that the file has.
    package var places: [String: Place] = [:]

    package init() {}

    /// A place in the file. It is not part of what the configuration says, so all places are equal.
    package struct Place: Sendable, Equatable {
        package let range: SourceRange

        package static func == (left: Place, right: Place) -> Bool { true }
    }

    /// What `errand.yaml` of the working folder says, or the conventions where there is none.
    package static func load() -> (
        configuration: ProjectConfiguration?, diagnostics: [Diagnostic], sources: [String: [UInt8]]
    ) {
        load(ContractFiles.readFromDisk(fileName))
    }

    /// The same for what a person asks for in the working folder. In a target's folder, where contracts are beside the sources
    /// and nothing says otherwise, those are meant, and code goes where `swift package errand-generate` puts it.
    package static func loadForCommand() -> (
        configuration: ProjectConfiguration?, diagnostics: [Diagnostic], sources: [String: [UInt8]]
    ) {
        var loaded = load()
        guard var configuration = loaded.configuration, configuration.places["contracts"] == nil else { return loaded }
        let found = ContractFiles.ofThisTarget(hasConfiguration: !loaded.sources.isEmpty)
        guard !found.files.isEmpty else { return loaded }
        configuration.contracts = found.files
        if found.areHere, configuration.places["output"] == nil { configuration.output = "Generated" }
        loaded.configuration = configuration
        return loaded
    }

    /// The same of what became of reading it, wherever that was.
    package static func load(
        _ reading: SourceReading
    ) -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic], sources: [String: [UInt8]]) {
        switch reading {
        case .bytes(let bytes):
            let decoded = decode(bytes, file: fileName)
            return (decoded.configuration, decoded.diagnostics, [fileName: bytes])
        case .failure(.missingFile, _, _): return (ProjectConfiguration(), [], [:])
        case .failure(let rule, let message, let help):
            return (nil, [Diagnostic(rule: rule, message: message, file: fileName, help: help)], [:])
        }
    }

    /// Decodes a configuration; every problem of the file is reported.
    package static func decode(_ bytes: [UInt8], file: String) -> (
        configuration: ProjectConfiguration?, diagnostics: [Diagnostic]
    ) {
        let parsed = YAMLParser().parse(bytes, file: file)
        guard let document = parsed.document else {
            // A file in which every key is still a comment says nothing, and that is no mistake.
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
