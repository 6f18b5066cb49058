import ContractModel
import Diagnostics
import YAMLTree

/// An OpenAPI document in, the text of a contract out.
///
///     path ─ DocumentSet ─▶ Elements ─ OverlayMerge ─▶ Elements ─ DocumentReader ─▶ APIDocument (operations, whatever the version)
///          ─ ImportPass.all, with EndpointPlanner, TypePlanner, ErrorPlanner, SecurityPlan ─▶ ContractPlan
///          ─ PlanConversion ─▶ Contract with its ContractNotes ─ ContractPrinter ─▶ text
///
/// Every stage reports the parts that it could not carry over. Architecture invariant: every dropped part of a document is a
/// finding, and no document makes the importer throw, trap or run without end.
package struct OpenAPIImporter {
    /// The parts to import, and the name of the service.
    package struct Options: Sendable {
        /// The overlays to apply to the document, in their order.
        package var overlays: [String] = []
        /// The tags and endpoints to import; empty for all.
        package var only: [String] = []
        /// The name of the service; `nil` for the document's name.
        package var service: String?
        /// The maximum number of types and fields. The largest documents that services publish have a tenth of it.
        package var mostParts = 500_000
        /// The maximum number of nodes that the queries of the overlays examine.
        package var mostOverlaySteps = 20_000_000
        /// The maximum number of findings.
        package var mostFindings = 5_000
        /// Whether each tag becomes a group.
        package var hasGroups = false
        /// Whether examples are carried over.
        package var hasExamples = true
        /// Whether the contract is only compared with that of another document. It then has no errors that the document does not declare,
        /// and the result has what the document says beside it.
        package var isCompared = false
        /// The passes that make the plan, in their order.
        var passes = ImportPass.all

        package init() {}
    }

    /// The result of an import.
    package struct Result {
        /// The contract; `nil` if the document can't be read.
        package var contract: String?
        /// The contract before it was printed.
        package var draft: ContractDraft?
        package var service = ""
        package var findings: [Diagnostic] = []
        /// Proposals that a person should review: the subject, and the reason.
        package var reviews: [(subject: String, reason: String)] = []
        /// The types that have all properties of a schema of the document, by the schema's name.
        package var components: [(type: String, schema: String)] = []
        package var endpointCount = 0
        package var typeCount = 0
        /// The number of fields that are `sensitive` because of their names.
        package var sensitiveCount = 0
        /// The fields with a schema, and those of them that are `json`.
        package var fieldCount = (all: 0, untyped: 0)
        package var errorCount = 0
        /// What became of each key of the document; nil if a tool of Errand wrote it, or nothing was imported.
        var account: DocumentAccount?
        package var fileCount = 0
        /// What the contract does not have, if it is only compared.
        package var losses = DocumentLosses()
    }

    private let provider: any SourceProvider
    private let options: Options

    package init(provider: any SourceProvider, options: Options = Options()) {
        self.provider = provider
        self.options = options
    }

    /// Whether a text is a document, or claims to be one, and not a contract.
    package static func isDocument(_ bytes: [UInt8]) -> Bool {
        let root = YAMLParser().parse(JSONText.readableAsYAML(bytes), file: "").document?.root.mapping
        return ["openapi", "swagger"].contains { root?.pair(forKey: $0) != nil } && root?.pair(forKey: "errand") == nil
    }

    /// Reads the document at a path.
    package func run(_ path: String) -> Result {
        let findings = ImportFindings(most: options.mostFindings)
        let documents = DocumentSet(provider: provider, findings: findings)
        guard var root = documents.root(of: path) else {
            let other = other(path, nil).map { [$0] }
            return Result(findings: other ?? documents.failures + findings.all, fileCount: 1)
        }
        if !options.overlays.isEmpty {
            guard
                let actions = OverlayReader.actions(of: options.overlays, for: path, documents),
                let changed = OverlayMerge.applied(actions, to: root, findings, mostSteps: options.mostOverlaySteps)
            else {
                return Result(findings: documents.failures + findings.all, fileCount: documents.fileCount)
            }
            root = documents.replaceFirst(by: changed)
        }
        if root[ExportedContract.marker] != nil, root.text("openapi") != nil {
            let exported = ExportedContract(
                root: root, findings: findings, only: options.only, service: options.service)
            let outcome = exported.read(path)
            findings.finish(file: path)
            return Result(
                contract: outcome.contract, service: outcome.service, findings: findings.all,
                endpointCount: outcome.endpointCount, typeCount: outcome.typeCount, errorCount: outcome.errorCount,
                fileCount: documents.fileCount)
        }
        // With a choice, the findings about the others are left out: the chosen operations are read again.
        var document: APIDocument?
        findings.silently(!options.only.isEmpty) { document = DocumentReader(documents: documents).read(root) }
        guard let document else {
            findings.add(
                other(path, root)
                    ?? Diagnostic(
                        rule: .openAPIUnreadable,
                        message: "`\(path)` is not a document of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0",
                        file: path, help: "begin the document with `openapi: 3.1.0`"))
            return Result(findings: findings.all, fileCount: 1)
        }
        var result = plan(document, documents, path)
        if options.isCompared { result.losses = DocumentLosses(findings.lost, in: documents) }
        findings.finish(file: path)
        result.findings = findings.all
        result.fileCount = documents.fileCount
        return result
    }

    /// What the file is instead of an OpenAPI document, if that is known.
    private func other(_ path: String, _ root: Element?) -> Diagnostic? {
        guard case .bytes(let bytes) = provider.read(path), let other = OtherFormat(path, bytes, root) else {
            return nil
        }
        return Diagnostic(
            rule: .openAPIUnreadable, message: "`\(path)` is not an OpenAPI document, but \(other.name)", file: path,
            help: other.nextStep)
    }

    private func plan(_ document: APIDocument, _ documents: DocumentSet, _ path: String) -> Result {
        var document = document
        let types = TypePlanner(document, documents, largest: options.mostParts)
        // Swagger 2 has one schema for all formats of a response.
        if document.version != .swagger2 {
            let variants = BodyVariants(types: types)
            documents.findings.silently(!options.only.isEmpty) {
                document.operations = document.operations.flatMap(variants.split).flatMap(StreamVariants.split)
            }
        }
        guard let chosen = choose(document, documents.findings, path) else { return Result() }
        if !options.only.isEmpty {
            let places = Set(chosen.map(\.operation.element.key))
            _ = DocumentReader(documents: documents, only: places).read(document.root)
        }
        var state = ImportState(document, chosen, types, options)
        for pass in options.passes { pass.run(&state) }
        // The result reads the last keys.
        var result = state.result
        var account = DocumentAccount(documents: documents, planned: Set(types.entries.map(\.place)))
        account.take(state.document, isWhole: options.only.isEmpty)
        account.report()
        result.account = account
        return result
    }

    // MARK: Which operations

    private func choose(
        _ document: APIDocument, _ findings: ImportFindings, _ path: String
    ) -> [(operation: Operation, name: String)]? {
        var taken = SwiftWords.endpoints
        // A group has a property `client`.
        if options.hasGroups { taken.insert("client") }
        // The names of the document's own operations come before those of the variants that are made of them.
        let variants = document.operations.indices.filter { document.operations[$0].isVariant }
        let own = document.operations.indices.filter { !document.operations[$0].isVariant }
        let numbered = EndpointNames.numbered(own.map { document.operations[$0] })
        var names = Array(repeating: "", count: document.operations.count)
        for position in own + variants {
            let operation = document.operations[position]
            let wanted = EndpointNames.name(operation, numbered: numbered)
            let fallback = EndpointNames.fromPath(operation)
            let name = NameText.free(wanted, taken, EndpointNames.others(wanted, fallback, operation))
            taken.insert(NameText.folded(name))
            names[position] = name
        }
        let chosen = zip(document.operations, names).map { (operation: $0, name: $1) }
        guard !options.only.isEmpty else { return chosen }
        var unknown: [String] = []
        for word in options.only
        where !chosen.contains(where: {
            $0.name == word || $0.operation.operationID == word || $0.operation.tags.contains(word)
        }) {
            unknown.append(word)
        }
        for word in unknown {
            let names = chosen.map(\.name) + chosen.flatMap(\.operation.tags)
            let near = nearestSpelling(of: word, among: names).map { "did you mean `\($0)`?" }
            findings.add(
                Diagnostic(
                    rule: .unknownEndpoint, message: "the document has no tag and no endpoint `\(word)`", file: path,
                    help: near))
        }
        guard unknown.isEmpty else { return nil }
        let wanted = Set(options.only)
        return chosen.filter { operation, name in
            wanted.contains(name) || operation.operationID.map(wanted.contains) == true
                || operation.tags.contains(where: wanted.contains)
        }
    }
}
