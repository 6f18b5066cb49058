import ContractModel
import Diagnostics

/// Exports a contract as an OpenAPI document, for tools that read only that format.
///
/// The document uses OpenAPI's own keywords for paths, parameters, bodies, schemas, responses by status, and security.
/// Everything else is under `x-errand-…` keys in the contract's own spelling: the identification of errors, their categories,
/// retry safety, time limits, sessions, envelopes. `docs/openapi.md` lists these keys.
///
/// | stage | takes | gives |
/// |---|---|---|
/// | ``SchemaExport`` | types and fields | JSON Schema |
/// | ``ErrorExport`` | errors, outcomes, envelopes | responses by status |
/// | ``OperationExport`` | an endpoint | an operation |
/// | ``ServiceExport`` | the service | servers, security, extensions |
package enum OpenAPIExport {
    /// The version of a contract's document: 3.1, which most tools read. Only 3.2 has keys for QUERY and for the
    /// case of all other objects, and it changes nothing else that such a document uses.
    private static func version(of contract: ResolvedContract) -> String {
        let hasOthers = contract.types.contains { type in
            if case .union(let union) = type.form { union.otherCase != nil } else { false }
        }
        return hasOthers || contract.endpoints.contains { $0.method == .query } ? "3.2.0" : "3.1.0"
    }

    package typealias Pairs = [(key: String, value: ReportValue)]

    /// The parts of a contract that only Errand reads from the document: the frames of a connection.
    package static func losses(of contract: ResolvedContract) -> [Diagnostic] {
        guard let connection = contract.connection else { return [] }
        return [
            Diagnostic(
                rule: .openAPIExportLost,
                message:
                    "OpenAPI describes only requests of HTTP, so the frames and events of `\(contract.service.value)` are extensions that other tools do not read",
                at: connection.range)
        ]
    }

    /// The document. The same contract gives the same bytes.
    package static func document(of contract: ResolvedContract) -> ReportValue {
        let service = ServiceExport(contract)
        var info: Pairs = [("title", .text(contract.service.value)), ("version", .text(contract.version))]
        if let doc = contract.doc { info.append(("description", .text(doc))) }
        if contract.stability != .stable { info.append(("x-errand-stability", .text(contract.stability.rawValue))) }
        var pairs: Pairs = [("openapi", .text(version(of: contract))), ("info", .object(info))]
        if !contract.servers.isEmpty { pairs.append(("servers", .list(contract.servers.map { service.server($0) }))) }
        if !contract.groups.isEmpty {
            let tags = contract.groups.map { group in
                ReportValue.object([("name", .text(group.name.value)), ("description", .text(group.doc))])
            }
            pairs.append(("tags", .list(tags)))
        }
        let operations = OperationExport(contract, service)
        let items = items(of: contract, operations)
        pairs.append(("paths", .object(paths(items, of: contract, service, operations))))
        pairs.append(("components", .object(components(of: contract, service))))
        pairs += service.extensions
        pairs += frames(of: contract, service)
        if let order = order(of: contract, items) { pairs.append(("x-errand-order", .list(order.map { .text($0) }))) }
        return .object(pairs)
    }

    /// Operations by path, in the order in which the contract names a path first.
    private static func paths(
        _ items: [Item], of contract: ResolvedContract, _ service: ServiceExport, _ operations: OperationExport
    ) -> Pairs {
        let shared = SharedOperation(
            servers: contract.servers.map { service.server($0) }, common: service.commonParameters)
        return items.map { item in
            let methods = item.methods.map { method, endpoints -> (key: String, value: ReportValue) in
                let all = endpoints.map { endpoint, template in
                    let own = operations.path(of: template)
                    return operations.operation(endpoint, template, path: own == item.path ? nil : own)
                }
                return (method.rawValue, shared.operation(all, names: item.names))
            }
            return (item.path, .object(methods))
        }
    }

    /// A path with its methods, and the endpoints of each. OpenAPI forbids paths that differ only by the names of their parameters,
    /// so endpoints with such paths have the one that the contract names first.
    private struct Item {
        let path: String
        /// The names of its parameters.
        let names: [ReportValue]
        var methods: [(method: HTTPMethod, endpoints: [(endpoint: ResolvedEndpoint, template: PathTemplate)])] = []
    }

    private static func items(of contract: ResolvedContract, _ operations: OperationExport) -> [Item] {
        var items: [Item] = []
        var numbers: [String: Int] = [:]
        for endpoint in contract.endpoints {
            guard case .http(let method, let template) = endpoint.target else { continue }
            let shape = template.value.shape
            let number = numbers[shape] ?? items.count
            if numbers.updateValue(number, forKey: shape) == nil {
                let names = template.value.parameters.map { ReportValue.text($0.wireName) }
                items.append(Item(path: operations.path(of: template.value), names: names))
            }
            if let position = items[number].methods.firstIndex(where: { $0.method == method }) {
                items[number].methods[position].endpoints.append((endpoint, template.value))
            } else {
                items[number].methods.append((method, [(endpoint, template.value)]))
            }
        }
        return items
    }

    /// The endpoints of a connection, each written as an operation.
    private static func frames(of contract: ResolvedContract, _ service: ServiceExport) -> Pairs {
        let operations = OperationExport(contract, service)
        let frames = contract.endpoints.compactMap { endpoint in
            endpoint.frame.map { (key: endpoint.name.value, value: operations.operation(endpoint, $0)) }
        }
        return frames.isEmpty ? [] : [("x-errand-frames", .object(frames))]
    }

    /// The endpoints in the order of the contract, if the paths have another order.
    private static func order(of contract: ResolvedContract, _ items: [Item]) -> [String]? {
        let written = items.flatMap { $0.methods.flatMap(\.endpoints) }.map(\.endpoint.name.value)
        let names = contract.endpoints.filter { $0.path != nil }.map(\.name.value)
        return written == names ? nil : contract.endpoints.map(\.name.value)
    }

    private static func components(of contract: ResolvedContract, _ service: ServiceExport) -> Pairs {
        let schemas = SchemaExport(contract)
        var pairs: Pairs = []
        let types = contract.types.filter { $0.inline == nil }
        if !types.isEmpty {
            pairs.append(("schemas", .object(types.map { ($0.name.value, schemas.schema(of: $0)) })))
        }
        if !service.commonParameters.isEmpty { pairs.append(("parameters", .object(service.commonParameters))) }
        if !service.securitySchemes.isEmpty { pairs.append(("securitySchemes", .object(service.securitySchemes))) }
        return pairs
    }
}
