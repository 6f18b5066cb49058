import YAMLTree

/// A query of JSONPath (RFC 9535): names, indexes, wildcards, descendants, and filters that compare with a constant. Published overlays
/// use no more.
struct JSONPath {
    var segments: [Segment] = []

    struct Segment {
        /// Whether it selects from all descendants (`..`), and not only from the children.
        var isDeep = false
        var selectors: [Selector]
    }

    enum Selector {
        case name(String)
        case index(Int)
        case all
        case filter(Condition)
    }

    typealias Condition = (inout Search, YAMLNode) -> Bool

    /// Whether it selects at most one node, as the side of a comparison must.
    var isSingular: Bool {
        segments.allSatisfy { segment in
            switch segment.selectors[0] {
            case .name, .index: !segment.isDeep && segment.selectors.count == 1
            case .all, .filter: false
            }
        }
    }

    /// A selected node, and the positions of its ancestors and itself, from the root.
    struct Match {
        let node: YAMLNode
        var place: [Int] = []
    }

    /// Carries queries out, as long as there are steps left.
    struct Search {
        var stepsLeft: Int

        mutating func matches(of path: JSONPath, in root: YAMLNode) -> [Match] {
            var found = [Match(node: root)]
            for segment in path.segments {
                var next: [Match] = []
                for match in found { select(segment, match, &next) }
                found = next
            }
            return found
        }

        private mutating func select(_ segment: Segment, _ match: Match, _ found: inout [Match]) {
            let (mapping, sequence) = (match.node.mapping, match.node.sequence)
            let children = 0..<(mapping?.count ?? sequence?.count ?? 0)
            func child(_ position: Int) -> Match {
                Match(
                    node: mapping?[position].value ?? sequence?[position] ?? match.node, place: match.place + [position]
                )
            }
            stepsLeft -= 1
            for selector in segment.selectors where stepsLeft > 0 {
                switch selector {
                case .name(let name): found += mapping?.position(ofKey: name).map { [child($0)] } ?? []
                case .index(let index):
                    let position = index < 0 ? children.count &+ index : index
                    if mapping == nil, children.contains(position) { found.append(child(position)) }
                case .all:
                    stepsLeft -= children.count
                    found += children.map(child)
                case .filter(let condition):
                    stepsLeft -= children.count
                    found += children.map(child).filter { condition(&self, $0.node) }
                }
            }
            guard segment.isDeep else { return }
            for position in children where stepsLeft > 0 { select(segment, child(position), &found) }
        }
    }
}
