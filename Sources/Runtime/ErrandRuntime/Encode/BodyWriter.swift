/// The encoding of a written body. Its media type may have any spelling; this type describes its bytes.
enum BodyContent: Sendable {
    /// One JSON document.
    case json
    /// A form or parts, whose fields were looked at when they were written.
    case fields
    /// Bytes that the command had already.
    case opaque
}

/// A finished body: in memory, or streamed.
struct WrittenBody {
    var bytes: [UInt8]?
    var streamed: BodySource?
    let contentType: String
    let content: BodyContent

    init(bytes: [UInt8], contentType: String, content: BodyContent) {
        self.bytes = bytes
        self.contentType = contentType
        self.content = content
    }

    /// Streamed parts with bytes after them.
    init(_ parts: [BodySource], _ bytes: [UInt8], contentType: String, content: BodyContent) {
        self.init(bytes: bytes, contentType: contentType, content: content)
        if parts.isEmpty { return }
        streamed = BodySource(joining: bytes.isEmpty ? parts : parts + [.bytes(bytes)])
        self.bytes = nil
    }
}

/// Writes a body directly into its bytes, in any encoding.
struct BodyWriter: ~Copyable {
    private enum State {
        /// No body.
        case none
        /// An object that is still open.
        case fields
        /// A JSON value that the command wrote itself.
        case whole
        case form
        case multipart(boundary: String, BodyNesting)
        case raw(contentType: String)
    }

    private var state = State.none
    private var bytes: [UInt8] = []
    /// The content before `bytes`, if a part of the body is streamed.
    private var streamed: [BodySource] = []
    /// The media type of `.fields` and `.whole`.
    var jsonType = "application/json"
    /// The document of `.fields` and `.whole`.
    var json = JSONWriter(capacity: 64)
    /// A member that the object of `.whole` gets at its end, as JSON: `"name":"value"`.
    private var lastMember: [UInt8] = []

    init() {}

    /// Whether fields are members of a JSON object.
    var isJSON: Bool {
        switch state {
        case .fields, .none, .whole: true
        case .form, .multipart, .raw: false
        }
    }

    /// Whether an inner value is a field of its own, with its place in brackets.
    var usesBrackets: Bool {
        switch state {
        case .form, .multipart(_, .brackets): true
        case .multipart(_, .json), .none, .fields, .whole, .raw: false
        }
    }

    // MARK: Opening

    mutating func begin(_ encoding: BodyEncoding, _ nesting: BodyNesting, _ chance: RandomSource) {
        switch encoding {
        case .json:
            json = JSONWriter()
            json.beginObject()
            state = .fields
        case .form: state = .form
        case .multipart: state = .multipart(boundary: chance.boundary(), nesting)
        }
    }

    mutating func beginWhole() {
        json = JSONWriter()
        state = .whole
    }

    mutating func take(_ content: BodySource, contentType: String) {
        append(content)
        state = .raw(contentType: contentType)
    }

    /// Whether a parameter can be a field of this body; opens a body if none is open yet.
    mutating func makeRoomForFields(isEmptyAllowed: Bool) -> Bool {
        switch state {
        case .fields, .form, .multipart: return true
        case .whole, .raw: return false
        case .none:
            guard isEmptyAllowed else { return false }
            json = JSONWriter()
            json.beginObject()
            state = .fields
            return true
        }
    }

    // MARK: Fields

    mutating func write(_ name: String, _ value: (inout JSONWriter) -> Void) {
        guard makeRoomForFields(isEmptyAllowed: true) else { return }
        json.key(dynamic: name)
        value(&json)
    }

    /// - Parameter contentType: the media type of a part; a form has none.
    mutating func write(_ name: String, text: String, contentType: String? = nil) {
        switch state {
        case .form:
            if !bytes.isEmpty { bytes.append(0x26) }
            PercentEncoding.appendForm(name, to: &bytes)
            bytes.append(0x3D)
            PercentEncoding.appendForm(text, to: &bytes)
        case .multipart(let boundary, _):
            beginPart(name, boundary)
            if let contentType { append("\r\nContent-Type: \(contentType)") }
            append("\r\n\r\n\(text)\r\n")
        case .none, .fields, .whole, .raw: break
        }
    }

    /// False if the body is not multipart.
    mutating func write(_ name: String, _ file: FilePart, contentType: String) -> Bool {
        guard case .multipart(let boundary, _) = state else { return false }
        beginPart(name, boundary)
        append("; filename=\"")
        append(quoted: file.fileName)
        append("\"\r\nContent-Type: \(contentType)\r\n\r\n")
        append(file.content)
        append("\r\n")
        return true
    }

    private mutating func beginPart(_ name: String, _ boundary: String) {
        append("--\(boundary)\r\nContent-Disposition: form-data; name=\"")
        append(quoted: name)
        append("\"")
    }

    /// Names are escaped as browsers do it: quotes and line breaks percent-encoded (RFC 7578
    /// section 2 and the HTML standard).
    private mutating func append(quoted text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x22: append("%22")
            case 0x0D: append("%0D")
            case 0x0A: append("%0A")
            default: bytes.append(byte)
            }
        }
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func append(_ content: BodySource) {
        if let inMemory = content.inMemory {
            bytes += inMemory
        } else {
            if !bytes.isEmpty { streamed.append(.bytes(bytes)) }
            streamed.append(content)
            bytes = []
        }
    }

    // MARK: Whole documents

    /// Adds a text to the object that the command writes whole; false if it writes none.
    mutating func add(_ name: String, toWhole text: String) -> Bool {
        guard case .whole = state else { return false }
        var member = JSONWriter(capacity: 64)
        member.beginObject()
        member.key(dynamic: name)
        member.write(text)
        member.endObject()
        let object = (try? member.finish()) ?? []
        lastMember = Array(object.dropFirst().dropLast())
        return true
    }

    private static func add(_ member: [UInt8], to document: inout [UInt8]) throws(JSONError) {
        guard document.popLast() == UInt8(ascii: "}") else {
            throw JSONError(code: .notWritable, byteOffset: document.count, expectation: "an object")
        }
        if document.count > 1 { document.append(UInt8(ascii: ",")) }
        document += member + [UInt8(ascii: "}")]
    }

    // MARK: Closing

    /// The body, its media type and what it was written as; nil for no body.
    consuming func finish() throws(JSONError) -> WrittenBody? {
        switch state {
        case .none: return nil
        case .fields:
            json.endObject()
            return WrittenBody(bytes: try json.finish(), contentType: jsonType, content: .json)
        case .whole:
            let member = lastMember
            var document = try json.finish()
            if !member.isEmpty { try Self.add(member, to: &document) }
            return WrittenBody(bytes: document, contentType: jsonType, content: .json)
        case .form: return WrittenBody(bytes: bytes, contentType: "application/x-www-form-urlencoded", content: .fields)
        case .raw(let contentType): return WrittenBody(streamed, bytes, contentType: contentType, content: .opaque)
        case .multipart(let boundary, _):
            append("--\(boundary)--\r\n")
            return WrittenBody(
                streamed, bytes, contentType: "multipart/form-data; boundary=\(boundary)", content: .fields)
        }
    }

    // MARK: Keeping

    /// The body as far as the command has written it; nil for no body.
    ///
    /// - Throws: a fault if the body is not complete in memory.
    consuming func taken() throws(JSONError) -> EncodedBody? {
        guard streamed.isEmpty else {
            throw JSONError(code: .notWritable, byteOffset: 0, expectation: "bytes in memory in place of a file")
        }
        switch state {
        case .none: return nil
        case .fields:
            json.endObject()
            return EncodedBody(form: .json, type: jsonType, bytes: try json.finish())
        case .whole: return EncodedBody(form: .whole, type: jsonType, bytes: try json.finish())
        case .form: return EncodedBody(form: .form, type: "", bytes: bytes)
        case .multipart(let boundary, .json): return EncodedBody(form: .multipart, type: boundary, bytes: bytes)
        case .multipart(let boundary, .brackets): return EncodedBody(form: .brackets, type: boundary, bytes: bytes)
        case .raw(let contentType): return EncodedBody(form: .raw, type: contentType, bytes: bytes)
        }
    }

    /// Continues a body that was kept. False if it is damaged.
    mutating func restore(_ kept: EncodedBody) -> Bool {
        switch kept.form {
        case .json, .whole:
            guard let value = try? JSONValue(parsing: kept.bytes) else { return false }
            jsonType = kept.type
            json = JSONWriter()
            if kept.form == .whole {
                json.write(value)
                state = .whole
                return true
            }
            guard case .object(let object) = value else { return false }
            json.beginObject()
            for (name, member) in object {
                json.key(dynamic: name)
                json.write(member)
            }
            state = .fields
            return true
        case .form: state = .form
        case .multipart: state = .multipart(boundary: kept.type, .json)
        case .brackets: state = .multipart(boundary: kept.type, .brackets)
        case .raw: state = .raw(contentType: kept.type)
        }
        bytes = kept.bytes
        return true
    }

    /// Whether text is allowed in a header field.
    static func isClean(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
