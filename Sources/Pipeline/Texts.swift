import ContractModel
import Diagnostics
import TextCatalog
import YAMLTree

/// Contracts in, a catalog with the texts of their errors out.
package enum Texts {
    package typealias Format = CatalogFormat

    package struct Options: Sendable {
        package var contracts: [String] = []
        /// The catalog's file, which need not exist.
        package var catalog: String
        package var format: Format
        /// The language of the contracts' texts, for a new string catalog.
        package var language = "en"
        /// Whether the catalog is only compared.
        package var isCheck = false

        package init(catalog: String, format: Format) {
            self.catalog = catalog
            self.format = format
        }
    }

    package enum Outcome: Sendable {
        /// The catalog is up to date now, or was not to be written.
        case done(Result)
        /// Why nothing was written, with the texts that the findings point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
    }

    package struct Result: Sendable {
        /// How many texts the contracts have.
        package var count: Int
        package var update: CatalogUpdate
        /// Whether the file has another content than it should have, or had before it was written.
        package var isStale: Bool
    }

    package static func run(_ options: Options, in boundary: ProjectBoundary) -> Outcome {
        let read = readContracts(options.contracts, boundary)
        guard read.findings.isEmpty else { return .findings(read.findings, sources: read.sources) }
        let existing: [UInt8]?
        switch boundary.readNamed(options.catalog) {
        case .bytes(let bytes): existing = bytes
        case .failure(.missingFile, _, _): existing = nil
        case .failure(let rule, let message, let help):
            return .findings(
                [Diagnostic(rule: rule, message: message, file: options.catalog, help: help)], sources: [:])
        }
        do {
            let update = try options.format.update(
                existing, with: read.texts, others: read.others, of: read.services, language: options.language)
            let bytes = Array(update.text.utf8)
            let result = Result(count: read.texts.count, update: update, isStale: bytes != existing)
            if result.isStale, !options.isCheck {
                let problems = ContractFiles.replace(options.catalog, with: bytes, in: boundary)
                guard problems.isEmpty else { return .findings(problems, sources: [:]) }
            }
            return .done(result)
        } catch {
            let bytes = existing ?? []
            return .findings(
                [finding(error, in: bytes, file: options.catalog)], sources: [options.catalog: bytes])
        }
    }

    private struct Contracts {
        var texts: [ContractText] = []
        /// The keys of errors without a text.
        var others: [String] = []
        var services: [String] = []
        var findings: [Diagnostic] = []
        var sources: [String: [UInt8]] = [:]
    }

    private static func readContracts(_ paths: [String], _ boundary: ProjectBoundary) -> Contracts {
        var read = Contracts()
        let found = ContractFiles.find(paths, in: boundary)
        read.findings = found.diagnostics
        let files = ContractFiles(boundary)
        let resolver = ContractResolver(provider: files, mostEndpoints: boundary.limits.endpoints)
        var duplicates = DuplicateServiceCheck()
        for file in found.files {
            let examination = resolver.examine(path: file)
            read.findings += duplicates.add(examination)
            guard let contract = examination.resolved else {
                read.findings += examination.findings
                continue
            }
            read.services.append(contract.service.value)
            read.texts += ContractText.texts(of: contract)
            read.others += ContractText.keysWithoutText(of: contract)
        }
        for file in Set(read.findings.map(\.file)) { read.sources[file] = files.bytes(of: file) }
        return read
    }

    static func finding(_ problem: CatalogProblem, in bytes: [UInt8], file: String) -> Diagnostic {
        Diagnostic(
            rule: .unreadableCatalog, message: problem.message,
            at: SourceText(file: file, bytes: bytes).range(problem.offset, problem.offset),
            help: "correct the file, or name a new one")
    }
}
