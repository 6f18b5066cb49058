import ContractChecks
import ContractModel

/// Responses that mean one thing to a client from before a change, and another to a client from after it.
///
/// One difference stands for all responses with the same two meanings.
package struct TableDifference: Sendable {
    /// What a client receives.
    package enum Example: Sendable, Equatable {
        /// The values in its body are in ``SampleResponse/body``, also those at the paths of codes.
        case response(SampleResponse)
        case transport(TransportFaultKind)
        /// The connection is closed with this code.
        case close(CloseCode)

        var form: FoundDifferences.Form {
            switch self {
            case .response: .response
            case .transport: .transport
            case .close: .close
            }
        }

        /// `HTTP 409 {"code":7}`, `a failure of the transport: lost`, `a connection that is closed with code 4000`.
        package var text: String {
            switch self {
            case .response(let response): response.text(in: nil)
            case .transport(let kind): "a failure of the transport: \(kind.rawValue)"
            case .close(let code): "a connection that is closed with code \(code.rawValue)"
            }
        }
    }

    /// One version of the contract.
    package struct Side: Sendable, Equatable {
        package let meaning: ResponseMeaning
        /// What the client does then.
        package let consequence: ResponseConsequence
    }

    package internal(set) var example: Example
    package internal(set) var old: Side
    package internal(set) var new: Side
    /// The statuses, or the close codes, for which there is a response with these meanings. Empty for failures of the transport.
    package internal(set) var numbers: [ClosedRange<Int>]

    /// Whether it has another name or is no failure any more. Otherwise only its category, or what it says about a request that
    /// may have been carried out, is different.
    package var isOtherMeaning: Bool { old.meaning.kind != new.meaning.kind }
}

/// The comparison of the decision tables of one endpoint as functions.
package struct TableComparison: Sendable {
    /// One for each pair of meanings, in the order in which they were found.
    package internal(set) var differences: [TableDifference] = []
    /// Whether every difference is listed. A table of a stranger can be too large to be searched, and can have too many.
    package internal(set) var isComplete = true

    /// So many differences of one endpoint are listed.
    package static let mostDifferences = 64

    package static let equal = TableComparison()
}

/// Compares the tables of the endpoints of two contracts. Endpoints that share both of their tables are compared once.
package struct TableComparer {
    private let old: ResolvedContract
    private let new: ResolvedContract
    private var known: [Key: TableComparison] = [:]

    private struct Key: Hashable {
        let tables: [Int]
        let bases: [ResponseClassifier.Basis]
        let policies: [String]
    }

    package init(old: ResolvedContract, new: ResolvedContract) {
        self.old = old
        self.new = new
    }

    /// The responses that mean something else after the change.
    ///
    /// Nothing is compared if one endpoint is over a connection and the other isn't: they have no response in common.
    package mutating func compare(_ old: ResolvedEndpoint, _ new: ResolvedEndpoint) -> TableComparison {
        guard (old.frame == nil) == (new.frame == nil) else { return .equal }
        guard let first = old.sharedTable, let second = new.sharedTable else { return search(old, new) }
        let key = Key(
            tables: [first, second],
            bases: [ResponseClassifier.Basis(old, self.old), ResponseClassifier.Basis(new, self.new)],
            policies: [old, new].map { "\($0.retryRule(ofError: nil)) \($0.session)" })
        if let found = known[key] { return found }
        let found = search(old, new)
        known[key] = found
        return found
    }

    private func search(_ old: ResolvedEndpoint, _ new: ResolvedEndpoint) -> TableComparison {
        let search = TableSearch(ResponseClassifier(old, self.old), ResponseClassifier(new, self.new))
        return search.isNeeded ? search.run() : .equal
    }
}
