/// Finds the elements of one list in a document that comes in chunks, such as the entries of a recording of any size. It keeps
/// one element at a time, and of an object only the members that are asked for.
///
/// It follows the structure of the document and does not check what it leaves out.
package struct JSONElementScanner: Sendable {
    /// A place in the text.
    package struct Place: Sendable, Hashable {
        /// From 1.
        package var line = 1
        /// From 1, in Unicode scalars.
        package var column = 1
        /// The number of bytes before it.
        package var offset = 0

        package init() {}
    }

    package struct Element: Sendable {
        package enum Content: Sendable {
            /// An object, with the members that were asked for.
            case object([UInt8])
            /// A value of another kind.
            case other
            /// An object whose members that were asked for take more bytes than allowed, with those that fit.
            case tooLong([UInt8])
        }

        /// The position in the list, from 0.
        package let index: Int
        package let place: Place
        package let content: Content
    }

    package struct Failure: Error, Equatable, Sendable {
        package let message: String
        package let place: Place
    }

    /// How a document ends.
    package enum End: Sendable, Equatable {
        case complete
        /// The document is complete and has no such list.
        case withoutList
        /// The text ends inside the document.
        case truncated
        /// The rest of the text was not read.
        case failure(Failure)
    }

    private enum Phase {
        /// A value follows. Of the root and of a list's first element, nothing may follow either.
        case value
        case firstKey
        case key
        case colon
        case firstElement
        case commaOrEnd
        case done
    }

    private let path: [[UInt8]]
    private let members: Set<[UInt8]>
    private let noted: Set<[UInt8]>
    private let longest: Int

    package private(set) var place = Place()
    private var failure: Failure?
    private var hasList = false

    /// How many containers are open: the objects of the path, the list, and its element.
    private var level = 0
    private var phase = Phase.value

    // The value, or the key, that the last chunk ended in.
    private var isInKey = false
    private var isInValue = false
    private var isScalar = false
    private var isInString = false
    private var isEscaped = false
    private var depth = 0

    private var key: [UInt8] = []
    private var isCollecting = false
    /// Whether the value is one of which only its content is noted, and whether it has some.
    private var isNoting = false
    private var hasContent = false
    /// Where the member begins in the element.
    private var memberStart = 0
    private var element: [UInt8] = []
    private var isTooLong = false
    private var elementPlace = Place()
    private var count = 0

    /// No key that is asked for is longer.
    private static let longestKey = 64

    /// - Parameters:
    ///   - path: the members that lead to the list.
    ///   - members: the members of its elements that are kept.
    ///   - noted: the members of its elements in whose place is `true` if they are lists or objects with content, and `false` otherwise.
    ///   - longest: how many bytes the kept members of an element may have.
    package init(
        listAt path: [String], keeping members: Set<String>, noting noted: Set<String> = [], longest: Int
    ) {
        self.path = path.map { Array($0.utf8) }
        self.members = Set(members.map { Array($0.utf8) })
        self.noted = Set(noted.map { Array($0.utf8) })
        self.longest = longest
    }

    /// Reads on. Elements that end in the chunk are handed out in their order.
    package mutating func read(_ chunk: UnsafeRawBufferPointer, _ found: (Element) -> Void) {
        var position = 0
        while position < chunk.count, failure == nil {
            if isInValue {
                position = readValue(chunk, from: position)
                if !isInValue { endValue(found) }
            } else if isInKey {
                position = readKey(chunk, from: position)
            } else {
                position = readSign(chunk, at: position, found)
            }
        }
    }

    /// What became of the document, at the end of the text.
    package func end() -> End {
        if let failure { return .failure(failure) }
        guard phase == .done else { return .truncated }
        return hasList ? .complete : .withoutList
    }

    // MARK: Structure

    private mutating func fail(_ message: String) { failure = Failure(message: message, place: place) }

    /// The byte order mark of UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var isInList: Bool { level == path.count + 1 }
    private var isInElement: Bool { level == path.count + 2 }

    private mutating func readSign(
        _ chunk: UnsafeRawBufferPointer, at position: Int, _ found: (Element) -> Void
    ) -> Int {
        let byte = chunk[position]
        let isMark = place.offset < Self.mark.count && byte == Self.mark[place.offset]
        if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || isMark {
            pass(chunk, position..<position + 1)
            return position + 1
        }
        switch (phase, byte) {
        case (.firstElement, UInt8(ascii: "]")):
            level -= 1
            phase = .commaOrEnd
        case (.value, _), (.firstElement, _):
            if !enter(byte) {
                if failure == nil { beginValue(byte) }
                return position
            }
        case (.commaOrEnd, UInt8(ascii: "]")) where isInList:
            level -= 1
            phase = .commaOrEnd
        case (.firstKey, UInt8(ascii: "}")),
            (.commaOrEnd, UInt8(ascii: "}")) where !isInList:
            if isInElement { endElement(found) }
            level -= 1
            phase = level == 0 ? .done : .commaOrEnd
        case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
            key = []
            isInKey = true
        case (.colon, UInt8(ascii: ":")): phase = .value
        case (.commaOrEnd, UInt8(ascii: ",")): phase = isInList ? .value : .key
        case (.done, _): fail("more text follows the value")
        case (.colon, _): fail("`:` is missing")
        case (.firstKey, _), (.key, _): fail("the name of a member is missing")
        default: fail("`,` is missing")
        }
        if failure == nil { pass(chunk, position..<position + 1) }
        return position + 1
    }

    /// Enters a container on the way to the elements. False if the value that begins is none of them.
    private mutating func enter(_ byte: UInt8) -> Bool {
        if level == 0 {
            guard byte == UInt8(ascii: "{") else {
                fail(byte == 0xFE || byte == 0xFF || byte == 0 ? "the text is not UTF-8" : "`{` is missing")
                return false
            }
            (level, phase) = (1, .firstKey)
            return true
        }
        if isInList, byte == UInt8(ascii: "{") {
            elementPlace = place
            element.removeAll(keepingCapacity: element.capacity <= Self.keptCapacity)
            element.append(UInt8(ascii: "{"))
            isTooLong = false
            (level, phase) = (level + 1, .firstKey)
            return true
        }
        guard level <= path.count, key == path[level - 1] else { return false }
        let isLast = level == path.count
        guard byte == UInt8(ascii: isLast ? "[" : "{") else { return false }
        if isLast { hasList = true }
        (level, phase) = (level + 1, isLast ? .firstElement : .firstKey)
        return true
    }

    /// The memory that is kept from one element for the next.
    private static let keptCapacity = 1 << 20

    private mutating func endElement(_ found: (Element) -> Void) {
        element.append(UInt8(ascii: "}"))
        found(Element(index: count, place: elementPlace, content: isTooLong ? .tooLong(element) : .object(element)))
        count += 1
    }

    // MARK: Keys and values

    private mutating func readKey(_ chunk: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        while position < chunk.count {
            let byte = chunk[position]
            position += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInKey = false
                phase = .colon
                break
            }
            // A key with an escape is none that is asked for.
            if key.count <= Self.longestKey { key.append(byte) }
        }
        pass(chunk, start..<position)
        return position
    }

    private mutating func beginValue(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
            return fail("a value is missing")
        default: break
        }
        isInValue = true
        (depth, isInString, isEscaped) = (0, false, false)
        isScalar = byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")
        if isInList { elementPlace = place }
        isNoting = isInElement && noted.contains(key)
        hasContent = false
        isCollecting = isInElement && members.contains(key)
        if isCollecting || isNoting {
            memberStart = element.count
            if element.count > 1 { element.append(UInt8(ascii: ",")) }
            element.append(UInt8(ascii: "\""))
            element += key
            element += [UInt8(ascii: "\""), UInt8(ascii: ":")]
        }
    }

    private mutating func readValue(_ chunk: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        var (depth, isInString, isEscaped) = (depth, isInString, isEscaped)
        var hasEnded = false
        loop: while position < chunk.count {
            let byte = chunk[position]
            if isScalar {
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09:
                    hasEnded = true
                    break loop
                default: position += 1
                }
                continue
            }
            position += 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    hasEnded = depth == 0
                    if hasEnded { break loop }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                hasEnded = depth == 0
                if hasEnded { break loop }
            default: break
            }
        }
        (self.depth, self.isInString, self.isEscaped) = (depth, isInString, isEscaped)
        isInValue = !hasEnded
        if isNoting, !hasContent, !isScalar {
            hasContent = chunk[start..<position].contains { !Self.isEmptiness($0) }
        }
        if isCollecting {
            if element.count + position - start > longest {
                isTooLong = true
                isCollecting = false
                element.removeLast(element.count - memberStart)
            } else {
                element.append(contentsOf: chunk[start..<position])
            }
        }
        pass(chunk, start..<position)
        return position
    }

    /// Whether a byte is in an empty list or object.
    private static func isEmptiness(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }

    private mutating func endValue(_ found: (Element) -> Void) {
        if isNoting { element += (hasContent ? "true" : "false").utf8 }
        isNoting = false
        isCollecting = false
        phase = .commaOrEnd
        guard isInList else { return }
        found(Element(index: count, place: elementPlace, content: .other))
        count += 1
    }

    private mutating func pass(_ chunk: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var (line, column) = (place.line, place.column)
        for position in range {
            let byte = chunk[position]
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        (place.line, place.column) = (line, column)
        place.offset += range.count
    }
}
