import ContractModel
import JSONTree

@testable import MockServer
@testable import SwiftEmitter

/// Writes a call of a generated client: the command with sample values for its inputs, in Swift.
struct SampleCall {
    /// The server that an app names where the contract declares none.
    static let undeclaredServer = "https://none.example"

    let contract: ResolvedContract
    private var service: String { contract.service.value }

    /// The command of an endpoint, with all of its inputs or with those that an app must give. Nil if an input is a file or
    /// the bytes of a body.
    func command(_ endpoint: ResolvedEndpoint, hasAll: Bool) -> String? {
        var arguments: [String] = []
        for field in inputs(of: endpoint) {
            if !hasAll, hasDefault(field) { continue }
            guard let value = value(of: field, at: endpoint.name.value) else { return nil }
            arguments.append("\(field.label): \(value)")
        }
        let type = SwiftIdentifier.spelled(endpoint.commandType)
        return "\(service).\(type)(\(arguments.joined(separator: ", ")))"
    }

    /// The client, with the names `dispatcher` and `session` for what it needs, and with all parameters of every request or with those
    /// that an app must give. Nil as for a command.
    func client(hasAll: Bool) -> String? {
        var arguments = ["on: dispatcher", "session: session"]
        if contract.servers.isEmpty { arguments.insert(".init(url: \"\(Self.undeclaredServer)\")", at: 0) }
        let common = contract.common.all.filter { $0.source == .app }.map(\.field).filter { hasAll || !hasDefault($0) }
        if contract.common.all.contains(where: { $0.source == .app }) {
            let values = common.map { field in value(of: field, at: "common").map { "\(field.label): \($0)" } }
            if values.contains(nil) { return nil }
            arguments.append("common: .init(\(values.compactMap { $0 }.joined(separator: ", ")))")
        }
        arguments += contract.credentials.map { "\(SwiftIdentifier.label($0.identifier)): \"sample\"" }
        if let signing = contract.signing {
            arguments.append("\(SwiftIdentifier.label(signing.keyIdentifier)): \"sample\"")
        }
        return "\(service)(\(arguments.joined(separator: ", ")))"
    }

    /// The session of an app whose user has logged in before, or logs in when the client asks for it.
    var session: String {
        guard contract.session != nil else { return "Session()" }
        guard let name = contract.session?.login,
            let login = contract.endpoints.first(where: { $0.name.value == name }),
            let command = command(login, hasAll: true)
        else { return "Session(tokens: SessionTokens(access: \"foreign\"))" }
        return "Session { \(command) }"
    }

    /// The inputs, with a body that is one value.
    func inputs(of endpoint: ResolvedEndpoint) -> [FieldDefinition] {
        guard case .type(let type, let range)? = endpoint.body?.content else {
            guard case .bytes? = endpoint.body?.content else { return endpoint.inputs }
            return endpoint.inputs + [Self.file(endpoint)]
        }
        return endpoint.inputs + [FieldDefinition(name: Located("body", at: range), type: type, typeRange: range)]
    }

    private static func file(_ endpoint: ResolvedEndpoint) -> FieldDefinition {
        let range = endpoint.name.range
        return FieldDefinition(name: Located("body", at: range), type: .primitive(.file), typeRange: range)
    }

    /// Whether an app may leave the input out.
    private func hasDefault(_ field: FieldDefinition) -> Bool {
        field.distinguishesNull || field.defaultValue != nil
            || contract.shape(of: field).isOptional && !field.writesNull
    }

    // MARK: Values

    /// A value of an input. The same name at the same place has the same value in each version of a contract.
    private func value(of field: FieldDefinition, at place: String) -> String? {
        var samples = SampleGenerator(contract, seed: 7, for: "\(place) \(field.wireName)")
        let node = samples.value(of: field.type.unwrapped, [field.constraints], named: field.wireName)
        guard let value = expression(field.type.unwrapped, node) else { return nil }
        return field.distinguishesNull ? ".value(\(value))" : value
    }

    private func expression(_ type: TypeReference, _ node: JSONNode) -> String? {
        switch contract.expanded(type).type {
        case .optional(let inner): return node == .null ? "nil" : expression(inner, node)
        case .primitive(let primitive): return scalar(primitive, node)
        case .list(let inner):
            let values = (node.elements ?? []).map { expression(inner, $0) }
            return values.contains(nil) ? nil : "[\(values.compactMap { $0 }.joined(separator: ", "))]"
        case .map(let inner):
            let values = (node.members ?? []).map { member in
                expression(inner, member.value).map { "\(quoted(member.name)): \($0)" }
            }
            if values.isEmpty { return "[:]" }
            return values.contains(nil) ? nil : "[\(values.compactMap { $0 }.joined(separator: ", "))]"
        case .named(let name): return contract.type(named: name.value).flatMap { expression($0, node) }
        }
    }

    private func expression(_ type: TypeDefinition, _ node: JSONNode) -> String? {
        let name = ([service] + contract.swiftPath(of: type).map(SwiftIdentifier.spelled)).joined(separator: ".")
        switch type.form {
        case .structure(let fields):
            var arguments: [String] = []
            for field in fields {
                let value: String?
                if field.holdsOtherMembers {
                    value = "[:]"
                } else {
                    guard let member = node[field.wireName] else { continue }
                    if member == .null, hasDefault(field) { continue }
                    value = member == .null ? "nil" : expression(field.type.unwrapped, member)
                }
                guard let value else { return nil }
                arguments.append("\(field.label): \(field.distinguishesNull ? ".value(\(value))" : value)")
            }
            return "\(name)(\(arguments.joined(separator: ", ")))"
        case .enumeration(let enumeration):
            let item = enumeration.cases.first { $0.wireValue.value == node.scalarText } ?? enumeration.cases.first
            return item.map { "\(name).\(SwiftIdentifier.spelled($0.identifier))" }
        case .union(let union):
            for (item, identifier) in zip(union.cases, union.identifiers) where isCase(item, of: union, node) {
                return expression(item.type, node).map { "\(name).\(SwiftIdentifier.spelled(identifier))(\($0))" }
            }
            return nil
        case .alias(let target, _): return expression(target, node)
        }
    }

    private func isCase(_ item: UnionDefinition.Case, of union: UnionDefinition, _ node: JSONNode) -> Bool {
        switch union.distinction {
        case .value(let key, _): node[key.value]?.scalarText == item.name.value
        case .key: node[item.name.value] != nil
        case .kind: false
        }
    }

    private func scalar(_ primitive: Primitive, _ node: JSONNode) -> String? {
        let text = node.scalarText ?? ""
        switch primitive {
        case .string: return quoted(text)
        case .bool, .int, .int32, .int64, .uint, .double, .float: return text
        case .decimal: return "Decimal(string: \(quoted(text)))!"
        case .timestamp, .timestampUnix, .timestampMilliseconds: return "Date(timeIntervalSince1970: 1_800_000_000)"
        case .date: return "CalendarDate(year: 2026, month: 2, day: 28)!"
        case .dateOrTimestamp: return ".date(CalendarDate(year: 2026, month: 2, day: 28)!)"
        case .uuid: return "UUID(uuidString: \(quoted(text)))!"
        case .url: return "URL(string: \(quoted(text)))!"
        case .bytes: return "[1, 2, 3]"
        case .json: return "JSONValue.string(\"any\")"
        case .file: return nil
        }
    }

    private func quoted(_ text: String) -> String { SwiftLiteral.string(text) }
}
