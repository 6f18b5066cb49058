/// Where in a contract a place of the text is: the keys that lead there, and whether a key or a value is meant.
///
/// It is read from the text and its indentation, not from a tree, since a line that is being typed is seldom YAML.
struct CursorPath: Equatable {
    enum Role: Equatable {
        case key, value
        /// The only word of a line so far: it may become either.
        case undecided
        case comment
    }

    /// Of the mapping that the key belongs to, or down to the key whose value it is. Lists add nothing.
    var keys: [String]
    var role: Role
    /// The bytes of the scalar or comment around the place, with its quotes; empty without one.
    var word: Range<Int>
    /// Whether the key is followed by its colon.
    var hasColon = false

    init(at offset: Int, in text: DocumentText) {
        var scan = CursorScan(text.bytes, cursor: offset)
        self = scan.find()
    }

    init(keys: [String], role: Role, word: Range<Int>, hasColon: Bool = false) {
        self.keys = keys
        self.role = role
        self.word = word
        self.hasColon = hasColon
    }
}

/// Reads a text from its beginning to the cursor, by YAML's rules for indentation, braces, quotes and comments. An unclosed
/// construct ends at the first line that is indented no deeper than the key that it belongs to.
private struct CursorScan {
    private let bytes: [UInt8]
    private let cursor: Int
    private var position = 0
    private var lineStart = 0
    /// The block mappings and lists around the place. A list has no key.
    private var frames: [(column: Int, key: String?)] = []
    private var flows: [(isMapping: Bool, key: String?)] = []

    init(_ bytes: [UInt8], cursor: Int) {
        self.bytes = bytes
        self.cursor = min(max(cursor, 0), bytes.count)
    }

    mutating func find() -> CursorPath {
        while position < bytes.count {
            if let found = line() { return found }
            toNextLine()
        }
        return blank()
    }

    // MARK: Blocks

    private mutating func line() -> CursorPath? {
        lineStart = position
        skipBlanks()
        let end = endOfLine(position)
        if position == end || (at("#") && cursor < position) { return cursor <= end ? blank() : nil }
        if at("#") { return comment(to: end) }
        while at("-"), position + 1 >= bytes.count || isBlank(position + 1) || isBreak(position + 1) {
            let column = position - lineStart
            while let last = frames.last, last.column > column || (last.column == column && last.key == nil) {
                frames.removeLast()
            }
            frames.append((column, nil))
            position += 1
            skipBlanks()
            if cursor < position || (cursor == position && position == end) { return here(.undecided) }
        }
        guard position < end else { return nil }
        let column = position - lineStart
        while let last = frames.last, last.column >= column { frames.removeLast() }
        if cursor < position { return blank() }
        return entry(column)
    }

    /// `key: value`, or a value alone.
    private mutating func entry(_ column: Int) -> CursorPath? {
        if at("{") || at("[") { return flow() }
        let word = scalar(inFlow: false)
        let end = position
        skipBlanks()
        guard at(":"), position + 1 >= bytes.count || isBlank(position + 1) || isBreak(position + 1) else {
            if word.lowerBound <= cursor, cursor <= word.upperBound { return here(.undecided, word) }
            position = end
            return trailing(.undecided)
        }
        if cursor <= end { return here(.key, word, hasColon: true) }
        frames.append((column, text(of: word)))
        position += 1
        return value()
    }

    private mutating func value() -> CursorPath? {
        if cursor < position { return here(.value) }
        skipBlanks()
        while at("&") || at("!") {
            while position < bytes.count, !isBlank(position), !isBreak(position) { position += 1 }
            if cursor <= position { return here(.value) }
            skipBlanks()
        }
        let isEmpty = position >= bytes.count || isBreak(position) || at("#")
        if cursor < position || (cursor == position && isEmpty) { return here(.value) }
        guard !isEmpty else { return trailing(.value) }
        if at("{") || at("[") { return flow() }
        if at("|") || at(">") { return blockScalar() }
        let word = scalar(inFlow: false)
        if word.lowerBound <= cursor, cursor <= word.upperBound { return here(.value, word) }
        return trailing(.value)
    }

    /// A text in lines, which is deeper than its key.
    private mutating func blockScalar() -> CursorPath? {
        let column = frames.last?.column ?? -1
        let start = position
        position = endOfLine(position)
        while position < bytes.count {
            let next = afterBreak(position)
            var content = next
            while content < bytes.count, bytes[content] == 0x20 { content += 1 }
            if content < bytes.count, !isBreak(content), content - next <= column { break }
            position = endOfLine(next)
        }
        return cursor <= position ? here(.value, start..<position) : nil
    }

    /// The text that may follow a value on its line.
    private mutating func trailing(_ role: CursorPath.Role) -> CursorPath? {
        skipBlanks()
        let end = endOfLine(position)
        if at("#"), cursor >= position { return comment(to: end) }
        return cursor <= end ? here(role) : nil
    }

    // MARK: Braces

    private mutating func flow() -> CursorPath? {
        let column = frames.last?.column ?? -1
        let found = flow(column)
        flows = []
        return found
    }

    private mutating func flow(_ column: Int) -> CursorPath? {
        repeat {
            let start = position
            while position < bytes.count, isBlank(position) || isBreak(position) || (at("#") && position > start) {
                if at("#") {
                    let end = endOfLine(position)
                    if cursor > position, cursor <= end { return comment(to: end) }
                    position = end
                } else if isBreak(position) {
                    guard !isUnclosed(behind: position, column) else {
                        return cursor <= position ? here(flowRole) : nil
                    }
                    position = afterBreak(position)
                } else {
                    position += 1
                }
            }
            if cursor < position || position >= bytes.count { return here(flowRole) }
            if let found = flowToken() { return found }
        } while !flows.isEmpty && position < bytes.count
        return flows.isEmpty ? trailing(.value) : here(flowRole)
    }

    private mutating func flowToken() -> CursorPath? {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if cursor == position { return here(flows.isEmpty ? .value : flowRole) }
            flows.append((byte == UInt8(ascii: "{"), nil))
            position += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if cursor == position { return here(flowRole) }
            _ = flows.popLast()
            position += 1
        case UInt8(ascii: ","):
            if cursor == position { return here(flowRole) }
            if !flows.isEmpty { flows[flows.count - 1].key = nil }
            position += 1
        case UInt8(ascii: ":"):
            position += 1
        default:
            let word = scalar(inFlow: true)
            let end = position
            skipBlanks()
            let isKey = at(":") && flowRole == .key
            if word.lowerBound <= cursor, cursor <= word.upperBound { return here(flowRole, word, hasColon: isKey) }
            if isKey {
                if cursor <= position { return here(flowRole, hasColon: true) }
                flows[flows.count - 1].key = text(of: word)
                position += 1
            } else {
                position = max(end, word.lowerBound + 1)
            }
        }
        return nil
    }

    private var flowRole: CursorPath.Role {
        guard let flow = flows.last else { return .value }
        return flow.isMapping && flow.key == nil ? .key : .value
    }

    // MARK: Scalars

    /// The scalar that begins here; the place is then after it.
    private mutating func scalar(inFlow: Bool) -> Range<Int> {
        let start = position
        if at("\"") || at("'") { return quoted() }
        var end = position
        while position < bytes.count, !isBreak(position) {
            let byte = bytes[position]
            if byte == UInt8(ascii: ":"),
                position + 1 >= bytes.count || isBlank(position + 1) || isBreak(position + 1)
                    || (inFlow && isFlowMark(bytes[position + 1]))
            {
                break
            }
            if inFlow, isFlowMark(byte) { break }
            if byte == UInt8(ascii: "#"), position > start, isBlank(position - 1) { break }
            position += 1
            if !isBlank(position - 1) { end = position }
        }
        position = end
        return start..<end
    }

    private mutating func quoted() -> Range<Int> {
        let start = position
        let quote = bytes[position]
        let column = frames.last?.column ?? -1
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote {
                position += 1
                guard quote == UInt8(ascii: "'"), position < bytes.count, bytes[position] == quote else {
                    return start..<position
                }
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position += 1
            } else if isBreak(position), isUnclosed(behind: position, column) {
                break
            }
            position += 1
        }
        position = min(position, bytes.count)
        return start..<position
    }

    /// Whether this bracket is never closed, judged by the beginning of the next line that is not empty.
    private func isUnclosed(behind lineBreak: Int, _ column: Int) -> Bool {
        var next = afterBreak(lineBreak)
        while next < bytes.count {
            var content = next
            while content < bytes.count, bytes[content] == 0x20 { content += 1 }
            guard content < bytes.count else { return false }
            if !isBreak(content) {
                return content - next <= column && bytes[content] != UInt8(ascii: "}")
                    && bytes[content] != UInt8(ascii: "]")
            }
            next = afterBreak(content)
        }
        return false
    }

    // MARK: Answers

    private var keys: [String] { frames.compactMap(\.key) + flows.compactMap(\.key) }

    private func here(_ role: CursorPath.Role, _ word: Range<Int>? = nil, hasColon: Bool = false) -> CursorPath {
        CursorPath(keys: keys, role: role, word: word ?? cursor..<cursor, hasColon: hasColon)
    }

    private func comment(to end: Int) -> CursorPath? {
        cursor <= end ? CursorPath(keys: keys, role: .comment, word: position..<end) : nil
    }

    /// An empty line belongs to what its indentation says.
    private mutating func blank() -> CursorPath {
        var start = cursor
        while start > 0, !isBreak(start - 1) { start -= 1 }
        let column = cursor - start
        while let last = frames.last, last.column >= column { frames.removeLast() }
        return here(.undecided)
    }

    /// The meaning of a name, without quotes. Names contain no escapes.
    private func text(of word: Range<Int>) -> String {
        var inner = bytes[word]
        if let first = inner.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            inner = inner.dropFirst()
            if inner.last == first { inner = inner.dropLast() }
        }
        return String(decoding: inner, as: UTF8.self)
    }

    // MARK: Bytes

    private func at(_ character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    private func isBlank(_ index: Int) -> Bool { bytes[index] == 0x20 || bytes[index] == 0x09 }

    private func isBreak(_ index: Int) -> Bool { bytes[index] == 0x0A || bytes[index] == 0x0D }

    private func isFlowMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","): true
        default: false
        }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, isBlank(position) { position += 1 }
    }

    private func endOfLine(_ index: Int) -> Int {
        var index = index
        while index < bytes.count, !isBreak(index) { index += 1 }
        return index
    }

    private func afterBreak(_ index: Int) -> Int {
        guard index < bytes.count else { return index }
        return bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? index + 2 : index + 1
    }

    private mutating func toNextLine() { position = afterBreak(endOfLine(position)) }
}
