import Diagnostics
import YAMLTree

/// Applies overlays to a document, one action after the other. Each part of the result keeps its place in its own file.
struct OverlayMerge {
    private static let deepest = 200
    private let findings: ImportFindings
    private var root: YAMLNode
    private var search: JSONPath.Search
    /// How many nodes may be added.
    private var nodesLeft = 1_000_000
    private var isValid = true

    /// The document with the changes of actions; nil if one of them has an error, which has been reported.
    static func applied(
        _ actions: [OverlayAction], to root: Element, _ findings: ImportFindings, mostSteps: Int
    ) -> YAMLNode? {
        let search = JSONPath.Search(stepsLeft: mostSteps)
        var merge = OverlayMerge(findings: findings, root: root.withoutMerges, search: search)
        for action in actions where merge.search.stepsLeft > 0 && merge.nodesLeft > 0 { merge.apply(action) }
        return merge.isValid ? merge.root : nil
    }

    private mutating func apply(_ action: OverlayAction) {
        let matches = search.matches(of: action.target, in: root)
        guard !matches.isEmpty || search.stepsLeft <= 0 else {
            let target = action.element["target"] ?? action.element
            return findings.add(.openAPIOverlayUnmatched, "`\(target.text ?? "")` selects nothing", at: target)
        }
        var value = action.update
        if let source = action.source {
            let found = search.matches(of: source, in: root)
            if found.count != 1 { return fail("`copy` selects \(found.count) nodes, and not one", action) }
            value = found.first?.node
        }
        if value == nil, matches.contains(where: \.place.isEmpty) { return fail("the root cannot be removed", action) }
        if value != nil, Set(matches.map(\.node.kind)).count > 1 {
            return fail("the targets are not all mappings, all lists or all values", action)
        }
        root = changed(root, matches.map { $0.place[...] }, by: value, depth: 0) ?? root
        if nodesLeft <= 0 || search.stepsLeft <= 0 { fail("the document is too large or too deep for it", action) }
    }

    /// The node with a value merged into those at the places, in one pass; without a value, they are removed.
    private mutating func changed(
        _ node: YAMLNode, _ places: [ArraySlice<Int>], by value: YAMLNode?, depth: Int
    ) -> YAMLNode? {
        var node = node
        let below = Dictionary(grouping: places.filter { !$0.isEmpty }) { $0[$0.startIndex] }
        if !below.isEmpty {
            let children = Self.children(of: node)
            search.stepsLeft -= children.count
            let values: [YAMLNode?] = children.enumerated().map { position, child in
                guard let inner = below[position]?.map({ $0.dropFirst() }) else { return child }
                return changed(child, inner, by: value, depth: depth + 1)
            }
            if let mapping = node.mapping, values.contains(where: { $0 == nil }) {
                node = node.withPairs(
                    zip(mapping, values).compactMap { pair, value in value.map { YAMLPair(key: pair.key, value: $0) } })
            } else {
                node = Self.node(node, with: values.compactMap { $0 })
            }
        }
        guard places.contains(where: \.isEmpty) else { return node }
        return value.map { merged(node, copy(of: $0, depth: depth)) }
    }

    private mutating func merged(_ target: YAMLNode, _ value: YAMLNode, isTarget: Bool = true) -> YAMLNode {
        // A key without a value says nothing.
        if value.isAbsent { return target }
        if target.isAbsent { return value }
        if let elements = target.sequence, isTarget || value.kind == .sequence {
            return target.withElements(elements + (value.sequence.map(Array.init) ?? [value]))
        }
        if let old = target.mapping, let new = value.mapping {
            var pairs = Array(old)
            for pair in new {
                if let position = old.position(ofKey: pair.key.text ?? "") {
                    let inner = merged(old[position].value, pair.value, isTarget: false)
                    pairs[position] = YAMLPair(key: old[position].key, value: inner)
                } else {
                    pairs.append(pair)
                }
            }
            return target.withPairs(pairs)
        }
        if target.kind != .scalar || value.kind != .scalar {
            let message = "\(value.kindName) cannot be merged into \(target.kindName) of the document"
            let place = DiagnosticNote("the value of the document", at: target.range)
            let help = "remove the value in an action before this one"
            isValid = false
            findings.add(
                Diagnostic(rule: .openAPIOverlayInvalid, message: message, at: value.range, notes: [place], help: help))
        }
        return value
    }

    /// A copy whose collections are none of the original, so that it can be told apart from it.
    private mutating func copy(of node: YAMLNode, depth: Int) -> YAMLNode {
        nodesLeft = depth < Self.deepest ? nodesLeft - 1 : 0
        guard nodesLeft > 0, node.kind != .scalar else { return node }
        return Self.node(node, with: Self.children(of: node).map { copy(of: $0, depth: depth + 1) })
    }

    private static func children(of node: YAMLNode) -> [YAMLNode] {
        node.mapping?.map(\.value) ?? node.sequence.map(Array.init) ?? []
    }

    private static func node(_ node: YAMLNode, with children: [YAMLNode]) -> YAMLNode {
        node.kind == .mapping ? node.withValues(children) : node.withElements(children)
    }

    private mutating func fail(_ message: String, _ action: OverlayAction) {
        isValid = false
        findings.add(.openAPIOverlayInvalid, message, at: action.element)
    }
}
