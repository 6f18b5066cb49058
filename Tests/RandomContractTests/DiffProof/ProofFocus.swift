import ContractModel

/// Finds the values that an edit takes away. A sample that has one of them by chance proves nothing, so the proof asks for one.
struct ProofFocus {
    let root: PrintedNode
    let edit: ContractEdit

    /// The contract from before the edit, in which the place of the edit has only the values that the edit takes away, and unions have
    /// only the cases that the edit is about. Nil if that is the contract as it is.
    var contract: PrintedNode? {
        let isOfType = edit.place.count > 1 && edit.place[0] == "types"
        let focused = isOfType ? root.withUnions(of: edit.place[1]) : nil
        return ProofFocus(root: focused ?? root, edit: edit).withTakenValues ?? focused
    }

    private var withTakenValues: PrintedNode? {
        if ["type.enum.*", "union.cases.*"].contains(edit.slot) {
            guard [.removed, .changed].contains(edit.kind) else { return nil }
            return takenCases?.applied(to: root.withoutDefaults(of: edit.place))
        }
        if let key = Self.bounds.first(where: { edit.slot.hasSuffix("." + $0) }) {
            let owner = edit.place.last == key ? Array(edit.place.dropLast()) : edit.place
            return outsideBounds(key, of: owner)?.applied(to: root)
        }
        // A field as a whole, which gets bounds beside others of its keys.
        guard edit.kind == .changed, case .mapping(let pairs)? = edit.value,
            Self.type(of: root.node(at: edit.place[...])) == Self.type(of: edit.value)
        else { return nil }
        return Self.bounds.filter { key in pairs.contains { $0.key == key } }.lazy
            .compactMap { outsideBounds($0, of: edit.place)?.applied(to: root) }.first
    }

    /// The type of a field, without its default: a value of another type is none for the client from before the edit.
    private static func type(of field: PrintedNode?) -> Substring? {
        guard let field else { return nil }
        let text = ContractPrinter.flow(field.node(at: ["type"]) ?? field)
        return text.firstRange(of: " = ").map { text[..<$0.lowerBound] } ?? text[...]
    }

    private static let bounds = ["range", "length", "items"]

    /// The cases of an enum or of a union that are gone, or have another value.
    private var takenCases: ContractEdit? {
        var place = edit.place
        let cases: PrintedNode
        if case .list(let before)? = root.node(at: place[...]), case .list(let after)? = edit.value {
            let kept = Set(after.map { ContractPrinter.flow($0) })
            cases = .list(before.filter { !kept.contains(ContractPrinter.flow($0)) })
        } else {
            let name = place.popLast()
            guard case .mapping(let before)? = root.node(at: place[...]) else { return nil }
            cases = .mapping(before.filter { $0.key == name })
        }
        return ContractEdit(slot: edit.slot, kind: .changed, place: place, value: cases)
    }

    /// A value that the bounds from before the edit have, and those from after it do not.
    ///
    /// - Parameters:
    ///   - key: the key of the bounds.
    ///   - owner: the place of the field or the type that has them.
    private func outsideBounds(_ key: String, of owner: [String]) -> ContractEdit? {
        let before = root.node(at: owner[...])?.node(at: [key])
        let isCount = key != "range"
        guard case .mapping(let pairs)? = edit.applied(to: root).node(at: owner[...]),
            let after = pairs.first(where: { $0.key == key })?.value,
            let value = Bounds(before, isCount).value(outsideOf: Bounds(after, isCount), isCount)
        else { return nil }
        // A bound can be too large for an integer.
        let exact = Int(exactly: value).map { "\($0)" } ?? "\(value)"
        // A default within the bounds would be outside of these.
        let others = pairs.filter { $0.key != "default" }.map { name, node -> (key: String, value: PrintedNode) in
            if name == key { return (name, .plain("\(exact)..\(exact)")) }
            if name == "type", case .type(let text) = node, let equals = text.firstRange(of: " = ") {
                return (name, .type(String(text[..<equals.lowerBound])))
            }
            return (name, node)
        }
        return ContractEdit(slot: edit.slot, kind: .changed, place: owner, value: .mapping(others))
    }

    private struct Bounds {
        var lower: Double?
        var upper: Double?

        init(_ node: PrintedNode?, _ isCount: Bool) {
            let text = node.map { ContractPrinter.flow($0) } ?? ""
            guard let dots = text.firstRange(of: "..") else {
                (lower, upper) = (Double(text), Double(text))
                if isCount, lower == nil { lower = 0 }
                return
            }
            lower = Double(text[..<dots.lowerBound]) ?? (isCount ? 0 : nil)
            upper = Double(text[dots.upperBound...])
        }

        func value(outsideOf other: Bounds, _ isCount: Bool) -> Double? {
            if let most = other.upper, upper.map({ $0 > most }) ?? true {
                return isCount ? most + 1 : upper ?? most + 1
            }
            if let least = other.lower, lower.map({ $0 < least }) ?? true {
                return isCount ? least - 1 : lower ?? least - 1
            }
            return nil
        }
    }
}

extension PrintedNode {
    /// The contract, in which the unions with a case of a type have no other. Nil if there are none.
    fileprivate func withUnions(of type: String) -> PrintedNode? {
        func isOfType(_ node: PrintedNode) -> Bool {
            switch node {
            case .text(let text), .type(let text): text == type
            default: false
            }
        }
        var isFocused = false
        func focused(_ parts: [(key: String, value: PrintedNode)]) -> PrintedNode {
            .mapping(
                parts.map { key, value in
                    guard ["cases", "keys", "kinds"].contains(key), case .mapping(let cases) = value else {
                        return (key, value)
                    }
                    let chosen = cases.filter { isOfType($0.value) }
                    guard !chosen.isEmpty, chosen.count < cases.count else { return (key, value) }
                    isFocused = true
                    return (key, .mapping(chosen))
                })
        }
        guard case .mapping(let pairs) = self else { return nil }
        let all = pairs.map { key, value -> (key: String, value: PrintedNode) in
            if key == "union", case .mapping(let parts) = value { return (key, focused(parts)) }
            guard let inner = value.withUnions(of: type) else { return (key, value) }
            isFocused = true
            return (key, inner)
        }
        return isFocused ? .mapping(all) : nil
    }

    /// The contract, in which no field of the type at a place has a default, because its case may be none of those that are left.
    fileprivate func withoutDefaults(of place: [String]) -> PrintedNode {
        guard place.count > 1, place[0] == "types" else { return self }
        func isOfType(_ text: String) -> Bool {
            text.prefix { $0.isLetter || $0.isNumber || $0 == "_" } == place[1]
        }
        switch self {
        case .type(let text), .text(let text):
            guard isOfType(text), let equals = text.firstRange(of: " = ") else { return self }
            return .type(String(text[..<equals.lowerBound]))
        case .mapping(let pairs):
            let isField = pairs.contains { key, node in
                if key == "type", case .type(let text) = node { isOfType(text) } else { false }
            }
            return .mapping(
                pairs.filter { !isField || $0.key != "default" }.map { ($0.key, $0.value.withoutDefaults(of: place)) })
        case .list(let nodes): return .list(nodes.map { $0.withoutDefaults(of: place) })
        default: return self
        }
    }

    /// The part at a place; nil if there is none.
    func node(at place: ArraySlice<String>) -> PrintedNode? {
        guard let key = place.first else { return self }
        guard case .mapping(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value.node(at: place.dropFirst())
    }
}
