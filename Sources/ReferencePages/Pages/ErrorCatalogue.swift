import ContractChecks
import ContractModel

/// Collects where each error occurs and what follows, from the decision tables of all endpoints.
struct ErrorCatalogue {
    /// What is known of an error over all endpoints.
    private struct Occurrence {
        /// The responses that mean it, each once.
        var answers: [String] = []
        /// The consequences in the order in which they were met, with the endpoints of each.
        var consequences: [(then: String, endpoints: [String])] = []
        private var positions: [String: Int] = [:]
        private var knownAnswers: Set<String> = []

        mutating func add(_ row: EndpointExplanation.Row, at endpoint: String) {
            if knownAnswers.insert(row.answer).inserted { answers.append(row.answer) }
            if let position = positions[row.then] {
                // Several rows of one endpoint can lead to the same.
                if consequences[position].endpoints.last != endpoint {
                    consequences[position].endpoints.append(endpoint)
                }
            } else {
                positions[row.then] = consequences.count
                consequences.append((row.then, [endpoint]))
            }
        }
    }

    private let contract: ResolvedContract
    private var occurrences: [String: Occurrence] = [:]

    /// Endpoints that one entry names at most, for each row of a table. A further entry continues it.
    private static let endpointsPerRow = 2
    private static let mostAnswers = 12

    init(_ contract: ResolvedContract, _ explanations: [EndpointExplanation]) {
        self.contract = contract
        for (endpoint, explanation) in zip(contract.endpoints, explanations) {
            for row in explanation.rows
            where !row.category.isEmpty && !["outcome", "unreachable"].contains(row.category) {
                occurrences[row.means, default: Occurrence()].add(row, at: endpoint.name.value)
            }
        }
    }

    /// The entries of all errors: those of the contract, then those that every endpoint has.
    func entries(_ links: SiteLinks, _ limits: PageLimits) -> [ErrorsInput.ErrorEntry] {
        let rows = FieldRows(links: links, limits: limits)
        return contract.errors.flatMap { entries(of: $0, rows) }
            + BuiltInError.allCases.flatMap { entries(of: $0, rows) }
    }

    private func entries(of error: ErrorDefinition, _ rows: FieldRows) -> [ErrorsInput.ErrorEntry] {
        let links = rows.links
        let most = rows.limits.rows * Self.endpointsPerRow
        var entry = self.entry(
            error.name.value, error.category.value, definition: error, isBuiltIn: false,
            answers: error.conditions.prefix(rows.limits.rows).map(\.answer), rows)
        switch error.data {
        case .fields(let fields): entry.data = rows.table("Data of \(error.name.value)", fields)
        case .type(let type, _): entry.dataType = rows.type(type)
        case nil: break
        }
        let occurrence = occurrences[error.name.value] ?? Occurrence()
        return Self.split(consequences(occurrence, links, most, namesAll: true), of: entry, most)
    }

    private func entries(of error: BuiltInError, _ rows: FieldRows) -> [ErrorsInput.ErrorEntry] {
        let definition = contract.redeclared.first { $0.name.value == error.rawValue }
        let occurrence = occurrences[error.rawValue] ?? Occurrence()
        if occurrence.consequences.isEmpty, definition == nil { return [] }
        let entry = self.entry(
            error.rawValue, definition?.category.value ?? error.category, definition: definition, isBuiltIn: true,
            answers: Array(occurrence.answers.prefix(Self.mostAnswers)), rows)
        let most = rows.limits.rows * Self.endpointsPerRow
        return Self.split(consequences(occurrence, rows.links, most, namesAll: false), of: entry, most)
    }

    /// - Parameter namesAll: whether the endpoints are named where they are all of the contract.
    private func consequences(
        _ occurrence: Occurrence, _ links: SiteLinks, _ most: Int, namesAll: Bool
    ) -> [ErrorsInput.ConsequenceEntry] {
        occurrence.consequences.flatMap { then, endpoints -> [ErrorsInput.ConsequenceEntry] in
            if !namesAll, endpoints.count == contract.endpoints.count {
                return [ErrorsInput.ConsequenceEntry(then: Prose.line(then), count: "all endpoints", endpoints: [])]
            }
            return endpoints.chunks(of: most).map { chunk in
                ErrorsInput.ConsequenceEntry(
                    then: Prose.line(then), count: nil,
                    endpoints: chunk.map { Link(name: $0, href: links.file(ofEndpoint: $0)) })
            }
        }
    }

    private func entry(
        _ name: String, _ category: ErrorCategory, definition: ErrorDefinition?, isBuiltIn: Bool, answers: [String],
        _ rows: FieldRows
    ) -> ErrorsInput.ErrorEntry {
        let prose = Prose(limits: rows.limits)
        return ErrorsInput.ErrorEntry(
            name: name, anchor: rows.links.anchor(ofError: name), isBuiltIn: isBuiltIn, category: category.rawValue,
            meaning: [Prose.sentence(Self.words(category, definition))],
            message: (definition?.message?.value).map(prose.line) ?? [], doc: prose.paragraphs(definition?.doc),
            deprecation: prose.deprecation(definition?.deprecated),
            answers: answers.map { Paragraph(runs: prose.line($0)) }, dataType: [], consequences: [])
    }

    private static func words(_ category: ErrorCategory, _ definition: ErrorDefinition?) -> String {
        switch category {
        case .retryable: "it may pass by itself: the client sends the request again where that is safe"
        case .nonRetryable where definition?.settles != nil:
            "it says that the command was done already: a success if an earlier attempt may have been carried out"
        case .nonRetryable: "it does not pass by itself: a person has to decide or to change something"
        case .requiresLogout where definition?.renewsSession == false:
            "the session is over, and a new login does not help"
        case .requiresLogout: "the session is over: the client starts a login"
        }
    }

    /// The entry with its consequences. One with thousands of endpoints goes on in further entries.
    private static func split(
        _ consequences: [ErrorsInput.ConsequenceEntry], of entry: ErrorsInput.ErrorEntry, _ most: Int
    ) -> [ErrorsInput.ErrorEntry] {
        var entries = [entry]
        var count = 0
        for consequence in consequences {
            if count > 0, count + consequence.endpoints.count > most {
                var next = entry
                (next.isContinued, next.doc, next.answers, next.data, next.dataType) = (true, [], [], nil, [])
                entries.append(next)
                count = 0
            }
            entries[entries.count - 1].consequences.append(consequence)
            count += consequence.endpoints.count
        }
        return entries
    }
}

extension Array {
    /// The elements in groups of this size; the last one may be smaller.
    func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
