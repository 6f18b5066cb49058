import ContractModel
import JSONTree

extension ValueCheck {
    /// Checks a header of a response as a client reads it: as a text that is coerced to its type. A command does not fail because of a
    /// header that is not required.
    ///
    /// - Parameter texts: the header's values, at least one.
    package mutating func checkRead(header field: FieldDefinition, _ texts: [String], at place: String) {
        guard let value = value(of: field, texts) else { return }
        if value == .string(""), !field.isRequired { return }
        let read = { (check: inout ValueCheck) in
            check.check(value, type: field.type, [field.constraints], coerces: true, at: place)
        }
        if field.isRequired { read(&self) } else { checkTolerantly(read) }
    }

    /// The value that a client makes of a header; nil for one that is not checked.
    private func value(of field: FieldDefinition, _ texts: [String]) -> JSONNode? {
        let type = contract.expanded(field.type.unwrapped).type.unwrapped
        let text = Self.trimmed(texts.first ?? "")
        switch type {
        case .list:
            // Quotation marks can have commas inside.
            if texts.contains(where: { $0.contains("\"") }) { return nil }
            let elements = texts.flatMap { $0.split(separator: ",") }.map { Self.trimmed($0) }
            return .array(elements.filter { !$0.isEmpty }.map(JSONNode.string))
        case .named(let name):
            guard case .enumeration(let enumeration)? = contract.type(named: name.value)?.form else { return nil }
            return enumeration.wireKind == .int && Int(text) != nil ? .number(text) : .string(text)
        case .primitive(.timestamp), .primitive(.dateOrTimestamp):
            // A date of HTTP begins with the day of the week (RFC 9110, section 5.6.7).
            return text.first?.isLetter == true ? nil : .string(text)
        case .primitive: return .string(text)
        case .map, .optional: return nil
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
