/// How the fields of a body are written.
public enum BodyEncoding: String, Sendable, CaseIterable {
    /// An object (RFC 8259 section 4).
    case json
    /// `application/x-www-form-urlencoded`.
    case form
    /// `multipart/form-data` (RFC 7578), the only one that takes files.
    case multipart
}

/// How a multipart body carries lists, maps and structures.
public enum BodyNesting: String, Sendable, CaseIterable {
    /// One part with the value as JSON.
    case json
    /// A part for each inner value, with its place in brackets: `items[0][price]`.
    case brackets
}

/// A file in a multipart body.
public struct FilePart: Sendable {
    /// The bytes of the file, or where they are read from while they are sent.
    public var content: BodySource
    /// The file name for the server.
    public var fileName: String
    /// The media type (RFC 9110 section 8.3); nil for the contract's, or `application/octet-stream`.
    public var contentType: String?

    public init(_ bytes: [UInt8], fileName: String, contentType: String? = nil) {
        self.init(.bytes(bytes), fileName: fileName, contentType: contentType)
    }

    /// The same with content that is read while it is sent:
    ///
    ///     FilePart(try .file(at: url), fileName: "movie.mov")
    public init(_ content: BodySource, fileName: String, contentType: String? = nil) {
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
    }
}

extension FilePart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size, not the bytes.
    public var description: String { "\(fileName), \(content)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["fileName": fileName, "size": content.length as Any], displayStyle: .struct)
    }
}

extension RequestEncoder {
    /// Opens a body of fields. It is closed by itself, after common parameters were added to it.
    public mutating func beginBody(_ encoding: BodyEncoding, nesting: BodyNesting = .json) {
        body.begin(encoding, nesting, chance)
    }

    /// Writes a field of the body.
    ///
    /// - Parameter contentType: the media type of the part in a multipart body. Without one, the part is text.
    public mutating func field<Value: RequestValue>(
        _ name: String, _ value: Value, contentType: String? = nil, sensitive: Bool = false
    ) {
        if isSigned || sensitive || !body.isJSON {
            guard let text = text(of: value, name, sensitive || isSensitive(field: name)) else { return }
            note(parameter: name, text)
            if !body.isJSON { return writePart(name, text, contentType) }
        }
        body.write(name) { value.write(to: &$0) }
    }

    /// Writes a field whose value is JSON: a model, a list, null. In a multipart body, the value is one part. In a form and in a
    /// multipart body with ``BodyNesting/brackets``, each text, number and bool in the JSON becomes a field of its own:
    /// `items[0][price]=x`.
    ///
    /// - Parameter contentType: the media type of the JSON in a multipart body, which is then always one part.
    public mutating func field(
        _ name: String, contentType: String? = nil, sensitive: Bool = false, _ write: (inout JSONWriter) -> Void
    ) {
        if isSigned || sensitive || !body.isJSON {
            guard let json = try? JSON.bytes(write) else {
                problems.append(BrokenField(name: name, reason: "has no form in JSON"))
                return
            }
            let text = String(decoding: json, as: UTF8.self)
            secrets +=
                sensitive || isSensitive(field: name)
                ? SecretScan.values(in: json) : SecretScan.scan(json, under: sensitiveNames)?.texts ?? []
            if body.usesBrackets, contentType == nil { return fields(name, json) }
            note(parameter: name, isSigned ? Self.unquoted(json) ?? text : text)
            if !body.isJSON { return writePart(name, text, contentType ?? "application/json") }
        }
        body.write(name, write)
    }

    private mutating func writePart(_ name: String, _ text: String, _ contentType: String?) {
        if let contentType, !BodyWriter.isClean(contentType) {
            problems.append(BrokenField(name: name, reason: "must have a media type without control characters"))
            return
        }
        body.write(name, text: text, contentType: contentType)
    }

    private mutating func fields(_ name: String, _ json: [UInt8]) {
        guard let found = FormPairs(json, under: name) else { return }
        if let key = found.refusedKey {
            let what = key.isEmpty ? "an empty key" : "a key with brackets"
            problems.append(BrokenField(name: name, reason: "has \(what), which a name in brackets cannot contain"))
        }
        for (name, text) in found.pairs {
            note(parameter: name, text)
            body.write(name, text: text)
        }
    }

    /// The text of a JSON string, which is signed as it would be in a query; nil for any other value.
    private static func unquoted(_ json: [UInt8]) -> String? {
        json.first == UInt8(ascii: "\"") ? try? JSON.scan(json) { $0.readString() } : nil
    }

    /// Whether a field of a form or of parts has a sensitive name. The redaction of a response searches JSON for these names,
    /// but no other body.
    private func isSensitive(field name: String) -> Bool { !body.isJSON && sensitiveNames.contains(name) }

    /// Writes a file into a multipart body.
    ///
    /// - Parameter contentType: the contract's media type, which one of the file's own replaces.
    public mutating func file(
        _ name: String, _ file: FilePart, contentType: String = "application/octet-stream"
    ) {
        let type = file.contentType ?? contentType
        guard BodyWriter.isClean(type), body.write(name, file, contentType: type) else {
            problems.append(BrokenField(name: name, reason: "must be a file of a multipart body"))
            return
        }
    }

    /// Sets the media type of a JSON body, such as `application/vnd.api+json`.
    public mutating func contentType(_ type: String) {
        body.jsonType = type
    }

    /// Writes the whole body as one JSON value.
    public mutating func bodyJSON(_ write: (inout JSONWriter) -> Void) {
        body.beginWhole()
        write(&body.json)
    }

    /// Takes bytes as the body.
    public mutating func body(bytes: [UInt8], contentType: String = "application/octet-stream") {
        body.take(.bytes(bytes), contentType: contentType)
    }

    /// Takes a body that is read while it is sent.
    public mutating func body(_ content: BodySource, contentType: String = "application/octet-stream") {
        body.take(content, contentType: contentType)
    }
}
