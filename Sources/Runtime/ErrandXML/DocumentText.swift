import ErrandJSON

/// The text of a document in UTF-8.
///
/// A byte order mark says the encoding, without one the `charset` of the response, without both the document's declaration
/// (RFC 7303 section 3).
///
/// The parser gets UTF-8 that begins with the document's element, so it never decides about an encoding. It never sees a document
/// type, a processing instruction or a comment: the one of Foundation on Linux crashes on some of them.
enum DocumentText {
    private enum Encoding {
        case utf8, utf16Big, utf16Little, latin1, windows1252
    }

    static func utf8(_ bytes: [UInt8], charset: String?) throws(JSONError) -> [UInt8] {
        let (encoding, mark) = try encoding(of: bytes, charset)
        let rest = bytes[mark...]
        var text: [UInt8]
        switch encoding {
        case .utf8: text = Array(rest)
        case .utf16Big: text = try utf16(rest) { UInt16($0) << 8 | UInt16($1) }
        case .utf16Little: text = try utf16(rest) { UInt16($1) << 8 | UInt16($0) }
        case .latin1: text = Self.text(rest) { UInt32($0) }
        case .windows1252: text = Self.text(rest) { (0x80...0x9F).contains($0) ? windows[Int($0) - 0x80] : UInt32($0) }
        }
        // No document has one, and a parser takes them for another encoding.
        if let index = text.firstIndex(of: 0) { throw JSONError(code: .invalidSyntax, byteOffset: index) }
        return text
    }

    // MARK: What is before the element

    /// The document's element without comments and processing instructions, and its place in the text with line feeds.
    ///
    /// Lines end with a line feed (XML 1.0 section 2.11), because the parser of Foundation keeps other ends in CDATA sections. The
    /// offset of an error counts a CR LF as one byte.
    static func element(in document: [UInt8]) throws(JSONError) -> (bytes: [UInt8], start: Int) {
        let text = withLineFeeds(document)
        let start = try start(of: text)
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count - start)
        var (index, depth) = (start, 0)
        while let mark = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            kept += text[index..<mark]
            if has("<!--", text, mark) {
                index = try endOfComment(in: text, from: mark)
                continue
            }
            if has("<?", text, mark) {
                index = try end(of: "?>", in: text, from: mark + 2)
                continue
            }
            if has("<![CDATA[", text, mark) {
                index = try end(of: "]]>", in: text, from: mark + 9)
                kept += text[mark..<index]
                continue
            }
            let isEnd = has("</", text, mark)
            index = try endOfTag(in: text, from: mark, hasAttributes: !isEnd)
            kept += text[mark..<index]
            if isEnd { depth -= 1 } else if text[index - 2] != UInt8(ascii: "/") { depth += 1 }
            guard depth <= 0 else { continue }
            // A parser may stop here, whatever follows.
            let rest = try endOfOthers(in: text, from: index)
            guard rest == text.count else { throw JSONError(code: .trailingContent, byteOffset: rest) }
            return (kept, start)
        }
        throw JSONError(code: .unexpectedEnd, byteOffset: text.count, expectation: "well-formed XML")
    }

    private static func withLineFeeds(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x0D) else { return text }
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            if byte == 0x0D {
                lines.append(0x0A)
            } else if byte != 0x0A || index == 0 || text[index - 1] != 0x0D {
                lines.append(byte)
            }
        }
        return lines
    }

    /// - Parameter hasAttributes: whether a tag can end inside of quotation marks only seemingly.
    private static func endOfTag(
        in text: [UInt8], from start: Int, hasAttributes: Bool
    ) throws(JSONError) -> Int {
        var quote: UInt8?
        var attributes = 0
        let mark = UInt8(ascii: "<")
        for index in (start + 1)..<text.count {
            let byte = text[index]
            // A parser that reads on after the mistake would find what is hidden in the tag.
            if byte == mark { throw broken(index) }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if hasAttributes, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                attributes += 1
                guard attributes <= SystemXML.maximumAttributes else {
                    let reason = "more than \(SystemXML.maximumAttributes) attributes of one element"
                    throw JSONError(code: .refused(reason), byteOffset: index)
                }
            }
        }
        throw JSONError(code: .unexpectedEnd, byteOffset: text.count, expectation: "well-formed XML")
    }

    private static func endOfComment(in text: [UInt8], from start: Int) throws(JSONError) -> Int {
        let index = try end(of: "--", in: text, from: start + 4)
        guard index < text.count, text[index] == UInt8(ascii: ">") else { throw broken(index) }
        return index + 1
    }

    /// The place after white space, comments and processing instructions.
    private static func endOfOthers(in text: [UInt8], from start: Int) throws(JSONError) -> Int {
        var index = start
        while index < text.count {
            if isSpace(text[index]) {
                index += 1
            } else if has("<!--", text, index) {
                index = try endOfComment(in: text, from: index)
            } else if has("<?", text, index) {
                // Only the first one can be the declaration.
                let start = text[index...].prefix(6).map { isSpace($0) ? $0 : $0 | 0x20 }
                if index > 0, isDeclaration(start) { throw broken(index) }
                index = try end(of: "?>", in: text, from: index + 2)
            } else {
                return index
            }
        }
        return index
    }

    /// The place of the document's element.
    private static func start(of text: [UInt8]) throws(JSONError) -> Int {
        var index = try endOfOthers(in: text, from: 0)
        if has("<!DOCTYPE", text, index) {
            index = try endOfOthers(in: text, from: endOfDocumentType(in: text, from: index))
        }
        guard index < text.count else {
            throw JSONError(code: .unexpectedEnd, byteOffset: index, expectation: "well-formed XML")
        }
        guard text[index] == UInt8(ascii: "<"), index + 1 < text.count, text[index + 1] != UInt8(ascii: "!") else {
            throw broken(index)
        }
        return index
    }

    /// The end of a document type, which may name a file that is not loaded, and must not declare anything itself.
    private static func endOfDocumentType(in text: [UInt8], from start: Int) throws(JSONError) -> Int {
        var quote: UInt8?
        for index in start..<text.count {
            switch (quote, text[index]) {
            case (let open?, let byte): if byte == open { quote = nil }
            case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")): quote = text[index]
            case (nil, UInt8(ascii: "[")):
                let reason = "a document that declares entities, elements or attributes"
                throw JSONError(code: .refused(reason), byteOffset: index)
            case (nil, UInt8(ascii: ">")): return index + 1
            case (nil, _): break
            }
        }
        throw JSONError(code: .unexpectedEnd, byteOffset: text.count, expectation: "well-formed XML")
    }

    private static func end(of mark: StaticString, in text: [UInt8], from start: Int) throws(JSONError) -> Int {
        for index in start..<max(start, text.count) where has(mark, text, index) {
            return index + mark.utf8CodeUnitCount
        }
        throw JSONError(code: .unexpectedEnd, byteOffset: text.count, expectation: "well-formed XML")
    }

    private static func has(_ mark: StaticString, _ text: [UInt8], _ index: Int) -> Bool {
        guard index + mark.utf8CodeUnitCount <= text.count else { return false }
        return mark.withUTF8Buffer { mark in mark.indices.allSatisfy { mark[$0] == text[index + $0] } }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func broken(_ index: Int) -> JSONError {
        JSONError(code: .invalidSyntax, byteOffset: index, expectation: "well-formed XML")
    }

    // MARK: Encoding

    private static func encoding(
        of bytes: [UInt8], _ charset: String?
    ) throws(JSONError) -> (encoding: Encoding, mark: Int) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16Big, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16Little, 2) }
        if let charset, !charset.isEmpty { return (try named(charset, bytes), 0) }
        if bytes.starts(with: [0x00, 0x3C]) { return (.utf16Big, 0) }
        if bytes.starts(with: [0x3C, 0x00]) { return (.utf16Little, 0) }
        guard let declared = declared(in: bytes) else { return (.utf8, 0) }
        return (try named(declared, bytes), 0)
    }

    private static func named(_ name: String, _ bytes: [UInt8]) throws(JSONError) -> Encoding {
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": return .utf8
        case "utf-16be": return .utf16Big
        case "utf-16le": return .utf16Little
        // RFC 2781 section 4.3: big-endian without a mark.
        case "utf-16": return bytes.starts(with: [0x3C, 0x00]) ? .utf16Little : .utf16Big
        case "iso-8859-1", "latin1": return .latin1
        case "windows-1252", "cp1252": return .windows1252
        default:
            let reason = "an encoding other than UTF-8, UTF-16, ISO-8859-1 and windows-1252"
            throw JSONError(code: .refused(reason), byteOffset: 0)
        }
    }

    /// The encoding in the document's declaration. It is within the first 200 bytes, or it isn't read.
    private static func declared(in bytes: [UInt8]) -> String? {
        guard isDeclaration(bytes) else { return nil }
        let text = String(decoding: bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard let range = text.ranges(of: "encoding").first else { return nil }
        let value = text[range.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\t" || $0.isNewline }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    private static func isDeclaration(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.count > 5 && isSpace(bytes[5])
    }

    // MARK: Transcoding

    private static func utf16(
        _ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16
    ) throws(JSONError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            units.append(unit(bytes[index], bytes[index + 1]))
            index += 2
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        let isBroken = transcode(
            units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true, into: { text.append($0) })
        guard !isBroken, index == bytes.endIndex else {
            throw JSONError(code: .invalidSyntax, byteOffset: index, expectation: "UTF-16")
        }
        return text
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt32) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            guard let scalar = Unicode.Scalar(scalar(byte)) else { continue }
            text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
        return text
    }

    /// The characters of windows-1252 from 0x80 to 0x9F. Five of them are control characters, which XML refuses.
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
