import ContractModel

/// One edit of a contract that the language allows, at one place.
struct ContractEdit {
    enum Kind: String, CaseIterable { case added, removed, changed, renamed }

    /// The key of the language, after the name of its mapping: `endpoint.retry`.
    let slot: String
    let kind: Kind
    /// The keys that lead to the place.
    let place: [String]
    /// What the place has after the edit; nil for what is gone.
    let value: PrintedNode?
    /// The name that the place has after a renaming.
    var name: String?

    /// The contract after the edit.
    func applied(to root: PrintedNode) -> PrintedNode { root.replacing(place[...], by: value, named: name) }

    var description: String {
        let shown = value.map { ": " + String(ContractPrinter.flow($0).prefix(80)) } ?? ""
        return "\(kind.rawValue) \(place.joined(separator: "."))\(name.map { " as \($0)" } ?? "")\(shown)"
    }
}

/// Derives the edits of a contract from the table of the language's keys: each key and each name at each place is added, removed,
/// changed and renamed. The values are those of other contracts at the same key, and those that follow from the key's shape.
struct ContractEdits {
    private(set) var edits: [ContractEdit] = []
    /// The values of the keys, from any contract.
    private var donors: [String: [PrintedNode]] = [:]
    private var isCollecting = true

    /// - Parameter donors: contracts whose values may be taken.
    init(of root: PrintedNode, donors: [PrintedNode]) {
        for donor in donors { walk(donor, LanguageKeys.contract, []) }
        isCollecting = false
        walk(root, LanguageKeys.contract, [])
    }

    /// The most values that one place gets of others, so that no key outweighs the rest.
    private static let mostValues = 6

    // MARK: Walking

    private mutating func walk(_ node: PrintedNode, _ description: MappingDescription, _ place: [String]) {
        guard case .mapping(let pairs) = node else { return }
        for key in description.keys {
            let slot = "\(description.name).\(key.name)"
            if let value = pairs.first(where: { $0.key == key.name })?.value {
                visit(value, key.shape, slot, place + [key.name], isRequired: key.isRequired)
            } else if !key.isRequired {
                add(slot, to: place, as: key.name)
            }
        }
    }

    private mutating func visit(
        _ node: PrintedNode, _ shape: ValueShape, _ slot: String, _ place: [String], isRequired: Bool
    ) {
        note(node, at: slot)
        if !isRequired { add(ContractEdit(slot: slot, kind: .removed, place: place, value: nil)) }
        visitValue(node, shape, slot, place)
    }

    private mutating func visitValue(_ node: PrintedNode, _ shape: ValueShape, _ slot: String, _ place: [String]) {
        switch shape {
        case .text, .form, .words, .flag, .integer, .type, .literal, .definition, .anything:
            change(node, shape, slot, place)
        case .oneOrMore(let element, _):
            guard case .list(let values) = node else { return visitValue(node, element, slot, place) }
            for index in values.indices where values.count > 1 {
                var others = values
                others.remove(at: index)
                add(ContractEdit(slot: slot + ".*", kind: .removed, place: place, value: .list(others)))
            }
            for donor in known(slot) {
                guard case .list(let more) = donor, let value = more.last else { continue }
                add(ContractEdit(slot: slot + ".*", kind: .added, place: place, value: .list(values + [value])))
            }
        case .named(let value, _, _): visitNamed(node, slot, place) { _ in value }
        case .namedExcept(let names, let some, let others, _):
            visitNamed(node, slot, place) { names.contains($0) ? some : others }
        case .either(let short, let long):
            guard case .mapping = node else {
                if case .mapping(let description) = long { addToShort(node, description(), place) }
                return visitValue(node, short, slot, place)
            }
            visitValue(node, long, slot, place)
        case .mapping(let description): walk(node, description(), place)
        case .longForm(let form):
            guard case .mapping(let pairs) = node, pairs.contains(where: { form.marks.contains($0.key) }) else {
                return visitValue(node, ValueShape.fields, slot, place)
            }
            walk(node, form.mapping(), place)
        case .enumeration: visitCases(node, slot, place)
        }
    }

    private mutating func visitNamed(
        _ node: PrintedNode, _ slot: String, _ place: [String], shape: (String) -> ValueShape
    ) {
        guard case .mapping(let pairs) = node else { return }
        let slot = slot + ".*"
        for (name, value) in pairs {
            visit(value, shape(name), slot, place + [name], isRequired: false)
            rename(name, value, slot, place)
        }
        for (number, value) in known(slot).enumerated() {
            add(ContractEdit(slot: slot, kind: .added, place: place + ["added\(number)"], value: value))
        }
    }

    private mutating func visitCases(_ node: PrintedNode, _ slot: String, _ place: [String]) {
        let slot = slot + ".*"
        switch node {
        case .list(let cases):
            for index in cases.indices where cases.count > 1 {
                var others = cases
                others.remove(at: index)
                add(ContractEdit(slot: slot, kind: .removed, place: place, value: .list(others)))
            }
            add(ContractEdit(slot: slot, kind: .added, place: place, value: .list(cases + [.text("added")])))
        case .mapping(let cases):
            for (name, _) in cases where cases.count > 1 {
                add(ContractEdit(slot: slot, kind: .removed, place: place + [name], value: nil))
            }
            for (name, value) in cases {
                guard case .text(let word) = value else { continue }
                add(ContractEdit(slot: slot, kind: .changed, place: place + [name], value: .text(word + "2")))
                add(
                    ContractEdit(
                        slot: slot, kind: .renamed, place: place + [name], value: value, name: name + "Renamed"))
            }
            add(ContractEdit(slot: slot, kind: .added, place: place + ["added"], value: .text("added")))
        default: return
        }
    }

    // MARK: Edits

    /// A field alone, `count: int`, gets another key: `count: {type: int, range: 1..5}`.
    private mutating func addToShort(_ node: PrintedNode, _ description: MappingDescription, _ place: [String]) {
        guard case .type(let type) = node, description.keys.contains(where: { $0.name == "type" }) else { return }
        let parts = type.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
        var long: [(key: String, value: PrintedNode)] = [("type", .type(parts[0]))]
        if parts.count > 1 { long.append(("default", .plain(parts[1]))) }
        for key in description.keys where !long.contains(where: { $0.key == key.name }) {
            let slot = "\(description.name).\(key.name)"
            for value in known(slot) {
                add(
                    ContractEdit(
                        slot: slot, kind: .added, place: place, value: .mapping(long + [(key.name, value)])))
            }
        }
    }

    /// The name in Swift changes, and the name on the wire stays.
    private mutating func rename(_ name: String, _ value: PrintedNode, _ slot: String, _ place: [String]) {
        let new = name + "Renamed"
        switch value {
        case .type(let type) where !type.contains("="):
            let long: PrintedNode = .mapping([("type", value), ("wire", .text(name))])
            add(ContractEdit(slot: slot, kind: .renamed, place: place + [name], value: long, name: new))
        case .mapping(let pairs):
            let isField = pairs.contains { $0.key == "type" }
            let hasWire = pairs.contains { $0.key == "wire" }
            let long: PrintedNode = .mapping(pairs + (isField && !hasWire ? [("wire", .text(name))] : []))
            add(ContractEdit(slot: slot, kind: .renamed, place: place + [name], value: long, name: new))
        default: return
        }
    }

    private mutating func add(_ slot: String, to place: [String], as key: String) {
        for value in known(slot) {
            add(ContractEdit(slot: slot, kind: .added, place: place + [key], value: value))
        }
    }

    private mutating func change(_ node: PrintedNode, _ shape: ValueShape, _ slot: String, _ place: [String]) {
        let flow = ContractPrinter.flow(node)
        let values = others(than: node, shape, slot) + known(slot)
        for value in values where ContractPrinter.flow(value) != flow {
            add(ContractEdit(slot: slot, kind: .changed, place: place, value: value))
        }
    }

    /// The values that follow from a value and its shape.
    private func others(than node: PrintedNode, _ shape: ValueShape, _ slot: String) -> [PrintedNode] {
        let text = ContractPrinter.flow(node)
        switch shape {
        case .flag: return [.plain(text == "true" ? "false" : "true")]
        case .words(let words): return words.filter { $0 != text }.map { .text($0) }
        case .integer: return Int(text).map { [.plain("\($0 + 1)"), .plain("\($0 * 2)")] } ?? []
        case .type:
            guard case .type(let type) = node else { return [] }
            let optional: PrintedNode = .type(type.hasSuffix("?") ? String(type.dropLast()) : type + "?")
            return [optional] + ["string", "int", "[int]", "double", "uuid"].map { .type($0) }
        case .text:
            guard case .text(let text) = node else { return [] }
            // A text that is matched begins in another way: behind its end, nothing would match.
            guard slot.hasSuffix(".pattern") else { return [.text(text + "Changed")] }
            return [.text(text.hasPrefix("^") ? "^Changed" + text.dropFirst() : "Changed" + text)]
        default: return []
        }
    }

    // MARK: Values

    private mutating func note(_ node: PrintedNode, at slot: String) {
        guard isCollecting else { return }
        let flow = ContractPrinter.flow(node)
        let values = donors[slot] ?? []
        guard values.count < Self.mostValues, !values.contains(where: { ContractPrinter.flow($0) == flow }) else {
            return
        }
        donors[slot] = values + [node]
    }

    private func known(_ slot: String) -> [PrintedNode] { isCollecting ? [] : donors[slot] ?? [] }

    private mutating func add(_ edit: ContractEdit) { if !isCollecting { edits.append(edit) } }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension PrintedNode {
    /// The tree with another value at a place, which may be new, or gone.
    fileprivate func replacing(_ place: ArraySlice<String>, by value: PrintedNode?, named name: String?) -> PrintedNode
    {
        guard let key = place.first else { return value ?? self }
        guard case .mapping(var pairs) = self else { return self }
        let index = pairs.firstIndex { $0.key == key }
        if place.count > 1 {
            guard let index else { return self }
            pairs[index].value = pairs[index].value.replacing(place.dropFirst(), by: value, named: name)
        } else if let value {
            if let index {
                pairs[index] = (name ?? key, value)
            } else {
                pairs.append((key, value))
            }
        } else if let index {
            pairs.remove(at: index)
        }
        return .mapping(pairs)
    }

    /// The text of a whole contract.
    var contractText: String {
        guard case .mapping(let pairs) = self else { return "" }
        return pairs.map { ContractPrinter.lines($0.key, $0.value) }.joined()
    }
}
