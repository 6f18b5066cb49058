import ContractModel
import JSONTree

extension RequestCheck {
    /// How many of the texts that an endpoint sends without a decision of the app differ in a request: the defaults of its inputs, and
    /// what kind of response it asks for. By them, a server tells endpoints with one path apart.
    package static func differences(
        of request: MockRequest, _ content: RequestContent, from endpoint: ResolvedEndpoint,
        in contract: ResolvedContract
    ) -> Int {
        var count = 0
        func compare(_ fields: [FieldDefinition], isBody: Bool = false, _ text: (String) -> String?) {
            for field in fields {
                guard let constant = constant(of: field, isBody: isBody, in: contract) else { continue }
                if text(field.wireName) != constant { count += 1 }
            }
        }
        compare(endpoint.query) { request.queryValues($0).first }
        compare(endpoint.headers) { request.header($0) }
        if !content.isUnrecorded {
            switch endpoint.body?.content {
            case .fields(let fields)?: compare(fields, isBody: true) { content.text($0) }
            case .type(let type, _)?:
                compare(contract.structure(type)?.fields ?? [], isBody: true) { content.text($0) }
            case .bytes?, nil: break
            }
        }
        let asksForEvents = request.header("Accept")?.lowercased().contains("text/event-stream") ?? false
        if asksForEvents != (endpoint.stream?.format == .events) { count += 1 }
        return count
    }

    /// - Parameter isBody: whether a number is a constant, too. In a query, it is usually the number of the first page.
    private static func constant(of field: FieldDefinition, isBody: Bool, in contract: ResolvedContract) -> String? {
        switch field.defaultValue?.value {
        case .string(let text)?: return text
        case .bool(let flag)?: return flag ? "true" : "false"
        case .number(let text)? where isBody: return text
        case .enumCase(let name)? where isBody:
            guard case .named(let type) = contract.expanded(field.type.unwrapped).type.unwrapped,
                case .enumeration(let enumeration)? = contract.type(named: type.value)?.form
            else { return nil }
            return enumeration.cases.first { $0.name.value == name }?.wireValue.value
        default: return nil
        }
    }
}
