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
        func compare(_ fields: [FieldDefinition], isInBody: Bool = false, _ text: (String) -> String?) {
            for field in fields {
                guard let constant = constant(of: field, isInBody: isInBody, in: contract) else { continue }
                if text(field.wireName) != constant { count += 1 }
            }
        }
        compare(endpoint.query) { request.queryValues($0).first }
        compare(endpoint.headers) { request.header($0) }
        if !content.isUnrecorded {
            switch endpoint.body?.content {
            case .fields(let fields)?: compare(fields, isInBody: true) { content.text($0) }
            case .type(let type, _)?:
                compare(contract.structure(type)?.fields ?? [], isInBody: true) { content.text($0) }
            case .bytes?, nil: break
            }
        }
        let asksForEvents = request.header("Accept")?.lowercased().contains("text/event-stream") ?? false
        if asksForEvents != (endpoint.stream?.format == .events) { count += 1 }
        return count
    }

    /// The constant of a field as it is on the wire.
    private static func constant(of field: FieldDefinition, isInBody: Bool, in contract: ResolvedContract) -> String? {
        guard let constant = field.constant(isInBody: isInBody) else { return nil }
        guard case .enumCase(let name) = constant else { return constant.scalarText }
        guard case .named(let type) = contract.expanded(field.type.unwrapped).type.unwrapped,
            case .enumeration(let enumeration)? = contract.type(named: type.value)?.form
        else { return nil }
        return enumeration.cases.first { $0.name.value == name }?.wireValue.value
    }
}
