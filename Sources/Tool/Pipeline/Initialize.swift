import ContractModel
import Diagnostics
import SwiftEmitter

/// A first contract and a first `errand.yaml`, for a package or for one target of it.
package enum Initialize {
    package struct Report: Sendable {
        /// The written files, by path; empty if there are findings.
        package var files: [String] = []
        package var findings: [Diagnostic] = []
        /// The name of the client's type.
        package var service = ""
        /// Whether the folder has no `Package.swift` yet.
        package var isNewPackage = false
        /// Whether a program with the first call was written. A new package has no other source that could make the call.
        package var hasProgram = false
        /// Whether `Package.swift` already names what the target needs: the plugin, or the folder of generated code.
        package var isSetUp = false
        /// The folder of the target's sources, as the tool was given it.
        package var sourceFolder: String?

        init(findings: [Diagnostic] = [], service: String = "", isNewPackage: Bool = false) {
            self.findings = findings
            self.service = service
            self.isNewPackage = isNewPackage
        }
    }

    /// Writes the files, or nothing.
    ///
    /// - Parameter folder: The package's folder.
    /// - Parameter target: A target of it, by its name or its folder, which the files go into.
    package static func run(service: String, folder: String, target: String?) -> Report {
        guard SwiftNames.isIdentifier(service) else {
            return refusal(
                .swiftNameInvalid, "`\(service)` cannot be the client's name in Swift",
                help:
                    "begin the service's name with an uppercase letter, and use only letters and digits: `--service Bank`"
            )
        }
        let contract = FirstFiles.contract(service: service)
        let name = FirstFiles.fileName(of: service)
        let resolved = ContractResolver(provider: OneText(text: contract)).resolve(path: name)
        let findings = resolved.diagnostics + (resolved.contract.map { ClientEmitter.findings(in: $0) } ?? [])
        if let finding = findings.first { return Report(findings: [finding.about("--service")]) }

        let base = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        var report = Report(service: service, isNewPackage: (try? SystemCall.kind(of: base + "Package.swift")) == nil)
        report.isSetUp = isSetUp(base, naming: target == nil ? ["generated/\(service)"] : buildPlugins)
        var files: [(path: String, text: String)] = []
        if let target {
            guard let place = place(ofTarget: target, in: base, isNewPackage: report.isNewPackage) else {
                return noTarget(target, in: base)
            }
            files = [(path: place + name, text: contract)]
            // SwiftPM drops a target without sources before it asks plugins for some.
            if !hasSources(place) {
                report.hasProgram = report.isNewPackage
                let text = report.isNewPackage ? FirstFiles.program(service: service) : FirstFiles.source
                files.append((path: place + FirstFiles.sourceName(target, besides: service), text: text))
            }
            report.sourceFolder = String(place.dropLast())
            files.append(
                (
                    path: place + ProjectConfiguration.fileName,
                    text: FirstFiles.configuration(service: service, isForTarget: true)
                ))
        } else {
            files = [
                (path: base + "contracts/" + name, text: contract),
                (
                    path: base + ProjectConfiguration.fileName,
                    text: FirstFiles.configuration(service: service, isForTarget: false)
                ),
            ]
        }
        report.findings = NewFiles.write(files, in: boundary(of: base))
        report.files = report.findings.isEmpty ? files.map(\.path) : []
        return report
    }

    private static func boundary(of base: String) -> ProjectBoundary {
        ProjectBoundary(ofCheckoutAround: base.isEmpty ? "." : base)
    }

    /// The plugins that make a client while a target is built: from source, and prebuilt.
    private static let buildPlugins = ["ErrandBuildTool", "ErrandPrebuiltBuildTool"]

    /// Whether the manifest has one of the texts. The manifest is not evaluated, so this decides only what is printed.
    private static func isSetUp(_ base: String, naming texts: [String]) -> Bool {
        guard case .bytes(let bytes) = boundary(of: base).read(base + "Package.swift") else { return false }
        let manifest = String(decoding: bytes, as: UTF8.self)
        return texts.contains { manifest.contains("\"\($0)\"") }
    }

    /// The folders that SwiftPM looks for targets in.
    private static let sourceFolders = ["Sources", "Source", "src", "srcs"]

    /// The folder of a target, with a `/` after it: named as itself, or by the target's name. A package with one target may
    /// have its sources in `Sources` itself, as `swift package init` makes it.
    private static func place(ofTarget target: String, in base: String, isNewPackage: Bool) -> String? {
        func isFolder(_ path: String) -> Bool { (try? SystemCall.kind(of: path)) == .folder }
        if target.contains("/") {
            let path = target.hasSuffix("/") ? String(target.dropLast()) : target
            return isFolder(base + path) ? base + path + "/" : nil
        }
        let present = sourceFolders.filter { isFolder(base + $0) }
        if let folder = present.first(where: { isFolder(base + $0 + "/" + target) }) {
            return base + folder + "/" + target + "/"
        }
        if present.isEmpty, isNewPackage { return base + "Sources/" + target + "/" }
        for folder in present {
            let names = (try? SystemCall.names(in: base + folder)) ?? []
            if names.contains(where: { $0.hasSuffix(".swift") }) { return base + folder + "/" }
        }
        return nil
    }

    private static func noTarget(_ target: String, in base: String) -> Report {
        let sources = target.contains("/") ? base + target : base + "Sources/" + target
        let others = ((try? SystemCall.names(in: base + "Sources")) ?? []).filter { !$0.hasPrefix(".") }
        let near = nearestSpelling(of: target, among: others).map { "did you mean `--target \($0)`?" }
        return refusal(
            .missingFile, "there is no folder `\(sources)`",
            help: near
                ?? "create the folder for the target's sources, name another one with `--target path/to/sources`, or leave out `--target`"
        )
    }

    /// Whether a folder has a source that SwiftPM compiles.
    private static func hasSources(_ folder: String, depth: Int = 0) -> Bool {
        guard depth < 16, let names = try? SystemCall.names(in: folder) else { return false }
        return names.contains { name in
            guard !name.hasPrefix(".") else { return false }
            if [".swift", ".c", ".cpp", ".m", ".mm"].contains(where: name.hasSuffix) { return true }
            let path = folder + name
            return (try? SystemCall.kind(of: path, followingLinks: false)) == .folder
                && hasSources(path + "/", depth: depth + 1)
        }
    }

    private static func refusal(_ rule: FindingKind, _ message: String, help: String?) -> Report {
        Report(findings: [Diagnostic(rule: rule, message: message, file: "--service", help: help)])
    }

    private struct OneText: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }
}
