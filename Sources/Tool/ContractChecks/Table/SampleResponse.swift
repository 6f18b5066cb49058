import ContractModel
import Diagnostics

/// A response that could come, by which a fault of a decision table is shown.
package struct SampleResponse: Sendable, Equatable {
    package var status: Int
    /// The envelope's code; `nil` if the body has none.
    package var code: String?
    /// Scalars in the body, by path.
    package var body: [FieldPath: String]
    /// Values of headers, by names in lowercase.
    package var headers: [String: String] = [:]
    /// The body, if it is text that is no JSON.
    package var plainText: String?
    /// Whether it is a frame. A status other than 200 is then one of a refused handshake.
    package var isFrame: Bool
    /// Whether it is a frame of the kind that the connection has for failures.
    package var isFailureFrame = false

    package init(status: Int, code: String? = nil, body: [FieldPath: String] = [:], isFrame: Bool = false) {
        self.isFrame = isFrame
        self.status = status
        self.code = code
        self.body = body
    }

    /// The response in one line: `HTTP 200 {"error":{"code":900001}}`, or `a reply {"code":900001}` for a frame.
    package func text(in envelope: EnvelopeDefinition?) -> String {
        var values = body
        if let code, let path = envelope?.code?.value { values[path] = code }
        let reply = isFailureFrame ? "a frame that reports a failure" : "a reply"
        let start = isFrame ? status == 200 ? reply : "a handshake with HTTP \(status)" : "HTTP \(status)"
        var parts = headers.sorted { $0.key < $1.key }.map { "`\($0.key): \($0.value)`" }
        if let plainText { parts.append("the text `\(plainText)`") }
        let head = parts.isEmpty ? start : "\(start) with \(parts.joined(separator: " and "))"
        guard !values.isEmpty else { return head }
        return head + " "
            + Self.object(values.map { ($0.key.keys[...], $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) })
    }

    /// How many texts it has beside its status.
    package var size: Int { body.count + headers.count + (plainText == nil ? 0 : 1) }

    // MARK: Texts

    /// Its text at a place; nil without one.
    package func text(at place: ResponseMatch.Place, in envelope: EnvelopeDefinition?) -> String? {
        switch place {
        case .body(let keys):
            let path = FieldPath(keys)
            return path == envelope?.code?.value ? code : body[path]
        case .header(let name): return headers[name]
        case .text: return plainText
        }
    }

    package mutating func put(_ text: String, at place: ResponseMatch.Place, in envelope: EnvelopeDefinition?) {
        switch place {
        case .body(let keys):
            let path = FieldPath(keys)
            if path == envelope?.code?.value { code = text } else { body[path] = text }
        case .header(let name): headers[name] = text
        case .text: plainText = text
        }
    }

    // MARK: JSON

    /// The paths begin with the same keys and differ from here on; they are sorted.
    private static func object(_ values: [(ArraySlice<String>, String)]) -> String {
        var parts: [String] = []
        var rest = values[...]
        while let key = rest.first?.0.first {
            let group = rest.prefix { $0.0.first == key }
            rest = rest.dropFirst(group.count)
            let inner = group.map { ($0.0.dropFirst(), $0.1) }.filter { !$0.0.isEmpty }
            let value = inner.isEmpty ? literal(group.first?.1 ?? "") : object(inner)
            parts.append("\"\(escaped(key))\":\(value)")
        }
        return "{\(parts.joined(separator: ","))}"
    }

    /// Numbers and truth values as servers send them; conditions compare their text.
    private static func literal(_ text: String) -> String {
        if text == "true" || text == "false" { return text }
        let isNumber =
            (1..<19).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (text == "0" || !text.hasPrefix("0"))
        return isNumber ? text : "\"\(escaped(text))\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\"")
    }
}

extension DecisionRow {
    /// Whether a response fulfills everything that the row names.
    func matches(_ response: SampleResponse, in envelope: EnvelopeDefinition?) -> Bool {
        matches(status: response.status, code: response.code ?? "") { match in
            response.text(at: match.place, in: envelope).map(match.pattern.matches) ?? false
        }
    }
}
