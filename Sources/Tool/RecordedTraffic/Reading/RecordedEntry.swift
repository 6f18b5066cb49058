import JSONTree
import MockServer

/// A request of a recording with its response: an entry of HAR 1.2.
package struct RecordedEntry: Sendable {
    /// Why an entry cannot be judged.
    struct Fault: Error {
        let message: String
        /// The URL of the request, if it can be read.
        var url: String?
    }

    enum Body: Sendable {
        case none
        case recorded([UInt8])
        /// The fields of a form, if the recording has no text.
        case pairs([(name: String, value: String)])
        /// There was one, or there may have been one, that the recording does not have.
        case unrecorded
    }

    var method: String
    /// Nil for what is not a URL of HTTP, such as `data:`.
    var url: RecordedURL?
    var headers: [(name: String, value: String)]
    var body: Body
    /// 0 for a request without a response.
    var status: Int
    var responseHeaders: [(name: String, value: String)]
    var responseBody: Body
    /// Whether the recording has less of the request's body than there was.
    var isRequestCut = false
    /// Whether the recording has less of the response's body than there was.
    var isResponseCut = false
    /// Where a redirect leads.
    var redirect: String?
    /// Whether messages came over the connection that the request opened.
    var hasMessages: Bool
    /// Whether the entry is for a part of a page, such as an image or a script.
    var isPagePart: Bool

    /// The members of an entry that are read.
    static let members: Set<String> = ["request", "response", "_resourceType"]
    /// The members of an entry of which only matters whether they have content.
    static let noted: Set<String> = ["_webSocketMessages"]
    /// How many values an entry may have, beside its bodies, which are texts.
    static let mostValues = 200_000

    /// The question of a browser whether it may send a request (Fetch, section 3.3).
    var isPreflight: Bool {
        method == "OPTIONS" && headers.contains { $0.name.lowercased() == "access-control-request-method" }
    }

    func responseHeader(_ name: String) -> String? {
        responseHeaders.first { $0.name.lowercased() == name }?.value
    }

    // MARK: Reading

    init(_ bytes: [UInt8]) throws(Fault) {
        let entry: JSONNode
        do {
            entry = try JSONParser.parse(bytes, atMost: Self.mostValues, replacingHalfPairs: true)
        } catch {
            throw Fault(message: "it is not JSON: \(error.message)")
        }
        do throws(Fault) {
            try self.init(entry)
        } catch {
            throw Fault(message: error.message, url: Self.url(of: entry))
        }
    }

    /// The URL of the request in an entry that is not read.
    static func url(in bytes: [UInt8]) -> String? {
        (try? JSONParser.parse(bytes, atMost: mostValues, replacingHalfPairs: true)).flatMap { url(of: $0) }
    }

    private static func url(of entry: JSONNode) -> String? {
        if case .string(let url)? = entry["request"]?["url"] { url } else { nil }
    }

    private init(_ entry: JSONNode) throws(Fault) {
        let request = try Self.object(entry["request"], "request")
        let response = try Self.object(entry["response"], "response")
        guard case .string(let method)? = request["method"] else { throw Self.missing("request.method", "a string") }
        guard case .string(let url)? = request["url"] else { throw Self.missing("request.url", "a string") }
        guard let status = response["status"]?.scalarText.flatMap(Int.init), (0...999).contains(status) else {
            throw Self.missing("response.status", "a number from 0 to 999")
        }
        self.method = method.uppercased()
        self.url = RecordedURL(url)
        self.status = status
        headers = try Self.headers(of: request, "request")
        responseHeaders = try Self.headers(of: response, "response")
        if !headers.contains(where: { $0.name.lowercased() == "cookie" }), let cookies = Self.cookies(of: request) {
            headers.append(("Cookie", cookies))
        }
        body = Self.requestBody(of: request)
        if case .recorded(let bytes) = body, let size = request["bodySize"]?.scalarText.flatMap(Double.init) {
            isRequestCut = Double(bytes.count) < size
        }
        (responseBody, isResponseCut) = Self.responseBody(of: response)
        if case .string(let target)? = response["redirectURL"], !target.isEmpty { redirect = target }
        hasMessages = entry["_webSocketMessages"] == .bool(true)
        isPagePart = entry["_resourceType"]?.scalarText.map(Self.pageParts.contains) ?? false
        if case .recorded? = Optional(body), !headers.contains(where: { $0.name.lowercased() == "content-type" }),
            case .string(let type)? = request["postData"]?["mimeType"], !type.isEmpty
        {
            headers.append(("Content-Type", type))
        }
        redirect = redirect ?? responseHeader("location")
    }

    private static let pageParts: Set<String> = [
        "document", "stylesheet", "image", "media", "font", "script", "texttrack", "manifest",
    ]

    private static func missing(_ name: String, _ kind: String) -> Fault {
        Fault(message: "`\(name)` is missing, or is not \(kind)")
    }

    private static func object(_ node: JSONNode?, _ name: String) throws(Fault) -> JSONNode {
        guard let node, node.members != nil else { throw missing(name, "an object") }
        return node
    }

    /// The headers without those that only HTTP/2 has (RFC 9113, section 8.3).
    private static func headers(of part: JSONNode, _ name: String) throws(Fault) -> [(name: String, value: String)] {
        guard let node = part["headers"] else { return [] }
        guard let list = node.elements else { throw missing("\(name).headers", "a list") }
        return list.compactMap { header in
            guard case .string(let name)? = header["name"], case .string(let value)? = header["value"],
                !name.hasPrefix(":")
            else { return nil }
            return (name, value)
        }
    }

    private static func cookies(of request: JSONNode) -> String? {
        let pairs = (request["cookies"]?.elements ?? []).compactMap { cookie -> String? in
            guard case .string(let name)? = cookie["name"], case .string(let value)? = cookie["value"] else {
                return nil
            }
            return "\(name)=\(value)"
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    private static func requestBody(of request: JSONNode) -> Body {
        guard let data = request["postData"], data.members != nil else {
            // The size is -1 if it is not known.
            let size = request["bodySize"]?.scalarText.flatMap(Double.init) ?? 0
            return size == 0 ? .none : .unrecorded
        }
        if case .string(let text)? = data["text"], !text.isEmpty {
            return bytes(of: text, data["encoding"]).map(Body.recorded) ?? .unrecorded
        }
        let parameters = (data["params"]?.elements ?? []).compactMap { parameter -> (name: String, value: String)? in
            guard case .string(let name)? = parameter["name"] else { return nil }
            return (name, parameter["fileName"] == nil ? parameter["value"]?.scalarText ?? "" : "")
        }
        if !parameters.isEmpty { return .pairs(parameters) }
        let size = request["bodySize"]?.scalarText.flatMap(Double.init) ?? 0
        return size == 0 ? .none : .unrecorded
    }

    private static func responseBody(of response: JSONNode) -> (body: Body, isCut: Bool) {
        let content = response["content"] ?? .null
        let size = content["size"]?.scalarText.flatMap(Double.init) ?? -1
        guard case .string(let text)? = content["text"] else {
            let sent = response["bodySize"]?.scalarText.flatMap(Double.init) ?? -1
            return (size == 0 && sent == 0 ? .none : .unrecorded, false)
        }
        guard let bytes = bytes(of: text, content["encoding"]) else { return (.unrecorded, false) }
        return (bytes.isEmpty ? size > 0 ? .unrecorded : .none : .recorded(bytes), Double(bytes.count) < size)
    }

    private static func bytes(of text: String, _ encoding: JSONNode?) -> [UInt8]? {
        guard encoding?.scalarText?.lowercased() == "base64" else { return Array(text.utf8) }
        return TextCoding.bytes(ofBase64: text)
    }
}
