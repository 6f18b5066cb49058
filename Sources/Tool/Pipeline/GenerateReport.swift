import Diagnostics

/// The results and findings of a run of ``Generate``.
package struct GenerateReport: Sendable {
    /// How a run ended.
    package enum Outcome: Sendable {
        case fine
        /// The contracts or templates have findings that prevent generation; nothing was written.
        case findings
        /// `--check` found that the output is not what the contracts say.
        case stale
        /// Something that the run needs is not there or cannot be used.
        case couldNotRun
    }

    /// The result for one contract.
    package struct ContractEntry: Sendable {
        package let path: String
        package let service: String
        package let files: Int
        package let lines: Int
        /// From reading the contract to having its files in memory.
        package let duration: Duration
        /// The products of Errand that the target of its client depends on, beside `ErrandTransport`.
        package let products: [String]
    }

    package var outcome = Outcome.fine
    package var contracts: [ContractEntry] = []
    package var findings = DiagnosticBag()
    package var changes: OutputChanges?
    package var duration = Duration.zero
    /// The texts that findings point into, by file.
    package var sources: [String: [UInt8]] = [:]

    mutating func add(_ diagnostics: [Diagnostic]) { findings.add(contentsOf: diagnostics) }

    mutating func keepSources(from files: ContractFiles) {
        for diagnostic in findings.sorted().bounded() {
            for file in [diagnostic.file] + diagnostic.notes.compactMap({ $0.range?.file }) where sources[file] == nil {
                // The configuration is not among what contracts name, and findings point into it as well.
                if ProjectConfiguration.isConfiguration(file) { _ = files.read(file) }
                sources[file] = files.bytes(of: file)
            }
        }
    }
}
