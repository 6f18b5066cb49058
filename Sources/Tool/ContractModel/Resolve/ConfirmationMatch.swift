extension ResolvedEndpoint {
    /// Whether a value that `confirm` passes on is the command's idempotency key. An input of its own with that name comes first.
    package func isIdempotencyKey(_ value: String) -> Bool {
        value == "idempotencyKey" && !inputs.contains { $0.name.value == value }
    }

    /// Whether this read's response can serve as the response of a command, or as one of its outcomes.
    package func answers(for command: ResolvedEndpoint, outcome name: String?) -> Bool {
        if definition.isResponseOfHeaders { return false }
        if let outcome = command.outcomes.first(where: { $0.name.value == name }) {
            switch (outcome.data, definition.response.value) {
            case (nil, _): return true
            case (.type(let wanted, _)?, .type(let found, _, _)): return wanted.unwrapped == found.unwrapped
            default: return false
            }
        }
        switch (command.response.value, definition.response.value) {
        case (.none, _), (.bytes, .bytes): return true
        case (.type(let wanted, _, _), .type(let found, _, _)): return wanted == found
        // Two structures with the same fields. With outcomes, the response has a type of its own.
        case (.fields(let wanted), .fields(let found)):
            return command.outcomes.isEmpty && wanted.count == found.count
                && zip(wanted, found).allSatisfy {
                    $0.name.value == $1.name.value && $0.type == $1.type && $0.isRequired == $1.isRequired
                        && $0.nullable == $1.nullable
                }
        default: return false
        }
    }
}
