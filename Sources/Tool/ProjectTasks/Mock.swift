import ContractModel
import Diagnostics
import MockServer
import Pipeline

/// A contract and a scenario in, a mock server out.
package struct Mock {
    package enum Outcome: Sendable {
        case loaded(Loaded)
        /// Why the server cannot play the contract, with the texts that the findings point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
    }

    /// What a mock server begins with.
    package struct Loaded: Sendable {
        package var contract: ResolvedContract
        package var scenario: Scenario
        /// The bytes of all files that were read, by their paths, so that an edit is found.
        package var files: [String: [UInt8]]
    }

    private let contract: String
    private let scenario: String?
    private let boundary: ProjectBoundary

    /// - Parameters:
    ///   - contract: the contract's file.
    ///   - scenario: the scenario's file.
    package init(contract: String, scenario: String?, in boundary: ProjectBoundary) {
        self.contract = contract
        self.scenario = scenario
        self.boundary = boundary
    }

    /// Reads both files.
    ///
    /// - Parameter rules: the failures of the command line, which are checked like those of the scenario.
    package func load(_ rules: [FailureRule] = []) -> Outcome { load(rules, ContractFiles(boundary)) }

    private func load(_ rules: [FailureRule], _ files: ContractFiles) -> Outcome {
        let found = ContractFiles.find([contract], in: boundary)
        guard found.diagnostics.isEmpty, let file = found.files.first else {
            return .findings(found.diagnostics, sources: [:])
        }
        guard found.files.count == 1 else {
            return .findings(
                [
                    Diagnostic(
                        rule: .folderAsFile, message: "`\(contract)` has \(found.files.count) contracts",
                        file: contract,
                        help: "name one of them: `errand mock \(file)`")
                ], sources: [:])
        }
        let examination = ContractResolver(provider: files, mostEndpoints: boundary.limits.endpoints).examine(
            path: file)
        guard let resolved = examination.resolved else {
            return .findings(examination.findings, sources: files.sources(of: examination.findings))
        }
        var loaded = Loaded(contract: resolved, scenario: Scenario(), files: [:])
        for source in resolved.sources { loaded.files[source] = files.bytes(of: source) }
        var findings: [Diagnostic] = []
        if let scenario {
            switch boundary.readSmall(scenario) {
            case .failure(let rule, let message, let help):
                findings.append(Diagnostic(rule: rule, message: message, file: scenario, help: help))
            case .bytes(let bytes):
                loaded.files[scenario] = bytes
                let decoded = Scenario.decode(bytes, file: scenario)
                findings += decoded.findings
                if let decoded = decoded.scenario {
                    loaded.scenario = decoded
                    findings += decoded.findings(in: resolved)
                }
            }
        }
        let names = FailureNames(resolved)
        for rule in rules {
            guard let problem = names.problem(of: rule) else { continue }
            findings.append(
                Diagnostic(
                    rule: problem.isAboutEndpoint ? .unknownEndpoint : .unknownValue,
                    message: "`--fail \(rule.endpoint ?? "*")=\(rule.failure)`: \(problem.message)", file: file,
                    help: problem.help))
        }
        return findings.isEmpty ? .loaded(loaded) : .findings(findings, sources: loaded.files)
    }

    /// The edits of the files while a server plays them.
    package struct Edits: Sendable {
        /// What has happened since the last look.
        package enum Step: Sendable {
            case nothing
            /// An edit has mistakes, which were not shown yet.
            case mistakes([Diagnostic], sources: [String: [UInt8]])
            /// The files have another text, and no mistakes.
            ///
            /// - Parameter hasNewContract: whether a file of the contract has another text, and not only the scenario.
            case edited(Loaded, hasNewContract: Bool)
            /// The files are as they were before an edit with mistakes.
            case undone
        }

        private let mock: Mock
        private let rules: [FailureRule]
        private var files: [String: [UInt8]]
        private var last: [Diagnostic] = []
        /// The files of the last edit with mistakes, with nil for one that cannot be read. Until one of them changes, its mistakes stay.
        private var broken: [String: [UInt8]?] = [:]
        /// How often the files were read as a contract.
        private(set) var examinations = 0

        package init(_ mock: Mock, _ first: Loaded, _ rules: [FailureRule]) {
            self.mock = mock
            self.rules = rules
            files = first.files
        }

        /// Looks at the files.
        package mutating func next() -> Step {
            guard mock.hasChanged(since: files) else {
                defer { (last, broken) = ([], [:]) }
                return last.isEmpty ? .nothing : .undone
            }
            guard broken.isEmpty || mock.contents(of: broken.keys) != broken else { return .nothing }
            examinations += 1
            // Before the look: what is edited meanwhile is looked at again.
            var looked = mock.contents(of: files.keys)
            let reader = ContractFiles(mock.boundary)
            switch mock.load(rules, reader) {
            case .findings(let findings, let sources):
                for path in reader.paths { looked[path] = .some(reader.bytes(of: path)) }
                broken = looked
                // An editor may save several times. The same mistakes are shown once.
                guard findings != last else { return .nothing }
                last = findings
                return .mistakes(findings, sources: sources)
            case .loaded(let loaded):
                let scenario = mock.scenario
                let hasNewContract =
                    files.filter { $0.key != scenario } != loaded.files.filter { $0.key != scenario }
                files = loaded.files
                (last, broken) = ([], [:])
                return .edited(loaded, hasNewContract: hasNewContract)
            }
        }
    }

    /// The bytes of files as they are now, with nil for one that cannot be read.
    private func contents(of paths: some Sequence<String>) -> [String: [UInt8]?] {
        let now = ContractFiles(boundary)
        var contents: [String: [UInt8]?] = [:]
        for path in paths {
            _ = now.read(path)
            contents[path] = .some(now.bytes(of: path))
        }
        return contents
    }

    /// Whether a file has other bytes than before. One that cannot be read counts as changed.
    private func hasChanged(since files: [String: [UInt8]]) -> Bool {
        files.contains { path, bytes in
            guard case .bytes(let now) = ContractFiles(boundary).read(path) else { return true }
            return now != bytes
        }
    }
}
