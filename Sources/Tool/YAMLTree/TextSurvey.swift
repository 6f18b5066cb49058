/// The result of one pass over a file's bytes before parsing: the lines, and the bytes that are not text.
struct TextSurvey: Sendable {
    /// Bytes that no YAML text may have.
    struct Flaw: Sendable {
        enum Kind: Sendable {
            case invalidUTF8
            case control(Unicode.Scalar)
        }

        let kind: Kind
        let offset: Int
        let length: Int
    }

    /// Byte offsets; the first line begins after a byte order mark.
    private(set) var lineStarts: [UInt32] = []
    private(set) var isASCII = true
    /// The first flaws of the file. Their number is limited, because a file that isn't text has very many.
    private(set) var flaws: [Flaw] = []
    /// How many there are.
    private(set) var flawCount = 0

    private static let reportedFlaws = 20

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { survey($0) }
    }

    /// Whether the text begins as UTF-16 or UTF-32 does, with or without a byte order mark.
    static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        return (bytes[0] == 0xFE && bytes[1] == 0xFF) || (bytes[0] == 0xFF && bytes[1] == 0xFE)
            || (bytes[0] == 0) != (bytes[1] == 0)
    }

    /// The bytes with something harmless in place of each flaw, offsets unchanged, so that the rest of the file can be
    /// checked in the same run.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var survey = TextSurvey()
        var copy = bytes
        bytes.withUnsafeBufferPointer { bytes in
            survey.survey(bytes) { flaw in
                for offset in flaw.offset..<(flaw.offset + flaw.length) { copy[offset] = UInt8(ascii: "_") }
            }
        }
        return copy
    }

    private init() {}

    private mutating func survey(_ bytes: UnsafeBufferPointer<UInt8>, each: (Flaw) -> Void = { _ in }) {
        let count = bytes.count
        lineStarts.reserveCapacity(count / 32 + 1)
        var offset = 0
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            offset = 3
            isASCII = false
        }
        lineStarts.append(UInt32(offset))
        while offset < count {
            let byte = bytes[offset]
            if byte >= 0x20, byte < 0x7F {
                offset += 1
            } else if byte == 0x0A {
                offset += 1
                lineStarts.append(UInt32(offset))
            } else if byte == 0x0D {
                offset += 1
                if offset < count, bytes[offset] == 0x0A { offset += 1 }
                lineStarts.append(UInt32(offset))
            } else if byte == 0x09 {
                offset += 1
            } else if byte < 0x80 {
                note(.control(Unicode.Scalar(byte)), offset, 1, each)
                offset += 1
            } else {
                isASCII = false
                offset += surveyWide(bytes, offset, each)
            }
        }
    }

    /// Looks at one scalar beyond ASCII and returns its length.
    private mutating func surveyWide(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ each: (Flaw) -> Void) -> Int
    {
        let lead = bytes[offset]
        let length: Int
        var value: UInt32
        switch lead {
        case 0xC2...0xDF: (length, value) = (2, UInt32(lead & 0x1F))
        case 0xE0...0xEF: (length, value) = (3, UInt32(lead & 0x0F))
        case 0xF0...0xF4: (length, value) = (4, UInt32(lead & 0x07))
        default:
            note(.invalidUTF8, offset, 1, each)
            return 1
        }
        for step in 1..<length {
            guard offset + step < bytes.count, bytes[offset + step] & 0xC0 == 0x80 else {
                note(.invalidUTF8, offset, step, each)
                return step
            }
            value = value << 6 | UInt32(bytes[offset + step] & 0x3F)
        }
        let isOverlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000)
        guard !isOverlong, let scalar = Unicode.Scalar(value) else {
            note(.invalidUTF8, offset, length, each)
            return length
        }
        if isForbidden(value) { note(.control(scalar), offset, length, each) }
        return length
    }

    /// Besides control characters: a second byte order mark, and the line breaks that only some YAML readers take for
    /// such, so that a comment could end where no editor shows it.
    private func isForbidden(_ value: UInt32) -> Bool {
        value < 0xA0 || value == 0x2028 || value == 0x2029 || value == 0xFEFF || value == 0xFFFE || value == 0xFFFF
    }

    private mutating func note(_ kind: Flaw.Kind, _ offset: Int, _ length: Int, _ each: (Flaw) -> Void) {
        let flaw = Flaw(kind: kind, offset: offset, length: length)
        flawCount += 1
        if flaws.count < Self.reportedFlaws { flaws.append(flaw) }
        each(flaw)
    }
}
