import ContractChecks
import ContractModel
import Diagnostics

/// The contracts at several paths, for a command that needs all of them without errors.
package struct WholeContracts {
    package let files: ContractFiles
    /// The examinations of those that can be used.
    package private(set) var examinations: [(resolved: ResolvedContract, examination: ContractExamination)] = []
    /// The errors of the others. With any of them, the command cannot do its work.
    package private(set) var findings: [Diagnostic]

    package init(at paths: [String], in boundary: ProjectBoundary) {
        files = ContractFiles(boundary)
        let found = ContractFiles.find(paths, in: boundary)
        findings = found.diagnostics
        let resolver = ContractResolver(provider: files, mostEndpoints: boundary.limits.endpoints)
        var duplicates = DuplicateServiceCheck()
        for file in found.files {
            let examination = resolver.examine(path: file)
            findings += duplicates.add(examination)
            if let contract = examination.resolved {
                examinations.append((contract, examination))
            } else {
                findings += examination.findings
            }
        }
    }

    /// The texts that the findings point into.
    package var sources: [String: [UInt8]] { files.sources(of: findings) }
    package var resolved: [ResolvedContract] { examinations.map(\.resolved) }
}
