import ContractModel
import Diagnostics

// The headers of responses, as fields that the app reads.
extension EndpointPlanner {
    /// Headers that the transport or the runtime reads.
    private static let headersOfTheRuntime: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "date", "link", "retry-after",
        "transfer-encoding",
    ]

    /// Plans the headers of the usual response, and counts those that the client does not read.
    func planHeaders(_ endpoint: inout PlannedEndpoint, _ operation: Operation, success: Response?) {
        // The endpoint whose response arrives whole has the same headers.
        if operation.arrival == .stream { return }
        var wires = Set<String>()
        for response in operation.responses {
            let isRead = response.status == success?.status
            for (name, header) in response.headers {
                if Self.headersOfTheRuntime.contains(name.lowercased()) {
                    header.settle()
                    continue
                }
                if isRead, takesHeader(name, endpoint), !wires.contains(name.lowercased()),
                    let field = field(of: header, name)
                {
                    wires.insert(name.lowercased())
                    endpoint.responseHeaders.append(field)
                } else {
                    findings.count(.openAPIResponseLost, name, at: header)
                }
            }
        }
    }

    /// Whether a header is worth a field. Without a body, the headers would become the response, which is meant for the response
    /// of a HEAD request and for the place of something new.
    private func takesHeader(_ name: String, _ endpoint: PlannedEndpoint) -> Bool {
        if endpoint.stream != nil || !HeaderText.isName(name) || name.lowercased() == "set-cookie" { return false }
        guard case .none = endpoint.response else { return true }
        return endpoint.method == .head || name.lowercased() == "location"
    }

    /// A header as a field; `nil` if its values have no type in a contract.
    ///
    /// It is optional, even if the document requires it: a command that has succeeded must not fail because of it.
    private func field(of element: Element, _ name: String) -> PlannedField? {
        guard let header = types.documents.followed(element) else { return nil }
        let schema = header["schema"] ?? (isSwagger2 ? header : nil)
        var field = PlannedField(wire: name, type: .word("string"))
        let origin = PlannedTypeEntry.Origin.endpoint(
            NameText.typeName(self.name) + NameText.typeName(name), part: NameText.typeName(name))
        if let schema {
            let view = types.reader.view(of: [schema])
            if let text = types.text(of: view, at: schema) {
                field = types.field(name, text, isRequired: false, as: origin, at: schema)
            } else if !view.isUntyped {
                field = types.field(
                    name, types.use(of: [schema], as: origin, .response), isRequired: false, as: origin, at: schema)
            }
        }
        switch types.shape(of: field.type) {
        case .scalar: break
        case .list: if hasNumbers(field.type) { return nil }
        case .structure, .other: return nil
        }
        field.defaultValue = nil
        field.defaultCase = nil
        field.documentedDefault = nil
        field.isConstant = false
        field.isOptional = true
        field.doc = element.text("description") ?? header.text("description") ?? field.doc
        field.isDeprecated = header.flag("deprecated") || field.isDeprecated
        field.example = example(beside: header, of: "headers").map { PlannedValue($0) } ?? field.example
        return field
    }

    /// Whether the elements of a list are null or cases of an enum of numbers, which a header cannot have.
    private func hasNumbers(_ type: PlannedType) -> Bool {
        switch types.expanded(type) {
        case .list(.optional): return true
        case .list(let element):
            guard let number = types.target(of: element),
                case .enumeration(let definition, _) = types.entries[number].form
            else { return false }
            return definition.wireKind == .int
        case .optional(let inner): return hasNumbers(inner)
        default: return false
        }
    }
}
