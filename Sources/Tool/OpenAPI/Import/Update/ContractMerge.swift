import Diagnostics
import YAMLTree

/// A newer import brought into a contract that people have edited.
///
///     base (the last import) ─┐
///     own (as it is now)     ─┼─▶ edits of the own text, and what both have changed
///     new (this import)      ─┘
///
/// Changes that only the document has made are applied, edits that only people have made are kept, and conflicting edits are kept
/// and are a finding. Values are compared in their normal form, not in their spelling, and everything else of the text is left as
/// it is: comments, order, blank lines.
///
/// Architecture invariant: nothing that people wrote is changed or removed, but for list elements and entries that the document
/// had and has no more.
package struct ContractMerge {
    package struct Result {
        /// The contract; the own text if nothing has changed.
        package var text: String
        package var findings: [Diagnostic] = []
        /// How many values were changed, added or removed.
        package var changeCount = 0
    }

    let file: String
    let lines: [Substring]
    private let document: YAMLDocument
    var edits: TextEdits
    var findings: [Diagnostic] = []
    /// The new names of endpoints that people have not edited, by their names in the contract.
    private var successors: [String: String] = [:]

    /// - Parameter file: the contract's path, for findings.
    /// - Returns: `nil` if one of the texts isn't a YAML mapping.
    package static func merged(base: String, own: String, new: String, file: String) -> Result? {
        func parsed(_ text: String) -> YAMLDocument? {
            let document = YAMLParser().parse(Array(text.utf8), file: file).document
            return document?.root.kind == .mapping ? document : nil
        }
        guard let base = parsed(base), let newer = parsed(new), let document = parsed(own) else { return nil }
        var merge = ContractMerge(file: file, own, document)
        let written = MergeNode(document.root, lines: merge.lines)
        let own = (MergeNode.printed(document)?.withComments(of: written) ?? written).normal()
        let old = MergeNode.printed(base) ?? MergeNode(base.root, lines: [])
        let new = MergeNode(newer.root, lines: split(new))
        let renames = MergeRenames(base: old.normal(), own: own)
        let named = renames.applied(to: old).normal()
        let moves = EndpointMoves.found(from: old.normal(), to: new.normal())
        let kept = merge.kept(moves, base: named, own, new, renames)
        let fields = FieldRenames(base: named, own: own)
        merge.mapping(
            [], base: fields.applied(to: named), document.root, own: own,
            new: fields.applied(to: renames.adding(kept).applied(to: new).normal()))
        return Result(text: merge.edits.applied(), findings: merge.findings, changeCount: merge.edits.count)
    }

    private init(file: String, _ text: String, _ document: YAMLDocument) {
        (self.file, self.document) = (file, document)
        lines = Self.split(text)
        edits = TextEdits(text)
    }

    private static func split(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    // MARK: Endpoints

    /// The endpoints that the newer document has under another name, and that stay because people have edited them.
    private mutating func kept(
        _ moves: [String: String], base: MergeNode, _ own: MergeNode, _ new: MergeNode, _ renames: MergeRenames
    ) -> [String: String] {
        var kept: [String: String] = [:]
        for (old, current) in moves.sorted(by: { $0.key < $1.key }) {
            let name = renames.name(old, .endpoint)
            guard let ours = own["endpoints"]?[name], own["endpoints"]?[current] == nil || name == current else {
                continue
            }
            guard name != old || ours != base["endpoints"]?[name] else {
                successors[name] = current
                continue
            }
            kept[old] = current
            guard name != current, let request = new["endpoints"]?[current].flatMap(EndpointMoves.request),
                let pair = document.root.mapping?["endpoints"]?.mapping?.pair(forKey: name)
            else { continue }
            let place = "`\(current)` (`\(request.method): \(request.path)`)"
            conflict(
                pair.key.range,
                "the document now has this endpoint as \(place); its name and its edits are kept",
                help: "name it `\(current)`, or keep the name")
        }
        return kept
    }

    // MARK: Mappings

    private mutating func mapping(
        _ path: [String], base: MergeNode?, _ node: YAMLNode, own: MergeNode?, new: MergeNode
    ) {
        guard let mapping = node.mapping, let newPairs = new.pairs else { return }
        func byKey(_ node: MergeNode?) -> [String: MergeNode] {
            Dictionary((node?.pairs ?? []).map { ($0.key, $0.value) }) { first, _ in first }
        }
        let (baseByKey, ownByKey, newByKey) = (byKey(base), byKey(own), byKey(new))
        for pair in mapping {
            guard let key = pair.key.text else { continue }
            value(path + [key], base: baseByKey[key], pair, own: ownByKey[key], new: newByKey[key], in: mapping)
        }
        // A new entry follows the same neighbor as in the document.
        var added: [MergeNode.Pair] = []
        var before: String?
        for pair in newPairs {
            guard mapping[pair.key] == nil else {
                if !added.isEmpty { edits.add(added, after: before, to: mapping, lines) }
                (added, before) = ([], pair.key)
                continue
            }
            guard let old = baseByKey[pair.key] else {
                added.append(pair)
                continue
            }
            if old != pair.value { conflictWithRemoval(path + [pair.key], node.range) }
        }
        if !added.isEmpty { edits.add(added, after: before, to: mapping, lines) }
    }

    private mutating func value(
        _ path: [String], base: MergeNode?, _ pair: YAMLPair, own: MergeNode?, new: MergeNode?, in mapping: YAMLMapping
    ) {
        guard new != base, new != own else { return }
        // The text of an alias is at another place, which other aliases may refer to as well.
        guard pair.value.aliasRange == nil else {
            return conflict(
                pair.key.range, "the document has changed `\(name(path))`, which is an alias of YAML here")
        }
        guard let new else {
            guard own == base else {
                return conflict(
                    pair.key.range, "the document no longer has `\(name(path))`, which was edited here and is kept")
            }
            if path.count == 2, path[0] == "endpoints" { noteRemoval(of: path[1]) }
            return edits.remove(pair, from: mapping, lines)
        }
        if let inner = Self.parts(base: base, own, pair.value, new) {
            return self.mapping(path, base: inner.base, pair.value, own: inner.own, new: inner.new)
        }
        var changed = MergeNode.Pair(key: path.last ?? "", value: new)
        // The comments in a mapping stay, also if its values are those of the last import.
        if own != base || pair.value.kind == .mapping {
            guard let own else { return conflictWithRemoval(path, pair.key.range) }
            guard let merged = merge(path, base: base, own, new, at: pair), merged != own else { return }
            (changed.value, changed.isInLines) = (merged, pair.value.mapping?.isFlow == false)
        }
        edits.replace(pair, in: mapping, by: changed, lines)
    }

    /// The values whose pairs are those of a mapping in the text; nil if they are written in other forms.
    private static func parts(
        base: MergeNode?, _ own: MergeNode?, _ node: YAMLNode, _ new: MergeNode
    ) -> (base: MergeNode?, own: MergeNode?, new: MergeNode)? {
        guard node.kind == .mapping, new.pairs != nil, base == nil || base?.pairs != nil else { return nil }
        // The text may have the fields alone.
        guard case .short(.mapping, let pairs)? = own, node.mapping?["fields"] == nil else { return (base, own, new) }
        guard pairs.count == 1, let fields = new[pairs[0].key], new.pairs?.count == 1,
            base == nil || base?.pairs?.count == 1
        else { return nil }
        return (base?[pairs[0].key], pairs[0].value, fields)
    }

    // MARK: Values

    /// The value with the changes of both; nil after a finding.
    private mutating func merge(
        _ path: [String], base: MergeNode?, _ own: MergeNode, _ new: MergeNode, at pair: YAMLPair
    ) -> MergeNode? {
        if let one = base?.texts, let texts = own.texts, let other = new.texts, Set(texts).count == texts.count {
            let gone = Set(one).subtracting(other)
            let more = other.filter { !one.contains($0) && !texts.contains($0) }
            return .list((texts.filter { !gone.contains($0) } + more).map { .scalar($0) })
        }
        let isCommented = pair.value.kind == .mapping && document.hasCommentsBesideText(in: pair.value.range)
        guard let ownPairs = own.pairs, let newPairs = new.pairs, base == nil || base?.pairs != nil, !isCommented else {
            let before = base.map { "`\(Self.short($0))`" } ?? "nothing"
            let change = "changed `\(name(path))` from \(before) to `\(Self.short(new))`"
            conflict(pair.value.range, "the document has \(change), but this contract has `\(Self.short(own))`")
            return nil
        }
        var pairs: [MergeNode.Pair] = []
        for var ownPair in ownPairs {
            let (old, other) = (base?[ownPair.key], new[ownPair.key])
            if other != old, other != ownPair.value {
                guard let other else {
                    if ownPair.value == old { continue }
                    conflict(
                        pair.key.range,
                        "the document no longer has `\(name(path + [ownPair.key]))`, which was edited here and is kept")
                    pairs.append(ownPair)
                    continue
                }
                ownPair.value =
                    ownPair.value == old
                    ? other : merge(path + [ownPair.key], base: old, ownPair.value, other, at: pair) ?? ownPair.value
            }
            pairs.append(ownPair)
        }
        for newPair in newPairs where own[newPair.key] == nil {
            switch base?[newPair.key] {
            case nil: pairs.append(newPair)
            case newPair.value?: break
            case _?: conflictWithRemoval(path + [newPair.key], pair.value.range)
            }
        }
        if case .short = own {
            let order = Dictionary(newPairs.enumerated().map { ($1.key, $0) }) { first, _ in first }
            pairs.sort { order[$0.key, default: .max] < order[$1.key, default: .max] }
        }
        return .mapping(pairs)
    }

    // MARK: Findings

    private func name(_ path: [String]) -> String { path.joined(separator: ".") }

    private static func short(_ node: MergeNode) -> String {
        let line = node.line
        return line.count > 60 ? line.prefix(57) + "…" : line
    }

    private mutating func conflict(
        _ range: SourceRange, _ message: String, help: String = "keep it, or write the document's value"
    ) {
        findings.append(Diagnostic(rule: .openAPIUpdateConflict, message: message, at: range, help: help))
    }

    /// People have taken out what the document has changed.
    private mutating func conflictWithRemoval(_ path: [String], _ range: SourceRange) {
        conflict(range, "the document has changed `\(name(path))`, which this contract does not have")
    }

    private mutating func noteRemoval(of endpoint: String) {
        let place = successors[endpoint].map { ", and `\($0)` takes its place" } ?? ""
        let message = "the document no longer has the endpoint `\(endpoint)`, so it is removed" + place
        findings.append(Diagnostic(rule: .openAPIUpdateRemoved, message: message, file: file))
    }
}

extension YAMLDocument {
    /// Whether a comment in a range is on a line with other text.
    fileprivate func hasCommentsBesideText(in range: SourceRange) -> Bool {
        comments.contains {
            !$0.isAlone && range.start.offset <= $0.range.start.offset && $0.range.start.offset < range.end.offset
        }
    }
}
