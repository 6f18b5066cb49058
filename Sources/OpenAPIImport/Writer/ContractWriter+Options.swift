import ContractModel
import YAMLTree

// The keys of a field in its long form.
extension ContractWriter {
    /// The keys after `type`, in flow style and on lines of their own.
    func options(
        _ field: PlannedField, _ naming: WireNaming, default key: String = "default"
    ) -> [(flow: String, block: String)] {
        var options: [(flow: String, block: String)] = []
        func add(_ key: String, _ value: String) { options.append(("\(key): \(value)", "\(key): \(value)")) }
        if naming.wireName(of: field.name) != field.wire {
            options.append(("wire: " + YAMLText.value(field.wire, inFlow: true), "wire: " + YAMLText.value(field.wire)))
        }
        switch field.defaultValue {
        case .plain(let value): add("default", YAMLText.plain(value))
        case .text(let value):
            options.append(("\(key): " + YAMLText.value(value, inFlow: true), "\(key): " + YAMLText.value(value)))
        case .emptyList: add("default", "[]")
        case .emptyMap: add("default", "{}")
        case nil: break
        }
        let flow = parts(field.constraints, inFlow: true)
        let block = parts(field.constraints, inFlow: false)
        options += zip(flow, block).map { ($0, $1) }
        if let word = field.nullable { add("nullable", word.rawValue) }
        if field.isSensitive { add("sensitive", "true") }
        if let type = field.contentType { add("contentType", YAMLText.plain(type, inFlow: true)) }
        if field.isDeprecated { add("deprecated", "true") }
        return options
    }

    /// A default that can be written after `=`.
    func shortDefault(_ field: PlannedField) -> String? {
        switch field.defaultValue {
        case .plain(let value): return value
        case .text(let value):
            let isWord =
                !value.isEmpty
                && value.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || byte == 0x5F
                        || byte == 0x2D || byte == 0x2E
                }
            return isWord && YAMLText.value(value) == value ? value : nil
        case .emptyList, .emptyMap, nil: return nil
        }
    }

    func parts(_ constraints: PlannedConstraints, inFlow: Bool) -> [String] {
        var parts: [String] = []
        if let range = constraints.range { parts.append("range: \(range)") }
        if let length = constraints.length { parts.append("length: \(length)") }
        if let pattern = constraints.pattern { parts.append("pattern: " + YAMLText.quoted(pattern)) }
        if let items = constraints.items { parts.append("items: \(items)") }
        return parts
    }
}
