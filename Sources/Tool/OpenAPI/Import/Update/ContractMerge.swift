import Diagnostics
import YAMLTree

/// A newer import brought into a contract that people have edited.
///
///     base (the last import) ─┐
///     own (as it is now)     ─┼─▶ edits of the own text, and what both have changed
///     new (this import)      ─┘
///
/// Changes that only the document has made are applied, edits that only people have made are kept, and conflicting edits are kept
/// and are a finding. Values are compared and not their layout, and everything else of the text is left as it is: comments,
/// order, blank lines.
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
    var edits = TextEdits()
    var findings: [Diagnostic] = []

    /// - Parameter file: the contract's path, for findings.
    /// - Returns: `nil` if one of the texts isn't a YAML mapping.
    package static func merged(base: String, own: String, new: String, file: String) -> Result? {
        func parsed(_ text: String) -> YAMLDocument? {
            YAMLParser().parse(Array(text.utf8), file: file).document
        }
        guard let baseRoot = parsed(base)?.root, let newRoot = parsed(new)?.root, let ownRoot = parsed(own)?.root,
            ownRoot.kind == .mapping
        else { return nil }
        func split(_ text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        }
        let ownLines = split(own)
        let ownNode = MergeNode(ownRoot, lines: ownLines)
        let baseNode = MergeNode(baseRoot, lines: split(base))
        let renames = MergeRenames(base: baseNode, own: ownNode)
        let named = renames.applied(to: baseNode)
        let fields = FieldRenames(base: named, own: ownNode)
        var merge = ContractMerge(file: file, lines: ownLines)
        merge.edits = TextEdits(own)
        merge.mapping(
            [], base: fields.applied(to: named), ownRoot,
            new: fields.applied(to: renames.applied(to: MergeNode(newRoot, lines: split(new)))))
        return Result(
            text: merge.edits.applied(), findings: merge.findings, changeCount: merge.edits.count)
    }

    private init(file: String, lines: [Substring]) {
        self.file = file
        self.lines = lines
    }

    // MARK: Mappings

    private mutating func mapping(_ path: [String], base: MergeNode?, _ own: YAMLNode, new: MergeNode) {
        guard let mapping = own.mapping, let newPairs = new.pairs else { return }
        let basePairs = base?.pairs ?? []
        let baseByKey = Dictionary(basePairs.map { ($0.key, $0.value) }) { first, _ in first }
        let newByKey = Dictionary(newPairs.map { ($0.key, $0.value) }) { first, _ in first }
        for pair in mapping {
            guard let key = pair.key.text else { continue }
            value(path + [key], base: baseByKey[key], pair, new: newByKey[key], in: mapping)
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
            // People have taken it out.
            if old != pair.value {
                conflict(
                    path + [pair.key], at: own.range,
                    "the document has changed `\(name(path + [pair.key]))`, which this contract does not have")
            }
        }
        if !added.isEmpty { edits.add(added, after: before, to: mapping, lines) }
    }

    private mutating func value(
        _ path: [String], base: MergeNode?, _ pair: YAMLPair, new: MergeNode?, in mapping: YAMLMapping
    ) {
        let own = MergeNode(pair.value, lines: lines)
        guard new != base, new != own else { return }
        // The text of an alias is at another place, which other aliases may refer to as well.
        guard pair.value.aliasRange == nil else {
            return conflict(
                path, at: pair.key.range, "the document has changed `\(name(path))`, which is an alias of YAML here")
        }
        guard let new else {
            guard own == base else {
                return conflict(
                    path, at: pair.key.range,
                    "the document no longer has `\(name(path))`, which was edited here and is kept")
            }
            if path.count == 2, path[0] == "endpoints" {
                note(path, "the document no longer has the endpoint `\(path[1])`, so it is removed")
            }
            return edits.remove(pair, from: mapping, lines)
        }
        if pair.value.kind == .mapping, new.pairs != nil, base == nil || base?.pairs != nil {
            return self.mapping(path, base: base, pair.value, new: new)
        }
        if own == base {
            return edits.replace(pair, in: mapping, by: MergeNode.Pair(key: path.last ?? "", value: new), lines)
        }
        if let one = base?.texts, let texts = own.texts, let other = new.texts, Set(texts).count == texts.count {
            let gone = Set(one).subtracting(other)
            let more = other.filter { !one.contains($0) && !texts.contains($0) }
            let merged = MergeNode.list((texts.filter { !gone.contains($0) } + more).map { .scalar($0) })
            guard merged != own else { return }
            return edits.replace(pair, in: mapping, by: MergeNode.Pair(key: path.last ?? "", value: merged), lines)
        }
        let before = base.map { "`\(Self.short($0))`" } ?? "nothing"
        conflict(
            path, at: pair.value.range,
            "the document has changed `\(name(path))` from \(before) to `\(Self.short(new))`, but this contract has `\(Self.short(own))`"
        )
    }

    // MARK: Findings

    private func name(_ path: [String]) -> String { path.joined(separator: ".") }

    private static func short(_ node: MergeNode) -> String {
        let line = node.line
        return line.count > 60 ? line.prefix(57) + "…" : line
    }

    private mutating func conflict(_ path: [String], at range: SourceRange, _ message: String) {
        findings.append(
            Diagnostic(
                rule: .openAPIUpdateConflict, message: message, at: range,
                help: "keep it, or write the document's value"))
    }

    private mutating func note(_ path: [String], _ message: String) {
        findings.append(Diagnostic(rule: .openAPIUpdateRemoved, message: message, file: file))
    }
}
