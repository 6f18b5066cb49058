/// A cursor over one JSON document, which generated parsers use. It exists only as `inout` inside `JSON.scan`.
///
/// **Faults stick.** No call throws. The first fault is stored and the cursor jumps to the end of the document. From then on,
/// every call returns a zero value and every loop ends. A parser checks `isFaulted` once, before it makes its result;
/// `JSON.scan` throws.
///
/// **Strictness.** The reader accepts exactly RFC 8259. It accepts no comments, no trailing commas and no byte order mark,
/// validates UTF-8 and surrogate pairs also in skipped values, and refuses numbers that overflow.
///
/// **Duplicate keys** (RFC 8259 section 4 leaves them open): the last one wins in models, maps and `JSONValue`. Lookahead calls
/// (`peekToken`, `text(at:)` and similar) take the first.
///
/// Every `read…` call consumes one value, with the white space before it.
public struct JSONReader: ~Copyable {
    let start: BytePointer
    let end: BytePointer
    var cursor: BytePointer
    /// How many more levels may be opened.
    var remainingDepth: Int
    var fault: PendingFault?
    /// The unknown text that `readToken` and `peekToken` met.
    var token: StringExtent?
    /// The first elements left out, in any order, as many as a report has; and how many there are.
    var skipped: [PendingFault] = []
    var skippedCount = 0
    /// Where the last of them in the document starts: what is before was counted already.
    var skippedEnd = -1
    /// The keys beyond the 64th that were seen, a stack with one block per open object that has so
    /// many. `JSONFields` stays trivial this way.
    var wideSeen: [UInt64] = []
    /// For making examples that are as complete as a model allows. While more levels than this are left, every key is required,
    /// and null does not count as a value. Unknown words are refused on all levels. By default, nothing is required.
    package var completeAbove = Int.max
    /// How many levels are left inside the arrays that are noted (`noteArrays`); negative while none are.
    var notedDepth = -1
    /// The array of that depth that is being read, and those that were read.
    var notedStart = 0
    var notedArrays: [Range<Int>] = []
    private let maximumDepth: Int

    /// Whether something went wrong. All calls after that return zero values.
    public private(set) var isFaulted = false

    init(_ start: BytePointer, count: Int, maximumDepth: Int) {
        self.start = start
        self.end = start + count
        self.cursor = start
        self.maximumDepth = max(0, maximumDepth)
        self.remainingDepth = self.maximumDepth
    }

    /// The kind of the next value. Consumes only white space.
    public mutating func peekKind() -> JSONKind {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        return cursor < end ? JSONSyntax.kind(startingWith: cursor.pointee) : .end
    }

    /// Consumes a `null` if it is next, and says whether it was.
    public mutating func readNull() -> Bool {
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        guard cursor < end, cursor.pointee == ASCII.lowerN else { return false }
        if remainingDepth > completeAbove { return false }
        if JSONSyntax.isWord(0x6C6C_756E, cursor, end) {
            cursor += 4
            return true
        }
        return consumeLiteral("null")
    }

    /// Consumes a `null` or an empty string if one is next, and says whether it was: nil for an
    /// optional field with `coerce: true`.
    public mutating func readNullOrEmpty() -> Bool {
        if readNull() { return true }
        guard end - cursor >= 2, cursor[0] == ASCII.quote, cursor[1] == ASCII.quote else { return false }
        cursor += 2
        return true
    }

    /// Validates one value of any kind, and moves past it.
    public mutating func skipValue() {
        var syntaxError = SyntaxError.none
        let next = JSONSyntax.skipValue(cursor, end, remainingDepth, &syntaxError)
        if syntaxError == .none { cursor = next } else { record(syntaxError.code, at: next) }
    }

    /// Raises a fault of the caller's own about the value that was read last, or that is next where
    /// none was read: a closed enum, a broken constraint.
    public mutating func fail(_ reason: String) {
        // The last consumed byte is inside that value, and the path is found from it.
        record(.refused(reason), at: cursor > start ? cursor - 1 : cursor)
    }

    /// Notes from now on where the arrays of one depth are. An array that is the document itself has the depth 1.
    package mutating func noteArrays(atDepth depth: Int) { notedDepth = maximumDepth - depth }

    // MARK: Faults

    /// Stores the first fault and ends everything.
    mutating func record(
        _ code: JSONError.Code, at position: BytePointer, expected expectation: StaticString = ""
    ) {
        record(PendingFault(code: code, offset: position - start, expectation: .fixed(expectation)))
    }

    mutating func record(_ pending: PendingFault) {
        if isFaulted { return }
        isFaulted = true
        fault = pending
        cursor = end
    }

    /// The next byte starts none of what was asked for.
    mutating func recordMismatch(_ expectation: StaticString) {
        guard cursor < end else { return record(.unexpectedEnd, at: end, expected: expectation) }
        let found = JSONSyntax.kind(startingWith: cursor.pointee)
        record(
            found == .end ? .invalidSyntax : .typeMismatch(found: found), at: cursor,
            expected: expectation)
    }

    /// A closure gave no value; the fault is its own if it has recorded one.
    @usableFromInline mutating func recordNoValue() {
        record(.noValue, at: cursor > start ? cursor - 1 : cursor)
    }

    /// Takes the fault out, so that reading can go on. The cursor must be set anew.
    mutating func takeFault() -> PendingFault? {
        defer { fault = nil }
        isFaulted = false
        return fault
    }

    // MARK: The ends of the document

    mutating func refuseByteOrderMark() {
        if end - start >= 3, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF {
            record(.byteOrderMark, at: start)
        }
    }

    /// Checks that nothing follows, and that a value came out.
    mutating func finish(hasValue: Bool) {
        if isFaulted { return }
        if !hasValue { return recordNoValue() }
        cursor = JSONSyntax.skipWhitespace(cursor, end)
        if cursor < end { record(.trailingContent, at: cursor, expected: "end of document") }
    }

    /// Consumes a literal whose first byte has been seen.
    mutating func consumeLiteral(_ literal: StaticString) -> Bool {
        var syntaxError = SyntaxError.none
        let next = JSONSyntax.skipLiteral(literal, cursor, end, &syntaxError)
        if syntaxError == .none {
            cursor = next
            return true
        }
        record(syntaxError.code, at: next, expected: literal)
        return false
    }
}

/// A fault whose path is not known yet.
struct PendingFault {
    enum Expectation {
        case fixed(StaticString)
        case text(String)
    }

    var code: JSONError.Code
    var offset: Int
    var expectation: Expectation
}
