import ErrandJSON

/// How the pages of a list are turned, and where their pagination values are. An object, because each page has a reference to it.
final class PageRule: Sendable {
    let pagination: Pagination
    /// The place of the total, of the cursor, or of the URL of the next page.
    let value: JSONPath?
    /// The place of the cursor inside the last element.
    let last: JSONPath?
    /// The place of the flag that says whether a page follows.
    let more: JSONPath?
    /// The place of the elements; nil if they are the payload itself.
    let items: JSONPath?
    /// How deep the array of the elements is in a body; nil if it is the payload itself.
    let itemsDepth: Int?

    init(_ pagination: Pagination) {
        self.pagination = pagination
        var (value, last, more): (String?, String?, String?) = (nil, nil, nil)
        switch pagination.style {
        case .page(_, let path), .offset(_, let path): value = path
        case .cursor(.response(let path), let flag): (value, more) = (path, flag)
        case .cursor(.lastElement(let path), let flag): (last, more) = (path, flag)
        case .link(.response(let path), _): value = path
        case .link(.header, _): break
        }
        self.value = value.map(JSONPath.init(dotted:))
        self.last = last.map(JSONPath.init(dotted:))
        self.more = more.map(JSONPath.init(dotted:))
        items = pagination.items.map(JSONPath.init(dotted:))
        itemsDepth = pagination.items.map { 1 + $0.split(separator: ".").count }
    }
}

/// What the body of a page says about the list.
///
/// The body was read before. Its elements aren't looked at again: the reader has noted where they are, and the search for the
/// rest passes them.
struct PageBody {
    private enum Value {
        case none
        case text(String)
        case flag(Bool)
        case other
    }

    /// What was noted while the page was read.
    struct Notes {
        /// The extent of the payload in the body.
        var payload = 0..<0
        /// The extents of the arrays in the depth of the elements.
        var arrays: [Range<Int>] = []
        /// Whether elements of a list were left out.
        var hasSkipped = false
    }

    private let bytes: [UInt8]
    private let value: Value
    private let more: Value
    private let last: JSONPath?
    /// The extent of the list; nil if the page has none.
    private let list: Range<Int>?
    let hasSkipped: Bool

    init(_ bytes: [UInt8], _ rule: PageRule, _ notes: Notes) {
        self.bytes = bytes
        hasSkipped = notes.hasSkipped
        var list = rule.items == nil ? notes.payload : nil
        var (value, more) = (Value.none, Value.none)
        last = rule.last
        let known = rule.items == nil ? [notes.payload] : notes.arrays
        if rule.value != nil || rule.items != nil || rule.more != nil {
            bytes.withUnsafeBytes { bytes in
                JSON.inspect(bytes) { reader in
                    let start = reader.mark()
                    if let path = rule.items {
                        reader.readInside(path, passing: known) { list = Self.extent(of: &$0, known) }
                        reader.rewind(to: start)
                    }
                    if let path = rule.value {
                        reader.readInside(path, passing: known) { value = Self.value(&$0) }
                        reader.rewind(to: start)
                    }
                    if let path = rule.more {
                        reader.readInside(path, passing: known) { more = Self.value(&$0) }
                    }
                }
            }
        }
        self.list = list
        self.value = value
        self.more = more
    }

    private static func extent(of reader: inout JSONReader, _ known: [Range<Int>]) -> Range<Int>? {
        let kind = reader.peekKind()
        let start = reader.mark().offset
        reader.skipValue(passing: known)
        return kind == .null || reader.isFaulted ? nil : start..<reader.mark().offset
    }

    private static func value(_ reader: inout JSONReader) -> Value {
        switch reader.peekKind() {
        case .string, .number: return .text(reader.readLenientString())
        case .bool: return .flag(reader.readBool())
        case .null:
            reader.skipValue()
            return .none
        default:
            reader.skipValue()
            return .other
        }
    }

    // MARK: The value

    /// The number of all pages or elements; nil if the page doesn't say it.
    func total() throws(PageError) -> Int? {
        switch value {
        case .none: return nil
        case .text(let text):
            guard let total = Int(text), total >= 0 else { throw .invalidTotal }
            return total
        case .flag, .other: throw .invalidTotal
        }
    }

    /// The cursor of the next page; nil at the end.
    func cursor() throws(PageError) -> String? { try Self.cursor(value) }

    /// The URL of the next page; nil at the end.
    func link() throws(PageError) -> String? {
        switch value {
        case .none: return nil
        case .text(let text): return text.isEmpty ? nil : text
        case .flag, .other: throw .invalidLink
        }
    }

    /// The cursor in the last element, also if that one cannot be read; nil if the page has no element.
    func lastCursor() throws(PageError) -> String? {
        guard let last else { return nil }
        var element: ArraySlice<UInt8>?
        scanElements { element = $0 }
        guard let element else { return nil }
        var value = Value.other
        bytes.withUnsafeBytes { bytes in
            JSON.inspect(UnsafeRawBufferPointer(rebasing: bytes[element.indices])) { reader in
                reader.readInside(last, passing: []) { value = Self.value(&$0) }
            }
        }
        guard let cursor = try Self.cursor(value) else { throw .invalidCursor }
        return cursor
    }

    /// Whether another page follows; nil if the page doesn't say it.
    func hasMore() throws(PageError) -> Bool? {
        switch more {
        case .none: return nil
        case .flag(let flag): return flag
        case .text, .other: throw .invalidFlag
        }
    }

    private static func cursor(_ value: Value) throws(PageError) -> String? {
        switch value {
        case .none: return nil
        case .text(let text):
            if text.utf8.count > PageWalk.maximumTextSize { throw .invalidCursor }
            return text.isEmpty ? nil : text
        case .flag, .other: throw .invalidCursor
        }
    }

    // MARK: The elements

    /// How many elements the list has, with those that cannot be read.
    var elementCount: Int {
        var count = 0
        scanElements { _ in count += 1 }
        return count
    }

    /// A hash of the elements' bytes that no server can foresee; nil if the page has none.
    var elementsHash: Int? {
        guard let list, hasElements(list) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[list]))
            return hasher.finalize()
        }
    }

    /// Whether there are several elements, all with the same bytes.
    var hasOneValue: Bool {
        var count = 0
        var first: ArraySlice<UInt8> = []
        var hasOthers = false
        scanElements { element in
            count += 1
            if count == 1 { first = element } else if element != first { hasOthers = true }
        }
        return count > 1 && !hasOthers
    }

    private func hasElements(_ list: Range<Int>) -> Bool {
        guard bytes[list].first == UInt8(ascii: "[") else { return !list.isEmpty }
        let next = bytes[list].dropFirst().first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return next != UInt8(ascii: "]")
    }

    /// Goes through the elements once more, which few pages need.
    private func scanElements(_ take: (ArraySlice<UInt8>) -> Void) {
        guard let list, bytes[list].first == UInt8(ascii: "[") else { return }
        bytes.withUnsafeBytes { bytes in
            JSON.inspect(UnsafeRawBufferPointer(rebasing: bytes[list])) { reader in
                var elements = reader.beginArray()
                while reader.nextElement(&elements) {
                    _ = reader.peekKind()
                    let start = list.lowerBound + reader.mark().offset
                    reader.skipValue()
                    if !reader.isFaulted { take(self.bytes[start..<list.lowerBound + reader.mark().offset]) }
                }
            }
        }
    }
}
