import ContractModel
import Diagnostics
import SwiftEmitter

/// A first contract and a first `errand.yaml`, for a package or for one target of it.
package enum Initialise {
    package struct Report: Sendable {
        /// What was written, by path; empty where there are findings.
        package var files: [String] = []
        package var findings: [Diagnostic] = []
        /// The name of the client's type.
        package var service = ""
    }

    /// Writes the files, or nothing.
    ///
    /// - Parameter folder: The package's folder.
    /// - Parameter target: A target of it, whose folder in `Sources/` the files go into.
    package static func run(service: String, folder: String, target: String?) -> Report {
        guard SwiftNames.isIdentifier(service) else {
            return refusal(
                .swiftNameInvalid, "`\(service)` cannot be the client's name in Swift",
                help: "a service's name begins with a capital and holds letters and digits: `--service Bank`")
        }
        let contract = FirstFiles.contract(service: service)
        let name = FirstFiles.fileName(of: service)
        let resolved = ContractResolver(provider: OneText(text: contract)).resolve(path: name)
        let findings = resolved.diagnostics + (resolved.contract.map(ClientEmitter.findings) ?? [])
        if let finding = findings.first { return Report(findings: [finding.about("--service")]) }

        let base = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let sources = base + "Sources/" + (target ?? "")
        if let target, (try? SystemCall.kind(of: sources)) != .folder {
            return refusal(
                .missingFile, "there is no folder `\(sources)`",
                help:
                    "the target's sources are looked for there; name the package's folder, or leave `--target \(target)` out"
            )
        }
        let place = target == nil ? base : sources + "/"
        let files = [
            (path: place + (target == nil ? "contracts/" : "") + name, text: contract),
            (
                path: place + ProjectConfiguration.fileName,
                text: FirstFiles.configuration(service: service, isForTarget: target != nil)
            ),
        ]
        let problems = NewFiles.write(files)
        return Report(files: problems.isEmpty ? files.map(\.path) : [], findings: problems, service: service)
    }

    private static func refusal(_ rule: FindingKind, _ message: String, help: String?) -> Report {
        Report(findings: [Diagnostic(rule: rule, message: message, file: "--service", help: help)])
    }

    private struct OneText: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }
}
