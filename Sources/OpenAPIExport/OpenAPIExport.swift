import ContractModel
import Diagnostics

/// Exports a contract as an OpenAPI 3.1 document, for tools that read only that format.
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
    package static let version = "3.1.0"

    package typealias Pairs = [(key: String, value: ReportValue)]

    /// The parts of a contract that the document cannot contain: a second request with the method and the path of another one, even
    /// if its parameters have other names. Frames are in the document, in a place that only Errand reads.
    package static func losses(of contract: ResolvedContract) -> [Diagnostic] {
        let operations = OperationExport(contract, ServiceExport(contract))
        var known: [String: Located<String>] = [:]
        if let connection = contract.connection {
            return [
                Diagnostic(
                    rule: .openAPIExportLost,
                    message:
                        "OpenAPI describes only requests of HTTP, so the frames and events of `\(contract.service.value)` are extensions that other tools do not read",
                    at: connection.range)
            ]
        }
        return contract.endpoints.compactMap { endpoint in
            guard case .http(let method, let template) = endpoint.target else { return nil }
            let place = "\(method.rawValue) \(operations.path(of: template.value))"
            guard let other = known.updateValue(endpoint.name, forKey: place) else { return nil }
            known[place] = other
            return Diagnostic(
                rule: .openAPIExportLost,
                message:
                    "`\(endpoint.name.value)` is left out, because `\(other.value)` has the same method and path",
                at: endpoint.name.range, notes: [DiagnosticNote("the other endpoint", at: other.range)])
        }
    }

    /// The document. The same contract gives the same bytes.
    package static func document(of contract: ResolvedContract) -> ReportValue {
        let service = ServiceExport(contract)
        var info: Pairs = [("title", .text(contract.service.value)), ("version", .text(contract.version))]
        if let doc = contract.doc { info.append(("description", .text(doc))) }
        if contract.stability != .stable { info.append(("x-errand-stability", .text(contract.stability.rawValue))) }
        var pairs: Pairs = [("openapi", .text(version)), ("info", .object(info))]
        if !contract.servers.isEmpty { pairs.append(("servers", .list(contract.servers.map { service.server($0) }))) }
        if !contract.groups.isEmpty {
            let tags = contract.groups.map { group in
                ReportValue.object([("name", .text(group.name.value)), ("description", .text(group.doc))])
            }
            pairs.append(("tags", .list(tags)))
        }
        pairs.append(("paths", .object(paths(of: contract, service))))
        pairs.append(("components", .object(components(of: contract, service))))
        pairs += service.extensions
        pairs += frames(of: contract, service)
        if let order = order(of: contract, service) { pairs.append(("x-errand-order", .list(order.map { .text($0) }))) }
        return .object(pairs)
    }

    /// Operations by path, in the order in which the contract names a path first.
    private static func paths(of contract: ResolvedContract, _ service: ServiceExport) -> Pairs {
        let operations = OperationExport(contract, service)
        var order: [String] = []
        var items: [String: Pairs] = [:]
        for endpoint in contract.endpoints {
            guard case .http(let method, let template) = endpoint.target else { continue }
            let path = operations.path(of: template.value)
            if items[path] == nil { order.append(path) }
            // ``losses(of:)`` reports a second one.
            guard items[path]?.contains(where: { $0.key == method.rawValue }) != true else { continue }
            items[path, default: []].append((method.rawValue, operations.operation(endpoint, method, template.value)))
        }
        return order.map { ($0, .object(items[$0] ?? [])) }
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
    private static func order(of contract: ResolvedContract, _ service: ServiceExport) -> [String]? {
        let operations = OperationExport(contract, service)
        var places: [String: Int] = [:]
        var latest = 0
        for endpoint in contract.endpoints {
            guard let template = endpoint.path else { continue }
            let path = operations.path(of: template)
            let place = places[path] ?? places.count
            places[path] = place
            guard place >= latest else { return contract.endpoints.map(\.name.value) }
            latest = place
        }
        return nil
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
