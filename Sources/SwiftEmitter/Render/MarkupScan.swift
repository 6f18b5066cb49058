/// The languages of pages.
package enum MarkupLanguage: Sendable {
    case html
    /// Markdown with HTML in it.
    case markdown
}

/// Follows the literal text of a template through HTML, as the tokenizer of a browser does (HTML, 13.2.5).
struct MarkupScan {
    /// Where a text is.
    enum Place: Equatable {
        case text
        /// In an element whose content is not text: a script or a style.
        case raw
        /// After `<`, in a declaration, or in the name of a tag.
        case tagStart
        /// In a tag, outside of the values of its attributes.
        case tag
        /// After the `=` of an attribute, or in a value without quotes.
        case unquoted
        case quoted(UInt8)
        case comment
    }

    private(set) var place = Place.text
    /// The attribute whose value this is, in small letters.
    private(set) var attribute = ""
    /// Whether nothing of the value has come yet.
    private(set) var isValueStart = false

    private var element = ""
    private var isEnd = false
    /// What has been read of a tag's start, or of the end of a comment or of a raw element.
    private var recent: [UInt8] = []

    /// Elements whose content a browser does not read as text with character references.
    private static let rawElements: Set<String> = [
        "script", "style", "iframe", "noembed", "noframes", "noscript", "xmp", "plaintext",
    ]

    mutating func read(_ bytes: some Sequence<UInt8>) { for byte in bytes { read(byte) } }

    /// Reads a value of the template, which is text.
    mutating func readValue() { isValueStart = false }

    private mutating func read(_ byte: UInt8) {
        switch place {
        case .text: if byte == UInt8(ascii: "<") { begin() }
        case .raw:
            recent.append(byte.lowercased)
            // `</scripty>` ends no script.
            let end = Array("</\(element)".utf8)
            if recent.count > end.count + 1 { recent.removeFirst() }
            guard recent.count == end.count + 1, recent.starts(with: end) else { return }
            if byte.isBlank || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") {
                (place, isEnd, recent) = (byte == UInt8(ascii: ">") ? .text : .tag, true, [])
            }
        case .comment:
            recent.append(byte)
            if recent.count > 3 { recent.removeFirst() }
            if recent == Array("-->".utf8) { place = .text }
        case .tagStart: readTagStart(byte)
        case .tag: readTag(byte)
        case .unquoted:
            if byte.isBlank {
                if !isValueStart { leaveValue() }
            } else if byte == UInt8(ascii: ">") {
                close()
            } else if isValueStart, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                place = .quoted(byte)
            } else {
                isValueStart = false
            }
        case .quoted(let quote): if byte == quote { leaveValue() } else { isValueStart = false }
        }
    }

    private mutating func begin() { (place, element, isEnd, recent, attribute) = (.tagStart, "", false, [], "") }

    private mutating func readTagStart(_ byte: UInt8) {
        switch (recent.first, byte) {
        case (nil, UInt8(ascii: "/")) where element.isEmpty:
            recent = [byte]
            isEnd = true
        case (nil, UInt8(ascii: "!")) where element.isEmpty, (nil, UInt8(ascii: "?")) where element.isEmpty:
            recent = [byte]
        case (UInt8(ascii: "!")?, UInt8(ascii: "-")) where recent.count < 3:
            recent.append(byte)
            if recent.count == 3 { (place, recent) = (.comment, Array("--".utf8)) }
        case (UInt8(ascii: "!")?, _), (UInt8(ascii: "?")?, _):
            if byte == UInt8(ascii: ">") { place = .text }
            if recent.count < 3 { recent = [UInt8(ascii: "?")] }
        case (_, UInt8(ascii: ">")): if element.isEmpty { place = .text } else { close() }
        case (_, UInt8(ascii: "/")),
            (_, _) where byte.isBlank:
            (place, recent) = (element.isEmpty ? .text : .tag, [])
        case (_, _) where element.isEmpty && !byte.isLetter:
            // No tag begins with anything else, but another one may begin here.
            place = .text
            read(byte)
        default: element.unicodeScalars.append(Unicode.Scalar(byte.lowercased))
        }
    }

    private mutating func readTag(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: ">"): close()
        case UInt8(ascii: "/"): attribute = ""
        case UInt8(ascii: "="): if !attribute.isEmpty { (place, isValueStart, recent) = (.unquoted, true, []) }
        case _ where byte.isBlank: recent = [byte]
        default:
            // The first character after a blank begins another name.
            if !recent.isEmpty { (attribute, recent) = ("", []) }
            attribute.unicodeScalars.append(Unicode.Scalar(byte.lowercased))
        }
    }

    private mutating func leaveValue() { (place, attribute, isValueStart, recent) = (.tag, "", false, []) }

    private mutating func close() {
        place = !isEnd && Self.rawElements.contains(element) ? .raw : .text
        (attribute, recent, isValueStart) = ("", [], false)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercased) }
}
