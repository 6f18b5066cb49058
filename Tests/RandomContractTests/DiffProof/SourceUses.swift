import ContractModel

@testable import SwiftEmitter

/// The code of an app that uses a client as it was before an edit, in Swift: the commands of some endpoints, all of their failures
/// and outcomes, and the fields of their responses.
struct SourceUses {
    let contract: ResolvedContract
    private let sample: SampleCall
    private var service: String { contract.service.value }

    /// - Parameter service: the name of the client after the edit.
    init(_ contract: ResolvedContract, as service: String) {
        var renamed = contract
        renamed.service = Located(service, at: contract.service.range)
        self.contract = renamed
        sample = SampleCall(contract: renamed)
    }

    func file(_ endpoints: [String]) -> String {
        let uses = contract.endpoints.filter { endpoints.contains($0.name.value) }.enumerated().map {
            number, endpoint in
            use(endpoint, number)
        }
        return "import ErrandRuntime\nimport Foundation\nimport RandomClients\n\n" + uses.joined(separator: "\n")
            + "\n" + client
    }

    /// The initializer.
    private var client: String {
        guard let client = sample.client(hasAll: true) else { return "" }
        return "func make\(service)(_ dispatcher: Dispatcher, _ session: Session) -> \(service) { \(client) }\n"
    }

    private func use(_ endpoint: ResolvedEndpoint, _ number: Int) -> String {
        let commands = [true, false].compactMap { sample.command(endpoint, hasAll: $0) }
        guard let command = commands.first else { return "" }
        let type = "\(service).\(SwiftIdentifier.spelled(endpoint.commandType))"
        let method = command.replacing(
            type + "(", with: "client.\(SwiftIdentifier.spelled(endpoint.identifier))(", maxReplacements: 1)
        return """
            func use\(service)_\(number)(_ client: \(service)) async throws {
                _ = try await \(method)
            \(commands.dropFirst().map { "    _ = await client.result(of: \($0))\n" }.joined())
                switch await client.result(of: \(command)) {
                case .success(let response):
                    _ = response
            \(reading(endpoint))
                case .failure(let failure):
                    switch failure {
            \(failures(endpoint).map { "        case .\($0): break\n" }.joined())        }
                }
            }

            """
    }

    private func failures(_ endpoint: ResolvedEndpoint) -> [String] {
        func names(_ errors: [String]) -> [String] {
            errors.compactMap(contract.error(named:)).map { SwiftIdentifier.spelled($0.identifier) }
        }
        if endpoint.failureName == ResolvedEndpoint.sharedFailure { return names(contract.sharedErrors) + ["fault"] }
        let own = endpoint.declaresOwnErrors ? names(endpoint.listedErrors) : []
        return own + (endpoint.mayStayOpen ? ["unconfirmed"] : []) + ["shared"]
    }

    private func reading(_ endpoint: ResolvedEndpoint) -> String {
        guard endpoint.outcomes.isEmpty else {
            let names = ["completed"] + endpoint.outcomes.map { SwiftIdentifier.spelled($0.identifier) }
            return "        switch response {\n" + names.map { "        case .\($0): break\n" }.joined() + "        }"
        }
        guard endpoint.responseHeaders.isEmpty else { return "" }
        switch endpoint.response.value {
        case .none, .bytes: return ""
        case .fields(let fields): return reading(fields, "response")
        case .type(let type, _, _):
            let text = "        let whole: \(spelled(type)) = response\n        _ = whole\n"
            guard case .named(let name) = contract.expanded(type).type,
                case .structure(let fields)? = contract.type(named: name.value)?.form
            else { return text }
            return text + reading(fields, "response")
        }
    }

    private func reading(_ fields: [FieldDefinition], _ value: String) -> String {
        fields.enumerated().map { number, field in
            let type = field.distinguishesNull ? "Nullable<\(spelled(field.type.unwrapped))>" : spelled(field.type)
            return
                "        let field\(number): \(type) = \(value).\(field.property)\n        _ = field\(number)\n"
        }.joined()
    }

    private func spelled(_ type: TypeReference) -> String {
        switch type {
        case .optional(let inner): return spelled(inner) + "?"
        case .list(let inner): return "[\(spelled(inner))]"
        case .map(let inner): return "[String: \(spelled(inner))]"
        case .named(let name):
            guard let definition = contract.type(named: name.value) else { return name.value }
            return ([service] + contract.swiftPath(of: definition).map(SwiftIdentifier.spelled)).joined(separator: ".")
        case .primitive(let primitive):
            return switch primitive {
            case .string: "String"
            case .bool: "Bool"
            case .int: "Int"
            case .int32: "Int32"
            case .int64: "Int64"
            case .uint: "UInt"
            case .double: "Double"
            case .float: "Float"
            case .decimal: "Decimal"
            case .timestamp, .timestampUnix, .timestampMilliseconds: "Date"
            case .date: "CalendarDate"
            case .dateOrTimestamp: "DateOrTimestamp"
            case .uuid: "UUID"
            case .url: "URL"
            case .bytes: "[UInt8]"
            case .json: "JSONValue"
            case .file: "FilePart"
            }
        }
    }
}
