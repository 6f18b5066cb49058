import ContractModel

/// The order of the arguments of a call in both versions, across all parts of the request: the path, the query, the headers, the cookies
/// and the body.
struct InputOrder {
    typealias Name = (name: String, identifier: String)

    private typealias Argument = (identifier: String, old: Int, new: Int)

    /// The arguments that both versions have, in their new order.
    private let arguments: [Argument]
    private let positions: [String: Int]
    /// The names in Swift, by those of the new contract.
    private let identifiers: [String: String]

    /// - Parameters:
    ///   - old: the names in the contract and in Swift before the change, in their order.
    ///   - new: the same after it.
    init(_ old: [Name], _ new: [Name]) {
        func places(_ names: [Name]) -> [String: Int] {
            Dictionary(names.enumerated().map { ($1.identifier, $0) }) { first, _ in first }
        }
        let earlier = places(old)
        var both: [Argument] = []
        for (identifier, place) in places(new) {
            if let before = earlier[identifier] { both.append((identifier, before, place)) }
        }
        arguments = both.sorted { $0.new < $1.new }
        positions = Dictionary(arguments.enumerated().map { ($1.identifier, $0) }) { first, _ in first }
        identifiers = Dictionary(new.map { ($0.name, $0.identifier) }) { first, _ in first }
    }

    /// Two arguments in their new order, one of which has this name in the new contract, if their old order was the reverse. Nil if there
    /// are none.
    func displaced(_ name: String) -> (first: String, second: String)? {
        guard let position = identifiers[name].flatMap({ positions[$0] }) else { return nil }
        let own = arguments[position]
        let found = arguments.first { other in
            other.new != own.new && (other.old < own.old) != (other.new < own.new)
        }
        guard let other = found else { return nil }
        return other.new < own.new ? (other.identifier, own.identifier) : (own.identifier, other.identifier)
    }
}

/// The orders that a comparison has asked for, by the endpoint. One endpoint can have thousands of inputs that move.
final class InputOrders {
    private var orders: [[String]: InputOrder] = [:]

    func order(of owner: [String], _ make: () -> InputOrder) -> InputOrder {
        if let known = orders[owner] { return known }
        let order = make()
        orders[owner] = order
        return order
    }
}

extension Situation {
    /// The order of what an app passes: to the call of an endpoint, or to the client for all requests.
    var inputOrder: InputOrder {
        let place = edit.places.new
        return inputOrders.order(of: Array(place.prefix(place.first == "common" ? 1 : 2))) { newInputOrder }
    }

    private var newInputOrder: InputOrder {
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
