import ContractModel
import Diagnostics
import TextCatalog
import YAMLTree

/// Contracts in, a catalog with the texts of their errors out.
package enum Texts {
    package typealias Format = CatalogFormat

    package struct Options: Sendable {
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

    /// Brings one catalog up to date with contracts without errors.
    package static func run(_ options: Options, with contracts: Contracts, in boundary: ProjectBoundary) -> Outcome {
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
                existing, with: contracts.texts, others: contracts.others, of: contracts.services,
                language: options.language)
            let bytes = Array(update.text.utf8)
            let result = Result(count: contracts.texts.count, update: update, isStale: bytes != existing)
            if result.isStale, !options.isCheck {
                // The folder of a new language does not exist yet.
                let problems = ContractFiles.replace(options.catalog, with: bytes, in: boundary, makesFolder: true)
                guard problems.isEmpty else { return .findings(problems, sources: [:]) }
            }
            return .done(result)
        } catch {
            let bytes = existing ?? []
            return .findings([finding(error, in: bytes, file: options.catalog)], sources: [options.catalog: bytes])
        }
    }

    /// What contracts have for catalogs.
    package struct Contracts: Sendable {
        let texts: [ContractText]
        /// The keys of errors without a text.
        let others: [String]
        let services: [String]

        init(_ contracts: [ResolvedContract]) {
            texts = contracts.flatMap(ContractText.texts(of:))
            others = contracts.flatMap(ContractText.keysWithoutText(of:))
            services = contracts.map(\.service.value)
        }
    }

    /// Reads contracts once, for any number of catalogs.
    ///
    /// - Returns: nothing to write, but findings with the texts that they point into, if a contract has errors.
    package static func read(
        _ paths: [String], in boundary: ProjectBoundary
    ) -> (contracts: Contracts, findings: [Diagnostic], sources: [String: [UInt8]]) {
        let read = WholeContracts(at: paths, in: boundary)
        return (Contracts(read.resolved), read.findings, read.sources)
    }

    package static func finding(_ problem: CatalogProblem, in bytes: [UInt8], file: String) -> Diagnostic {
        Diagnostic(
            rule: .unreadableCatalog, message: problem.message,
            at: SourceText(file: file, bytes: bytes).range(problem.offset, problem.offset),
            help: "correct the file, or name a new one")
    }
}
