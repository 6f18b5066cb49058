import Diagnostics

// The headers that a contract declares for a response.
extension Resolution {
    mutating func checkResponseHeaders(of endpoint: inout EndpointDefinition) {
        endpoint.responseHeaders = checked(endpoint.responseHeaders, as: .responseHeader, naming: .asWritten)
        guard let first = endpoint.responseHeaders.first else { return }
        let name = endpoint.name.value
        if endpoint.frame != nil {
            report(
                .httpKeyAtFrame, "a frame has no headers, so `\(name)` cannot read any", at: first.name.range,
                help: "remove `headers` from the response")
        } else if endpoint.delivery?.value == .stream, !endpoint.isResponseOfHeaders {
            report(
                .conflictingKeys, "`\(name)` is a stream, whose elements have no headers", at: first.name.range,
                help: "remove `headers` from the response")
        }
        if endpoint.isResponseOfHeaders, let confirm = endpoint.confirm {
            report(
                .conflictingKeys, "the response of `\(name)` consists of headers, which no read can confirm",
                at: confirm.endpoint.range, notes: [DiagnosticNote("the headers", at: first.name.range)],
                help: "remove `confirm`, or give the response a type")
        }
    }

    /// Reports what the text of a response's header cannot be read as.
    mutating func checkResponseHeader(_ field: FieldDefinition, _ type: TypeReference) {
        var element = type
        if case .list(let inner) = type { element = inner }
        let form = self.type(named: expanded(element.unwrapped))
        if case .enumeration(let definition)? = form, definition.wireKind == .int, element != type {
            report(
                .invalidParameterType, "a header cannot be a list of `\(element.spelling)`, whose values are numbers",
                at: field.typeRange, help: "write `[int]`")
        } else if element.isOptional || !isScalar(element) {
            report(
                .invalidParameterType,
                "a header must be a single value or a list of them, and `\(field.type.spelling)` is neither",
                at: field.typeRange,
                help: "use a `string`, a number, a `bool`, a date, a `uuid`, an enum, or a list of these")
        }
        if let option = field.readingOption {
            report(
                .conflictingKeys, "`\(option)` is not valid for a header, whose text is always read as its type",
                at: field.name.range, help: "remove it")
        }
    }

    private func type(named reference: TypeReference?) -> TypeDefinition.Form? {
        guard case .named(let name)? = reference else { return nil }
        return type(name.value)?.form
    }
}
