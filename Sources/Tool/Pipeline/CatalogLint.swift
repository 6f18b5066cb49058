import ContractModel
import Diagnostics
import TextCatalog
import YAMLTree

/// Compares the catalogs that `errand.yaml` names with the texts of all contracts.
struct CatalogLint {
    private let contracts: [ResolvedContract]
    private let isComplete: Bool

    /// - Parameter count: the number of contracts. If one of them has errors, nothing is known about its keys.
    init(_ contracts: [ResolvedContract], of count: Int) {
        self.contracts = contracts
        isComplete = contracts.count == count
    }

    /// - Returns: the findings, and the texts that they point into.
    func check(
        _ catalogs: [Located<String>], in boundary: ProjectBoundary
    ) -> (findings: [Diagnostic], sources: [String: [UInt8]]) {
        guard isComplete else { return ([], [:]) }
        let contracts = Texts.Contracts(contracts)
        var findings: [Diagnostic] = []
        var sources: [String: [UInt8]] = [:]
        for catalog in catalogs {
            guard let format = CatalogFormat(path: catalog.value) else {
                findings.append(
                    Diagnostic(
                        rule: .unknownValue, message: "`\(catalog.value)` has no format of texts", at: catalog.range,
                        help: CatalogFormat.help(for: catalog.value)))
                continue
            }
            switch boundary.readNamed(catalog.value) {
            case .failure(.missingFile, let message, _):
                findings.append(
                    Diagnostic(
                        rule: .missingFile, message: message, at: catalog.range, help: "run `errand texts` to write it")
                )
            case .failure(let rule, let message, let help):
                findings.append(Diagnostic(rule: rule, message: message, at: catalog.range, help: help))
            case .bytes(let bytes):
                sources[catalog.value] = bytes
                findings += check(bytes, of: catalog.value, format, contracts)
            }
        }
        return (findings, sources)
    }

    private func check(
        _ bytes: [UInt8], of file: String, _ format: CatalogFormat, _ contracts: Texts.Contracts
    ) -> [Diagnostic] {
        let update: CatalogUpdate
        do {
            update = try format.update(
                bytes, with: contracts.texts, others: contracts.others, of: contracts.services, language: "en")
        } catch {
            return [Texts.finding(error, in: bytes, file: file)]
        }
        let source = SourceText(file: file, bytes: bytes)
        func finding(_ message: String, at key: String, _ help: String) -> Diagnostic {
            guard let offset = update.places[key] else {
                return Diagnostic(rule: .staleTexts, message: message, file: file, help: help)
            }
            return Diagnostic(rule: .staleTexts, message: message, at: source.range(offset, offset), help: help)
        }
        let run = "run `errand texts`"
        let places = Dictionary(contracts.texts.map { ($0.key, $0.place) }) { $1 }
        // What is missing has no place in the file, but the contract has the text.
        return update.added.compactMap { key in
            places[key].flatMap { $0 }.map {
                Diagnostic(rule: .staleTexts, message: "`\(file)` has no text for `\(key)`", at: $0, help: run)
            }
        }
            + update.changed.map { finding("the contract has another text for `\($0)`", at: $0, run) }
            + update.unused.map { finding("no contract has the key `\($0)`", at: $0, "remove it, or rename it") }
            + update.unknownPlaceholders.map {
                finding(
                    "a text for `\($0.key)` has the placeholder `{\($0.name)}`, which the contract's text does not have",
                    at: $0.key, "write a placeholder of the contract's text, or remove it")
            }
    }
}
