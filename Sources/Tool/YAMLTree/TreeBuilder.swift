import CLibYAML
import Diagnostics

/// libyaml's events → the rows of a ``NodeTable``.
///
/// Works with a stack of open collections instead of recursion, so that the depth of a file costs heap and not stack.
struct TreeBuilder {
    /// A collection whose end has not been seen.
    struct Frame {
        let row: UInt32
        let isMapping: Bool
        /// Where its children begin in `pending`.
        let firstPending: Int
        let anchor: String?
        /// Nodes in it, itself included, aliases followed.
        var size = 1
        /// Levels of collections in it, aliases followed.
        var height = 0
        var keys = KeyRegister()
    }

    /// The node and state of a name after `&`.
    struct Anchor {
        let row: UInt32
        var isOpen: Bool
        var size: Int
        var height: Int
    }

    let source: SourceText
    let limits: YAMLParser.Limits
    var table = NodeTable()
    private(set) var diagnostics: [Diagnostic] = []
    /// How many findings were left out because there were too many.
    private(set) var unreported = 0
    var frames: [Frame] = []
    private(set) var root: UInt32?
    /// The node that was completed last, for the words about a syntax error after it.
    private(set) var lastFinished: UInt32?
    /// Where reading stopped: the end of the file, or the second document.
    private(set) var end: Int

    private var latestMark: (mark: Int, offset: Int)
    private var pending: [UInt32] = []
    private var anchors: [String: Anchor] = [:]
    private var aliasedNodes = 0
    private var aliasesAreExhausted = false

    /// Whether to read on.
    enum Step {
        case goOn, finished, refused
    }

    init(source: SourceText, limits: YAMLParser.Limits) {
        self.source = source
        self.limits = limits
        end = source.bytes.count
        latestMark = (0, source.lineStart(1))
        table.rows.reserveCapacity(source.bytes.count / 12 + 4)
        table.children.reserveCapacity(source.bytes.count / 12 + 4)
    }

    mutating func take(_ event: borrowing yaml_event_t) -> Step {
        let start = offset(of: event.start_mark)
        switch event.type {
        case YAML_DOCUMENT_START_EVENT:
            guard root == nil else {
                report(multipleDocuments(at: start))
                end = start
                return .finished
            }
        case YAML_SCALAR_EVENT:
            takeScalar(event, start)
        case YAML_SEQUENCE_START_EVENT:
            let data = event.data.sequence_start
            let isFlow = data.style == YAML_FLOW_SEQUENCE_STYLE
            return open(start, isMapping: false, isFlow: isFlow, anchor: data.anchor, tag: data.tag)
        case YAML_MAPPING_START_EVENT:
            let data = event.data.mapping_start
            let isFlow = data.style == YAML_FLOW_MAPPING_STYLE
            return open(start, isMapping: true, isFlow: isFlow, anchor: data.anchor, tag: data.tag)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            close(endMark: offset(of: event.end_mark))
        case YAML_ALIAS_EVENT:
            takeAlias(event, start)
        case YAML_STREAM_END_EVENT:
            return .finished
        default:
            break
        }
        return .goOn
    }

    /// Keeps a finding, unless the file has so many that more would not help and only cost memory.
    mutating func report(_ diagnostic: Diagnostic) {
        if diagnostics.count < limits.diagnostics {
            diagnostics.append(diagnostic)
        } else {
            unreported += 1
        }
    }

    private mutating func offset(of mark: yaml_mark_t) -> Int {
        let index = Int(mark.index)
        let offset = source.offset(ofMark: index, after: latestMark)
        latestMark = (index, offset)
        return offset
    }

    // MARK: Scalars

    private mutating func takeScalar(_ event: borrowing yaml_event_t, _ start: Int) {
        let data = event.data.scalar
        let row = UInt32(table.rows.count)
        var end = offset(of: event.end_mark)
        var start = start
        let anchor = takeProperties(row, &start, end, anchor: data.anchor, tag: data.tag)
        let style: YAMLScalar.Style =
            switch data.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        if style == .literal || style == .folded { end = endOfBlock(start, end) }

        let value = UnsafeBufferPointer(start: data.value, count: data.length)
        let isQuoted = style == .singleQuoted || style == .doubleQuoted
        let inner = isQuoted ? start + 1 : start
        var content = NodeTable.Row(
            start: UInt32(start), end: UInt32(end), first: UInt32(inner), count: UInt32(value.count), kind: .scalar)
        content.style = style
        if !isVerbatim(value, at: inner, end: isQuoted ? end - 1 : end) {
            content.isDecoded = true
            content.first = UInt32(table.values.count)
            table.values.append(contentsOf: value)
        }
        table.rows.append(content)
        if let anchor {
            anchors[anchor] = Anchor(row: row, isOpen: false, size: 1, height: 0)
            if start == end, style == .plain { report(anchorWithoutValue(row)) }
        }
        finish(row, size: 1, height: 0)
    }

    private func isVerbatim(_ value: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
        guard end - start == value.count else { return false }
        return source.bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<value.count where value[index] != bytes[start + index] { return false }
            return true
        }
    }

    /// libyaml ends a block scalar where the next token begins; its own text ends with its last line that is not blank.
    private func endOfBlock(_ start: Int, _ end: Int) -> Int {
        var end = end
        var lastText = end
        while end > start + 1 {
            if isLineBreak(source.bytes[end - 1]) {
                lastText = end - 1
            } else if source.bytes[end - 1] != 0x20 {
                break
            }
            end -= 1
        }
        return lastText
    }

    // MARK: Collections

    private mutating func open(
        _ start: Int, isMapping: Bool, isFlow: Bool, anchor: UnsafePointer<UInt8>?, tag: UnsafePointer<UInt8>?
    ) -> Step {
        var start = start
        let row = UInt32(table.rows.count)
        // The event of a collection ends with the token that opens it. Its properties precede that token.
        let limit = anchor == nil && tag == nil ? start : source.bytes.count
        let name = takeProperties(row, &start, limit, anchor: anchor, tag: tag, isCollection: true)
        guard frames.count < limits.depth else {
            report(tooDeep(source.range(start, start + 1)))
            return .refused
        }
        var content = NodeTable.Row(
            start: UInt32(start), end: UInt32(start), first: 0, count: 0, kind: isMapping ? .mapping : .sequence)
        content.isFlow = isFlow
        table.rows.append(content)
        if let name { anchors[name] = Anchor(row: row, isOpen: true, size: 0, height: 0) }
        frames.append(Frame(row: row, isMapping: isMapping, firstPending: pending.count, anchor: name))
        return .goOn
    }

    private mutating func close(endMark: Int) {
        guard let frame = frames.popLast() else { return }
        let row = Int(frame.row)
        let count = pending.count - frame.firstPending
        table.rows[row].first = UInt32(table.children.count)
        table.rows[row].count = UInt32(count)
        var lastEnd = table.rows[row].start
        for index in frame.firstPending..<pending.count {
            lastEnd = max(lastEnd, table.rows[Int(pending[index])].end)
            table.children.append(pending[index])
        }
        pending.removeLast(count)
        // libyaml ends a block collection where the next token begins; its own text ends with its last child.
        if table.rows[row].isFlow && endMark > Int(table.rows[row].start) {
            table.rows[row].end = UInt32(endMark)
        } else {
            table.rows[row].end = lastEnd
        }
        if let index = frame.keys.index { table.keyIndexes[frame.row] = index }
        if let name = frame.anchor, anchors[name]?.row == frame.row {
            anchors[name] = Anchor(row: frame.row, isOpen: false, size: frame.size, height: frame.height + 1)
        }
        finish(frame.row, size: frame.size, height: frame.height + 1)
    }

    /// A node is complete: it becomes a child of the collection that is open, or the root.
    private mutating func finish(_ row: UInt32, size: Int, height: Int) {
        lastFinished = row
        guard let top = frames.indices.last else {
            if root == nil { root = row }
            return
        }
        let position = pending.count - frames[top].firstPending
        pending.append(row)
        frames[top].size += size
        frames[top].height = max(frames[top].height, height)
        if frames[top].isMapping, position.isMultiple(of: 2) { checkKey(row, at: position / 2, in: top) }
    }

    private mutating func checkKey(_ row: UInt32, at position: Int, in frame: Int) {
        let key = table.resolved(row)
        if let problem = keyProblem(row, key) {
            report(problem)
        } else if table.rows[Int(key)].kind == .scalar {
            let previous = frames[frame].keys.insert(key, at: position, table: table, source: source)
            guard let previous else { return }
            let first = pending[frames[frame].firstPending + 2 * previous]
            table.repeating.insert(frames[frame].row)
            report(duplicateKey(row, first: first))
        }
    }

    // MARK: Anchors and aliases

    /// Moves `start` after anchor and tag, and remembers them.
    private mutating func takeProperties(
        _ row: UInt32, _ start: inout Int, _ end: Int, anchor: UnsafePointer<UInt8>?, tag: UnsafePointer<UInt8>?,
        isCollection: Bool = false
    ) -> String? {
        // `!` alone is a tag that libyaml does not mention.
        guard anchor != nil || tag != nil || (start < end && source.bytes[start] == UInt8(ascii: "!")) else {
            return nil
        }
        let properties = NodeProperties(source.bytes, from: start, to: end)
        start = properties.contentStart
        if let tag = properties.tag {
            table.tags[row] = tag
            report(tagRefused(tag, contentEnd: isCollection ? nil : end))
        }
        guard let anchor = properties.anchor else { return nil }
        table.anchors[row] = anchor
        if let earlier = anchors[anchor.text] { report(anchorRedefined(anchor, earlier.row)) }
        return anchor.text
    }

    private mutating func takeAlias(_ event: borrowing yaml_event_t, _ start: Int) {
        let name = event.data.alias.anchor.map { String(cString: $0) } ?? ""
        let end = offset(of: event.end_mark)
        let range = source.range(start, end)
        let row = UInt32(table.rows.count)
        var content = NodeTable.Row(start: UInt32(start), end: UInt32(end), first: 0, count: 0, kind: .unreadable)
        var size = 1
        var height = 0
        if let anchor = anchors[name] {
            if anchor.isOpen {
                report(recursiveAlias(name, range, anchor.row))
            } else if frames.count + anchor.height > limits.depth {
                report(tooDeep(range))
            } else if aliasesAreExhausted || aliasedNodes + anchor.size > limits.aliasedNodes {
                if !aliasesAreExhausted { report(tooManyAliasedNodes(range)) }
                aliasesAreExhausted = true
            } else {
                aliasedNodes += anchor.size
                content.kind = .alias
                content.first = anchor.row
                (size, height) = (anchor.size, anchor.height)
            }
        } else {
            report(unknownAlias(name, range, known: anchors.keys))
        }
        table.rows.append(content)
        finish(row, size: size, height: height)
    }
}

extension NodeTable {
    /// The row itself, or what it is an alias of.
    func resolved(_ row: UInt32) -> UInt32 {
        rows[Int(row)].kind == .alias ? rows[Int(row)].first : row
    }

    /// The value of a scalar.
    func text(of row: Row, in source: SourceText) -> String {
        let range = Int(row.first)..<Int(row.first + row.count)
        return String(decoding: row.isDecoded ? values[range] : source.bytes[range], as: UTF8.self)
    }
}
