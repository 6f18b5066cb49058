import ContractModel
import Diagnostics
import Pipeline

/// A place in an open contract that the client asks about, with all that is known of it.
struct Spot {
    let path: String
    let project: Project
    /// The text as the client has it now.
    let text: DocumentText
    let offset: Int
    let cursor: CursorPath
    /// The contract when it could last be read, which may be an earlier text than this.
    let look: ContractLook
    let place: LanguagePlace

    /// A name at the place, with its kind and its range of bytes.
    struct Name {
        var kind: NameKind
        var name: String
        var bytes: Range<Int>
    }

    init(_ path: String, _ project: Project, _ text: DocumentText, at offset: Int) {
        self.path = path
        self.project = project
        self.text = text
        self.offset = offset
        cursor = CursorPath(at: offset, in: text)
        look = project.readableLook(at: path)
        place = LanguagePlace(cursor.keys, in: look.examination.document)
    }

    /// The text of the word around the place, without quotes.
    var word: String { String(decoding: text.bytes[wordBytes], as: UTF8.self) }

    /// The bytes of the word, without quotes.
    var wordBytes: Range<Int> {
        var range = cursor.word
        if let first = text.bytes[range].first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            range = (range.lowerBound + 1)..<range.upperBound
            if text.bytes[range].last == first { range = range.lowerBound..<(range.upperBound - 1) }
        }
        return range
    }

    /// The name that is defined or meant here.
    var name: Name? {
        if cursor.role == .key {
            return place.meaning(ofKey: word).map { Name(kind: $0, name: word, bytes: wordBytes) }
        }
        guard cursor.role != .comment, !cursor.word.isEmpty else { return nil }
        switch place.meaning {
        case .name(.type): return identifier.map { name(.type, $0) }
        case .name(let kind): return name(kind, wordBytes)
        case .target:
            // `{status:AccountStatus}`: what is before the colon is the parameter's own.
            guard let bytes = identifier, bytes.lowerBound > 0, text.bytes[bytes.lowerBound - 1] == UInt8(ascii: ":")
            else { return nil }
            return name(.type, bytes)
        case .credentials: return identifier.map { name(.credential, $0) }
        case .contract, nil: return nil
        }
    }

    /// The letters, digits and `_` around the place, within its word.
    var identifier: Range<Int>? {
        let bounds = wordBytes
        var start = min(max(offset, bounds.lowerBound), bounds.upperBound)
        var end = start
        while start > bounds.lowerBound, Self.isNameByte(text.bytes[start - 1]) { start -= 1 }
        while end < bounds.upperBound, Self.isNameByte(text.bytes[end]) { end += 1 }
        return start < end ? start..<end : nil
    }

    private func name(_ kind: NameKind, _ bytes: Range<Int>) -> Name {
        Name(kind: kind, name: String(decoding: text.bytes[bytes], as: UTF8.self), bytes: bytes)
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }
}
