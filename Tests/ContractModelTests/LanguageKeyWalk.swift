import ContractModel
import YAMLTree

/// Walks through a contract that is known to be correct, and notes which key it uses of which mapping.
///
/// It follows the shapes of the language, and does not examine values.
struct LanguageKeyWalk {
    struct Use: Hashable, Comparable, CustomStringConvertible {
        /// The mapping's subject: "an endpoint".
        var mapping: String
        var key: String

        var description: String { "`\(key)` of \(mapping)" }

        static func < (left: Use, right: Use) -> Bool { (left.mapping, left.key) < (right.mapping, right.key) }
    }

    private(set) var uses = Set<Use>()

    mutating func contract(_ root: YAMLNode) {
        walk(root, .mapping { LanguageKeys.contract })
    }

    private mutating func walk(_ node: YAMLNode, _ shape: ValueShape) {
        switch shape {
        case .oneOrMore(let element, _): for node in node.sequence.map(Array.init) ?? [node] { walk(node, element) }
        case .named(let value, _, _): for pair in node.mapping.map(Array.init) ?? [] { walk(pair.value, value) }
        case .namedExcept(let names, let some, let others, _):
            for pair in node.mapping.map(Array.init) ?? [] {
                walk(pair.value, names.contains(pair.key.text ?? "") ? some : others)
            }
        case .either(let one, let other): walk(node, node.mapping == nil ? one : other)
        case .mapping(let mapping): walk(node, mapping())
        case .longForm(let form):
            let keys = node.mapping?.keys ?? []
            let description = form.mapping()
            let isLong = keys.contains { form.marks.contains($0) } && keys.allSatisfy { description.names.contains($0) }
            walk(node, isLong ? .mapping { description } : .fields)
        case .text, .form, .words, .flag, .integer, .type, .enumeration, .literal, .definition, .anything: break
        }
    }

    private mutating func walk(_ node: YAMLNode, _ description: MappingDescription) {
        for pair in node.mapping.map(Array.init) ?? [] {
            guard let key = pair.key.text, let known = description.keys.first(where: { $0.name == key }) else {
                continue
            }
            uses.insert(Use(mapping: description.subject, key: key))
            walk(pair.value, known.shape)
        }
    }
}
