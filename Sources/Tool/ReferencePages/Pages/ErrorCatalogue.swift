import ContractChecks
import ContractModel

/// Collects where each error occurs and what follows, from the decision tables of all endpoints.
struct ErrorCatalogue {
    /// What is known of an error over all endpoints.
    private struct Occurrence {
        /// The responses that mean it, each once.
        var answers: [String] = []
        /// The consequences in the order in which they were met, with the endpoints of each.
        var consequences: [Consequence] = []
        private var positions: [[String]: Int] = [:]
        private var knownAnswers: Set<String> = []

        struct Consequence {
            var then: String
            /// The responses after which it follows; empty where all of them lead to it.
            var answers: [String]
            var endpoints: [String]
        }

        /// - Parameter rows: the rows of one endpoint that mean the error.
        mutating func add(_ rows: [EndpointExplanation.Row], at endpoint: String) {
            for row in rows where knownAnswers.insert(row.answer).inserted { answers.append(row.answer) }
            let alike = Dictionary(grouping: rows, by: \.then)
            var known: Set<String> = []
            for then in rows.map(\.then) where known.insert(then).inserted {
                let answers = alike.count > 1 ? alike[then, default: []].map(\.answer) : []
                if let position = positions[[then] + answers] {
                    consequences[position].endpoints.append(endpoint)
                } else {
                    positions[[then] + answers] = consequences.count
                    consequences.append(Consequence(then: then, answers: answers, endpoints: [endpoint]))
                }
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
            let rows = explanation.rows.filter {
                !$0.category.isEmpty && !["outcome", "unreachable"].contains($0.category)
            }
            for (name, rows) in Dictionary(grouping: rows, by: \.means) {
                occurrences[name, default: Occurrence()].add(rows, at: endpoint.name.value)
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
            answers: Self.bounded(error.conditions.map(\.answer), rows.limits.rows, elsewhere: "in the contract"),
            rows)
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
            answers: Self.bounded(
                occurrence.answers, Self.mostAnswers, elsewhere: "in the decision tables of the endpoints"), rows)
        let most = rows.limits.rows * Self.endpointsPerRow
        return Self.split(consequences(occurrence, rows.links, most, namesAll: false), of: entry, most)
    }

    /// The beginning of a list, which says where its rest is.
    private static func bounded(_ answers: [String], _ most: Int, elsewhere: String) -> [String] {
        let left = answers.count - most
        return left > 0 ? answers.prefix(most) + ["… and \(left) more, \(elsewhere)"] : answers
    }

    /// - Parameter namesAll: whether the endpoints are named where they are all of the contract.
    private func consequences(
        _ occurrence: Occurrence, _ links: SiteLinks, _ most: Int, namesAll: Bool
    ) -> [ErrorsInput.ConsequenceEntry] {
        occurrence.consequences.flatMap { consequence -> [ErrorsInput.ConsequenceEntry] in
            let endpoints = consequence.endpoints
            let answers = Self.bounded(
                consequence.answers, Self.mostAnswers, elsewhere: "in the decision tables of the endpoints")
            var entry = ErrorsInput.ConsequenceEntry(
                then: Prose.line(consequence.then), condition: Prose.line(answers.joined(separator: "; ")),
                endpoints: [])
            if !namesAll, endpoints.count == contract.endpoints.count {
                entry.count = "all endpoints"
                return [entry]
            }
            return endpoints.chunks(of: most).map { chunk in
                entry.endpoints = chunk.map { Link(name: $0, href: links.file(ofEndpoint: $0)) }
                return entry
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
            message: (definition?.message?.value).map(prose.line) ?? text(of: isBuiltIn ? name : nil),
            doc: prose.paragraphs(definition?.doc),
            deprecation: prose.deprecation(definition?.deprecated),
            answers: answers.map { Paragraph(runs: prose.line($0)) }, dataType: [], consequences: [])
    }

    /// The text of an error to which the contract gives none.
    ///
    /// - Parameter builtIn: the name of a built-in error; nil for one of the contract, which a response recognizes.
    private func text(of builtIn: String?) -> [Run] {
        let error = builtIn.flatMap(BuiltInError.init) ?? .rejected
        let paths = Set(contract.envelopes.compactMap { $0.message?.value.text }).sorted()
        guard error.hasResponse, !paths.isEmpty else { return [.text(error.message)] }
        return [.text("\(error.message) If the response has a text, it is that one.")]
    }

    private static func words(_ category: ErrorCategory, _ definition: ErrorDefinition?) -> String {
        switch category {
        case .retryable: "it may pass by itself: the client sends the request again where that is safe"
        case .nonRetryable where definition?.settles?.value == .always:
            "it says that the command was done already: a success"
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

extension BuiltInError {
    /// Whether a response can mean it, which may have a text.
    fileprivate var hasResponse: Bool {
        switch self {
        case .throttled, .requestTimeout, .unavailable, .serverFault, .unauthenticated, .rejected: true
        default: false
        }
    }
}

extension Array {
    /// The elements in groups of this size; the last one may be smaller.
    func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
