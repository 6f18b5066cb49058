/// The languages of pages.
package enum MarkupLanguage: Sendable {
    case html
    /// Markdown with HTML in it.
    case markdown
}

/// Follows the literal text of a template through HTML, as the tokenizer of a browser does (HTML, 13.2.5), and through the links of
/// Markdown (CommonMark 6.3 and 4.7).
struct MarkupScan: Equatable {
    /// Where a text is.
    enum Place: Equatable {
        case text
        /// In an element whose content is text without tags: a title or a text area.
        case escapable
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

    private let language: MarkupLanguage
    private(set) var place = Place.text
    /// The attribute whose value this is, in lowercase.
    private(set) var attribute = ""
    /// The URL in the value of an attribute; nil in others.
    private(set) var url: URLStart?
    /// The URL of a link in Markdown.
    private(set) var target: URLStart?
    /// Whether `]` has just come, after which the URL of a link can begin.
    private(set) var isAfterBracket = false

    /// Whether the target is that of `[text]: …`.
    private var isDefinition = false
    /// Whether nothing of a value without quotes has come yet.
    private var isValueStart = false
    private var element = ""
    private var isEnd = false
    /// What has been read of a tag's start, or of the end of a comment or of an element without tags; in a tag, a blank that has just
    /// come.
    private var recent: [UInt8] = []

    /// Elements whose content a browser does not read as text with character references.
    private static let rawElements: Set<String> = [
        "script", "style", "iframe", "noembed", "noframes", "noscript", "xmp", "plaintext",
    ]

    private static let escapableElements: Set<String> = ["title", "textarea"]

    /// Attributes whose value is a URL, which a browser may follow or load (HTML, "attributes" index).
    private static let ofURLs: Set<String> = [
        "href", "src", "action", "formaction", "data", "poster", "cite", "background", "manifest", "longdesc",
        "xlink:href", "codebase", "to", "from", "by",
    ]

    /// Attributes whose value has several of them.
    private static let ofURLLists: Set<String> = ["srcset", "imagesrcset", "ping", "archive", "values"]

    private static let blank = UInt8(ascii: " ")

    init(_ language: MarkupLanguage) { self.language = language }

    /// Whether a name of an attribute may go on.
    var isInName: Bool { place == .tag && !attribute.isEmpty && recent.isEmpty }

    mutating func read(_ bytes: some Sequence<UInt8>) { for byte in bytes { read(byte) } }

    /// Reads a value of the template, which is text. One finding is enough for a URL.
    mutating func readValue() {
        isAfterBracket = false
        if url != nil { url = .fixed }
        if place == .text, target != nil { target = .fixed }
    }

    /// Reads a URL of the site, which can be empty.
    mutating func readLink() {
        url?.readLink()
        if place == .text { target?.readLink() }
    }

    private mutating func read(_ byte: UInt8) {
        switch place {
        case .text:
            if language == .markdown { readMarkdown(byte) }
            if byte == UInt8(ascii: "<") { begin() }
        case .escapable, .raw: readContent(byte)
        case .comment: readComment(byte)
        case .tagStart: readTagStart(byte)
        case .tag: readTag(byte)
        case .unquoted: readUnquoted(byte)
        case .quoted(let quote): if byte == quote { leaveValue() } else { url?.read(byte) }
        }
    }

    // MARK: Text

    private mutating func readMarkdown(_ byte: UInt8) {
        if let start = target {
            let isOver =
                switch byte {
                // What begins with a quote has no scheme.
                case UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
                // The URL of `[text]: …` is on the same line, or on the next one.
                case UInt8(ascii: "\n") where isDefinition && start == .link: true
                default: byte.isBlank && !start.isEmpty
                }
            if isOver { (target, isDefinition) = (nil, false) } else if byte != UInt8(ascii: "<") { target?.read(byte) }
        } else if isAfterBracket, byte == UInt8(ascii: "(") || byte == UInt8(ascii: ":") {
            (target, isDefinition) = (.open([]), byte == UInt8(ascii: ":"))
        }
        isAfterBracket = byte == UInt8(ascii: "]")
    }

    /// Looks for the end of an element without tags.
    private mutating func readContent(_ byte: UInt8) {
        let end = Array("</\(element)".utf8)
        // `</scripty>` ends no script.
        if recent.count == end.count, byte.isBlank || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") {
            (place, isEnd, recent) = (.tag, true, [Self.blank])
            if byte == UInt8(ascii: ">") { close() }
        } else if recent.count < end.count, byte.lowercased == end[recent.count] {
            recent.append(byte.lowercased)
        } else {
            // The title of a drawing can have tags.
            let isTag =
                recent.count > 1
                || !recent.isEmpty && (byte.isLetter || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?"))
            if isTag { place = .raw }
            recent = byte == UInt8(ascii: "<") ? [byte] : []
        }
    }

    private mutating func readComment(_ byte: UInt8) {
        let dash = UInt8(ascii: "-")
        switch (recent, byte) {
        // `<!-->` and `<!--->` are whole.
        case ([UInt8(ascii: "<")], dash): recent = [UInt8(ascii: "<"), dash]
        case ([UInt8(ascii: "<")], UInt8(ascii: ">")), ([UInt8(ascii: "<"), dash], UInt8(ascii: ">")),
            ([dash, dash], UInt8(ascii: ">")), ([dash, dash, UInt8(ascii: "!")], UInt8(ascii: ">")):
            leaveTag()
        case ([UInt8(ascii: "<"), dash], dash), ([dash], dash), ([dash, dash], dash): recent = [dash, dash]
        case ([dash, dash], UInt8(ascii: "!")): recent = [dash, dash, byte]
        default: recent = byte == dash ? [dash] : []
        }
    }

    // MARK: Tags

    private mutating func begin() { (place, element, isEnd, recent, attribute) = (.tagStart, "", false, [], "") }

    private mutating func leaveTag() { (place, element, isEnd, recent, attribute) = (.text, "", false, [], "") }

    private mutating func readTagStart(_ byte: UInt8) {
        switch (recent.first, byte) {
        case (nil, UInt8(ascii: "/")) where element.isEmpty:
            recent = [byte]
            isEnd = true
        case (nil, UInt8(ascii: "!")) where element.isEmpty, (nil, UInt8(ascii: "?")) where element.isEmpty:
            recent = [byte]
        case (UInt8(ascii: "!")?, UInt8(ascii: "-")) where recent.count < 3:
            recent.append(byte)
            if recent.count == 3 { (place, recent) = (.comment, [UInt8(ascii: "<")]) }
        case (UInt8(ascii: "!")?, _), (UInt8(ascii: "?")?, _):
            if byte == UInt8(ascii: ">") { leaveTag() } else if recent.count < 3 { recent = [UInt8(ascii: "?")] }
        case (_, UInt8(ascii: ">")): if element.isEmpty { leaveTag() } else { close() }
        case (_, UInt8(ascii: "/")),
            (_, _) where byte.isBlank:
            if element.isEmpty { leaveTag() } else { (place, recent) = (.tag, [Self.blank]) }
        case (_, _) where element.isEmpty && !byte.isLetter:
            // No tag begins with anything else, but another one may begin here.
            leaveTag()
            read(byte)
        default: element.unicodeScalars.append(Unicode.Scalar(byte.lowercased))
        }
    }

    private mutating func readTag(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: ">"): close()
        case UInt8(ascii: "/"): (attribute, recent) = ("", [Self.blank])
        case UInt8(ascii: "="): if !attribute.isEmpty { (place, isValueStart, recent) = (.unquoted, true, []) }
        case _ where byte.isBlank: recent = [Self.blank]
        default:
            // The first character after a blank begins another name.
            if !recent.isEmpty { (attribute, recent) = ("", []) }
            attribute.unicodeScalars.append(Unicode.Scalar(byte.lowercased))
        }
    }

    private mutating func readUnquoted(_ byte: UInt8) {
        if byte.isBlank {
            if !isValueStart { leaveValue() }
        } else if byte == UInt8(ascii: ">") {
            close()
        } else if isValueStart, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            (place, isValueStart) = (.quoted(byte), false)
            if Self.ofURLs.contains(attribute) { url = .open([]) }
            // A `meta` can send the reader to the URL in its content (HTML 4.2.5.3), whatever the order of its attributes.
            if Self.ofURLLists.contains(attribute) || element == "meta" && attribute == "content" { url = .untrusted }
        } else {
            isValueStart = false
        }
    }

    private mutating func leaveValue() {
        (place, attribute, url, isValueStart, recent) = (.tag, "", nil, false, [])
    }

    private mutating func close() {
        if isEnd {
            leaveTag()
        } else if Self.rawElements.contains(element) {
            place = .raw
        } else if Self.escapableElements.contains(element) {
            place = .escapable
        } else {
            leaveTag()
        }
        (attribute, recent, isValueStart, isEnd) = ("", [], false, false)
    }

    // MARK: Sections

    /// The scan after a section that ends here, and that can be absent or repeated; nil if the text after it, or the section itself, is
    /// then at another place.
    func joined(with start: MarkupScan) -> MarkupScan? {
        var (one, other) = (start, self)
        // After `]`, it would matter what the section begins with.
        if isAfterBracket, !start.isAfterBracket { return nil }
        one.isAfterBracket = false
        other.isAfterBracket = false
        if let first = one.url, let second = other.url {
            (one.url, other.url) = (first.joined(second), first.joined(second))
        }
        if let first = one.target, let second = other.target {
            (one.target, other.target) = (first.joined(second), first.joined(second))
        }
        if one.place == .tag, other.place == .tag, one != other {
            // What follows can go on with a name, or be the value of an attribute, that only the section has.
            let recent: [UInt8] = one.recent.isEmpty || other.recent.isEmpty ? [] : [Self.blank]
            (one.attribute, other.attribute) = (Self.unknownAttribute, Self.unknownAttribute)
            (one.recent, other.recent) = (recent, recent)
        }
        guard one == other else { return nil }
        one.isAfterBracket = start.isAfterBracket
        return one
    }

    /// It can be the name of an attribute with code.
    private static let unknownAttribute = "on…"
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercased) }
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}
