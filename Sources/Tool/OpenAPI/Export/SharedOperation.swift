import ContractModel
import Diagnostics

/// Endpoints with the same method and path, as the one operation that OpenAPI has there. An endpoint whose path has other names for
/// its parameters than the path of the document is such an operation, too.
///
/// Its own keywords describe every request and every response, for tools that read only those. An extension has each endpoint as
/// an operation of its own, from which an import reads them back.
struct SharedOperation {
    typealias Pairs = OpenAPIExport.Pairs

    static let key = "x-errand-operations"
    /// The path of an operation whose parameters have other names.
    static let pathKey = "x-errand-path"

    /// The document's servers, to which an operation without servers of its own is sent.
    let servers: [ReportValue]
    /// The document's parameters, to which operations refer.
    let common: Pairs

    /// - Parameters:
    ///   - all: the operations. There is at least one, and it alone is the result if it has the names of the path.
    ///   - names: the names of the path's parameters.
    func operation(_ all: [ReportValue], names: [ReportValue]) -> ReportValue {
        let first = all[0]
        guard all.count > 1 || first[Self.pathKey] != nil else { return first }
        let open = all.map { Self.named($0, names) }
        var pairs: Pairs = []
        for key in ["operationId", "tags"] {
            if let value = first[key] { pairs.append((key, value)) }
        }
        if let text = Self.joined(all.compactMap { $0["description"] }) { pairs.append(("description", text)) }
        if all.allSatisfy({ $0["deprecated"] != nil }) { pairs.append(("deprecated", .flag(true))) }
        let parameters = Self.parameters(withoutPartialReferences(open))
        if !parameters.isEmpty { pairs.append(("parameters", .list(parameters))) }
        let bodies = all.compactMap { $0["requestBody"] }
        if !bodies.isEmpty {
            let isRequired = bodies.count == all.count
            pairs.append(
                ("requestBody", .object([("required", .flag(isRequired)), ("content", Self.content(bodies))])))
        }
        pairs.append(("responses", Self.responses(all)))
        if all.contains(where: { $0["security"] != nil }) {
            pairs.append(("security", .list(Self.security(all))))
        }
        if all.contains(where: { $0["servers"] != nil }) {
            let lists = all.map { $0["servers"]?.items ?? servers }
            pairs.append(("servers", .list(Self.distinct(lists.flatMap { $0 }))))
        }
        return .object(pairs + [(Self.key, .list(all))])
    }

    // MARK: Parameters

    /// The operation with other names for the parameters of its path.
    private static func named(_ operation: ReportValue, _ names: [ReportValue]) -> ReportValue {
        func isInPath(_ parameter: ReportValue) -> Bool { parameter["in"]?.text == "path" }
        var names = names[...]
        let parameters = (operation["parameters"]?.items ?? []).map { parameter in
            guard isInPath(parameter), let name = names.popFirst(), parameter["name"]?.text != name.text else {
                return parameter
            }
            let schema = (parameter["schema"] ?? .object([])).replacing("x-errand-name", with: nil)
            return parameter.replacing("name", with: name).replacing("schema", with: schema)
        }
        return operation.replacing("parameters", with: .list(parameters))
    }

    /// The operations with the document's parameters in place of references that not each of them has.
    private func withoutPartialReferences(_ operations: [ReportValue]) -> [ReportValue] {
        let lists = operations.map { $0["parameters"]?.items ?? [] }
        let references = lists.flatMap { $0 }.compactMap { $0["$ref"]?.text }
        return zip(operations, lists).map { operation, list in
            let parameters = list.map { parameter -> ReportValue in
                guard let reference = parameter["$ref"]?.text,
                    references.count(where: { $0 == reference }) < operations.count,
                    let found = common.first(where: { reference.hasSuffix("/" + $0.key) })
                else { return parameter }
                let own = found.value.pairs.filter { !$0.key.hasPrefix("x-errand-") }
                return .object(own)
            }
            return operation.replacing("parameters", with: .list(parameters))
        }
    }

    /// A parameter is required if it is in each of the requests.
    private static func parameters(_ operations: [ReportValue]) -> [ReportValue] {
        let all = operations.flatMap { $0["parameters"]?.items ?? [] }
        return grouped(all) { parameter in
            parameter["$ref"]?.text
                ?? [parameter["in"], parameter["name"]].compactMap { $0?.text }.joined(separator: " ")
        }.map { same in
            guard same[0]["$ref"] == nil else { return same[0] }
            let isRequired =
                same.count == operations.count && same.allSatisfy { $0["required"]?.isTrue == true }
            var parameter = same[0].replacing("required", with: .flag(isRequired))
            if let text = joined(same.compactMap { $0["description"] }) {
                parameter = .object(parameter.replacing("description", with: nil).pairs + [("description", text)])
            }
            return parameter.replacing("schema", with: either(same.compactMap { $0["schema"] }))
        }
    }

    // MARK: Content

    /// The media types of several bodies or responses. Requests with the same media type have schemas as alternatives.
    private static func content(_ owners: [ReportValue]) -> ReportValue {
        let media = owners.flatMap { $0["content"]?.pairs ?? [] }
        return .object(
            grouped(media, by: \.key).map { same in
                let schemas = same.map { $0.value["schema"] ?? .object([]) }
                var pairs: Pairs = [("schema", either(schemas))]
                let encodings = grouped(same.flatMap { $0.value["encoding"]?.pairs ?? [] }, by: \.key).map { $0[0] }
                if !encodings.isEmpty { pairs.append(("encoding", .object(encodings))) }
                return (same[0].key, .object(pairs))
            })
    }

    private static func responses(_ operations: [ReportValue]) -> ReportValue {
        let all = operations.flatMap { $0["responses"]?.pairs ?? [] }
        return .object(
            grouped(all, by: \.key).map { same in (same[0].key, response(same.map(\.value), operations.count)) })
    }

    private static func response(_ all: [ReportValue], _ count: Int) -> ReportValue {
        var pairs: Pairs = [("description", joined(all.compactMap { $0["description"] }) ?? .text(""))]
        let headers = grouped(all.flatMap { $0["headers"]?.pairs ?? [] }, by: \.key).map { same in
            let isRequired = same.count == count && same.allSatisfy { $0.value["required"]?.isTrue == true }
            let schema = either(same.compactMap { $0.value["schema"] })
            return (
                same[0].key,
                same[0].value.replacing("required", with: .flag(isRequired)).replacing("schema", with: schema)
            )
        }
        if !headers.isEmpty { pairs.append(("headers", .object(headers))) }
        let contents = all.filter { $0["content"] != nil }
        if !contents.isEmpty { pairs.append(("content", content(contents))) }
        let meanings = distinct(all.flatMap { $0["x-errand-means"]?.items ?? [] })
        if !meanings.isEmpty { pairs.append(("x-errand-means", .list(meanings))) }
        return .object(pairs)
    }

    /// The credentials of any of the requests.
    private static func security(_ operations: [ReportValue]) -> [ReportValue] {
        let lists = operations.map { $0["security"]?.items ?? [] }
        if lists.allSatisfy(\.isEmpty) { return [] }
        return distinct(lists.flatMap { $0.isEmpty ? [.object([])] : $0 })
    }

    // MARK: Values

    /// A schema that values of all schemas fit. Values may fit several of them, so they are not `oneOf`.
    private static func either(_ schemas: [ReportValue]) -> ReportValue {
        let schemas = distinct(schemas)
        return schemas.count == 1 ? schemas[0] : .object([("anyOf", .list(schemas))])
    }

    private static func joined(_ texts: [ReportValue]) -> ReportValue? {
        let texts = distinct(texts).compactMap(\.text)
        return texts.isEmpty ? nil : .text(texts.joined(separator: "\n\n"))
    }

    private static func distinct(_ values: [ReportValue]) -> [ReportValue] {
        var seen = Set<String>()
        return values.filter { seen.insert($0.json).inserted }
    }

    /// Values with the same identity, in the order in which each identity occurs first. No group is empty.
    private static func grouped<Value>(_ values: [Value], by identity: (Value) -> String) -> [[Value]] {
        var places: [String: Int] = [:]
        var groups: [[Value]] = []
        for value in values {
            let identity = identity(value)
            if let place = places[identity] {
                groups[place].append(value)
            } else {
                places[identity] = groups.count
                groups.append([value])
            }
        }
        return groups
    }
}
