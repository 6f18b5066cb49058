/// The inputs of one command as they were written into a request. They have nothing that is made anew for each attempt: no token, no
/// signature, no credential, no common parameter and no idempotency key.
///
/// The form in a store is `{"version":1,"path":"/messages","query":"","headers":["X-Room","7",""],"body":"json","type":"application/json",`
/// `"bytes":"…"}`.
package struct EncodedInputs: Sendable {
    package var path = ""
    var printedPath: String?
    /// A URL in the place of server and path.
    package var url: String?
    var isURLSensitive = false
    /// `name=value` pairs, encoded.
    package var query = ""
    var printedQuery: String?
    package var headers: [HTTPHeaders.Field] = []
    package var body: EncodedBody?
    /// What a signature covers, as names and values in turn.
    var parameters: [String] = []
    /// The texts that must not be printed.
    var secrets: [String] = []
    /// Whether there are secrets, also those that are too large for `secrets`. A store doesn't keep it.
    package var isSensitive = false
    /// The kept inputs of the read that confirms the command; nil without one.
    var confirmation: [UInt8]?
}

/// A body of a command's own inputs, to which fields may still be added.
package struct EncodedBody: Sendable, Equatable {
    /// How the body was written.
    enum Form: String, Sendable {
        /// Fields of a JSON object.
        case json
        /// A JSON value that the command wrote itself.
        case whole
        case form
        /// A multipart body that carries structures as JSON.
        case multipart
        /// A multipart body that carries structures in brackets.
        case brackets
        case raw
    }

    let form: Form
    /// The media type; the boundary of a multipart body.
    let type: String
    package let bytes: [UInt8]
}

extension EncodedInputs {
    static let version = 1
    private static let names = [
        "version", "path", "printedPath", "url", "urlIsSecret", "query", "printedQuery", "headers", "body", "type",
        "bytes", "parameters", "secrets", "confirmation",
    ]
    private static let keys = JSONKeys(names, optional: Array(names.dropFirst()))

    /// Reads inputs from a store; nil if the bytes aren't inputs of this version.
    package init?(kept bytes: [UInt8]) {
        guard let inputs = try? JSON.scan(bytes, { (reader: inout JSONReader) in Self.read(&reader) }) else {
            return nil
        }
        self = inputs
    }

    /// The bytes for a store.
    package var keptBytes: [UInt8]? {
        try? JSON.bytes { (writer: inout JSONWriter) in
            writer.beginObject()
            writer.key("version")
            writer.write(Self.version)
            for (name, text) in [
                ("path", path), ("printedPath", printedPath), ("url", url), ("query", query),
                ("printedQuery", printedQuery),
            ] {
                guard let text else { continue }
                writer.key(dynamic: name)
                writer.write(text)
            }
            if isURLSensitive {
                writer.key("urlIsSecret")
                writer.write(true)
            }
            let headers = headers.flatMap { [$0.name, $0.value, $0.marks] }
            for (name, list) in [("headers", headers), ("parameters", parameters), ("secrets", secrets)] {
                if list.isEmpty { continue }
                writer.key(dynamic: name)
                writer.writeArray(list) { text, writer in writer.write(text) }
            }
            if let body {
                writer.key("body")
                writer.write(body.form.rawValue)
                writer.key("type")
                writer.write(body.type)
                writer.key("bytes")
                writer.write(body.bytes)
            }
            if let confirmation {
                writer.key("confirmation")
                writer.write(confirmation)
            }
            writer.endObject()
        }
    }

    private static func read(_ reader: inout JSONReader) -> EncodedInputs? {
        var inputs = EncodedInputs()
        var (version, form, type, bytes): (Int, String?, String, [UInt8]) = (0, nil, "", [])
        var headers: [String] = []
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: version = reader.readInt()
            case 1: inputs.path = reader.readString()
            case 2: inputs.printedPath = reader.readString()
            case 3: inputs.url = reader.readString()
            case 4: inputs.isURLSensitive = reader.readBool()
            case 5: inputs.query = reader.readString()
            case 6: inputs.printedQuery = reader.readString()
            case 7: headers = reader.readArray { $0.readString() }
            case 8: form = reader.readString()
            case 9: type = reader.readString()
            case 10: bytes = reader.readBytes()
            case 11: inputs.parameters = reader.readArray { $0.readString() }
            case 12: inputs.secrets = reader.readArray { $0.readString() }
            case 13: inputs.confirmation = reader.readBytes()
            default:
                guard !reader.isFaulted, version == Self.version, headers.count % 3 == 0,
                    inputs.parameters.count % 2 == 0
                else { return nil }
                inputs.headers = stride(from: 0, to: headers.count, by: 3).map {
                    HTTPHeaders.Field(headers[$0], headers[$0 + 1], marks: headers[$0 + 2])
                }
                if let form {
                    guard let form = EncodedBody.Form(rawValue: form) else { return nil }
                    inputs.body = EncodedBody(form: form, type: type, bytes: bytes)
                }
                return inputs
            }
        }
    }
}

extension HTTPHeaders.Field {
    fileprivate init(_ name: String, _ value: String, marks: String) {
        self.init(
            name, value, isSensitive: marks.utf8.contains(UInt8(ascii: "s")),
            isForURL: marks.utf8.contains(UInt8(ascii: "u")))
    }

    /// `s` for a sensitive value, `u` for one that is written for the URL.
    fileprivate var marks: String { (isSensitive ? "s" : "") + (isForURL ? "u" : "") }
}

extension RequestEncoder {
    /// The inputs that a command has written, or why they can't be kept.
    consuming func takeInputs() -> Result<EncodedInputs, InvalidRequest> {
        var inputs = EncodedInputs()
        inputs.path = path
        inputs.printedPath = printedPath
        inputs.url = absoluteURL
        inputs.isURLSensitive = isAbsoluteURLSensitive
        inputs.query = queryText
        inputs.printedQuery = printedQuery
        inputs.headers = headers.fields
        inputs.parameters = parameters.flatMap { [$0.name, $0.value] }
        var secrets = self.secrets
        var problems = self.problems
        let names = sensitiveNames
        do throws(JSONError) {
            inputs.body = try body.taken()
        } catch {
            problems.append(BrokenField(name: "body", reason: "can't be kept: \(error.expectation)"))
        }
        if let body = inputs.body, body.form == .json || body.form == .whole {
            let scan = SecretScan.scan(body.bytes, under: names)
            secrets += scan?.texts ?? []
            inputs.isSensitive = !(scan?.places.isEmpty ?? names.isEmpty)
        }
        inputs.secrets = secrets
        inputs.isSensitive =
            inputs.isSensitive || inputs.isURLSensitive || !secrets.isEmpty
            || inputs.headers.contains(where: \.isSensitive)
        return problems.isEmpty ? .success(inputs) : .failure(InvalidRequest(broken: problems))
    }

    /// Writes kept inputs into the request, as the command did that they are from.
    mutating func write(_ inputs: EncodedInputs) {
        path = inputs.path
        printedPath = inputs.printedPath
        absoluteURL = inputs.url
        isAbsoluteURLSensitive = inputs.isURLSensitive
        isForURL = inputs.url != nil
        queryText = inputs.query
        printedQuery = inputs.printedQuery
        for header in inputs.headers {
            headers.append(header.name, header.value, isSensitive: header.isSensitive, isForURL: header.isForURL)
        }
        if isSigned {
            parameters = stride(from: 0, to: inputs.parameters.count - 1, by: 2).map {
                SignedParameter(name: inputs.parameters[$0], value: inputs.parameters[$0 + 1])
            }
        }
        secrets += inputs.secrets
        guard let kept = inputs.body else { return }
        if !body.restore(kept) {
            problems.append(BrokenField(name: "body", reason: "is kept in a damaged form"))
        }
    }
}
