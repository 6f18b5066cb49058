import ContractModel

/// The order of the arguments of a call in both versions, across all parts of the request: the path, the query, the headers, the cookies
/// and the body.
struct InputOrder {
    typealias Name = (name: String, identifier: String)

    private let old: [String: Int]
    private let new: [String: Int]
    /// The names in Swift, by those of the new contract.
    private let identifiers: [String: String]

    /// - Parameters:
    ///   - old: the names in the contract and in Swift before the change, in their order.
    ///   - new: the same after it.
    init(_ old: [Name], _ new: [Name]) {
        func positions(_ names: [Name]) -> [String: Int] {
            Dictionary(names.enumerated().map { ($1.identifier, $0) }) { first, _ in first }
        }
        (self.old, self.new) = (positions(old), positions(new))
        identifiers = Dictionary(new.map { ($0.name, $0.identifier) }) { first, _ in first }
    }

    /// Two arguments in their new order, one of which has this name in the new contract, if their old order was the reverse. Nil if there
    /// are none.
    func displaced(_ name: String) -> (first: String, second: String)? {
        guard let name = identifiers[name], let before = old[name], let after = new[name] else { return nil }
        for (other, position) in new.sorted(by: { $0.value < $1.value }) where other != name {
            guard let earlier = old[other], (earlier < before) != (position < after) else { continue }
            return position < after ? (other, name) : (name, other)
        }
        return nil
    }
}

extension Situation {
    /// The order of what an app passes: to the call of an endpoint, or to the client for all requests.
    var inputOrder: InputOrder {
        func names(_ fields: [FieldDefinition]) -> [InputOrder.Name] {
            fields.map { ($0.name.value, $0.swiftName?.value ?? SwiftIdentifier.make(from: $0.name.value, .value)) }
        }
        guard edit.place.first != "common" else {
            func common(_ contract: Contract) -> [FieldDefinition] {
                contract.common.all.filter { $0.source == .app }.map(\.field)
            }
            return InputOrder(names(common(old.contract)), names(common(new.contract)))
        }
        func inputs(_ endpoint: EndpointDefinition?) -> [FieldDefinition] {
            guard let endpoint else { return [] }
            var inputs = endpoint.query + endpoint.headers + endpoint.cookies
            if case .http(_, let path) = endpoint.target { inputs = path.value.parameters + inputs }
            if case .fields(let fields)? = endpoint.body?.content { inputs += fields }
            return inputs
        }
        return InputOrder(names(inputs(endpoint.old)), names(inputs(endpoint.new)))
    }
}
