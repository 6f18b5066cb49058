import ContractModel
import JSONTree

/// The content of a request by the encoding that the contract says.
package struct RequestContent {
    enum Body {
        case none
        case json(JSONNode)
        /// The pairs of a form, or the texts of a multipart body.
        case pairs([(name: String, value: String)])
        case bytes
    }

    var body = Body.none
    /// Why the body cannot be read, in words.
    package var problem: String?
    /// Whether the request had a body that the recorder did not keep.
    private(set) var isUnrecorded = false

    /// A body that was not recorded.
    package static var unrecorded: RequestContent {
        var content = RequestContent(.bytes)
        content.isUnrecorded = true
        return content
    }

    /// The pairs of a form, or of a multipart body whose files have an empty text.
    package init(pairs: [(name: String, value: String)]) { self.init(.pairs(pairs)) }

    private init(_ body: Body) { self.body = body }

    /// - Parameter isRecorded: whether messages have no numbers, so that they are the same for many requests.
    package init(_ request: MockRequest, of endpoint: ResolvedEndpoint, isRecorded: Bool = false) {
        guard let definition = endpoint.body else {
            // The parameters of all requests and the token of a session are in a body of their own.
            if endpoint.method?.sendsParametersInQuery == false, let value = try? JSONParser.parse(request.body) {
                body = .json(value)
            }
            return
        }
        switch definition.encoding {
        case .json:
            guard !request.body.isEmpty else { return }
            do {
                body = .json(try JSONParser.parse(request.body))
            } catch {
                let place = isRecorded ? "" : " (after \(error.offset) bytes)"
                problem = "the body is not JSON: \(error.message)\(place)"
            }
        case .form:
            guard let text = String(validating: request.body, as: UTF8.self) else {
                problem = "the body is not a form: it is not UTF-8"
                return
            }
            body = .pairs(TextCoding.pairs(text))
        case .multipart:
            guard let boundary = MultipartText.boundary(in: request.header("Content-Type") ?? "") else {
                problem = "the header `Content-Type` of a multipart body must be `multipart/form-data; boundary=…`"
                return
            }
            guard let parts = MultipartText.parts(of: request.body, boundary) else {
                problem = "the multipart body has no end, or more than \(MultipartText.mostParts) parts"
                return
            }
            body = .pairs(parts)
        case .xml, .bytes: body = .bytes
        }
        if request.header("Content-Encoding").map({ $0.lowercased() != "identity" }) ?? false {
            // A compressed body is taken as it is.
            (body, problem) = (.bytes, nil)
        }
    }

    /// The text of a field at the root of the body.
    func text(_ name: String) -> String? {
        switch body {
        case .json(let value): value[name]?.scalarText
        case .pairs(let pairs): pairs.first { $0.name == name }?.value
        case .none, .bytes: nil
        }
    }
}

/// The parts of a `multipart/form-data` body (RFC 7578).
enum MultipartText {
    static let mostParts = 1_000

    static func boundary(in contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let place = contentType.firstRange(of: "boundary=")
        else { return nil }
        let rest = contentType[place.upperBound...]
        let text =
            rest.hasPrefix("\"") ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != ";" && $0 != " " }
        return text.isEmpty || text.utf8.count > 70 ? nil : String(text)
    }

    /// The names and the texts of the parts. The text of a file is empty.
    static func parts(of body: [UInt8], _ boundary: String) -> [(name: String, value: String)]? {
        let mark = Array("--\(boundary)".utf8)
        var places: [Int] = []
        var position = 0
        while let found = body.firstIndex(of: mark, from: position) {
            places.append(found)
            position = found + mark.count
            if places.count > mostParts + 1 { return nil }
        }
        guard let last = places.last, body[(last + mark.count)...].starts(with: "--".utf8) else { return nil }
        return zip(places, places.dropFirst()).compactMap { start, end in
            part(body[(start + mark.count)..<end])
        }
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> (name: String, value: String)? {
        let blank = Array("\r\n\r\n".utf8)
        let all = Array(bytes)
        guard let end = all.firstIndex(of: blank, from: 0) else { return nil }
        let head = String(decoding: all[..<end], as: UTF8.self)
        guard let place = head.firstRange(of: " name=\"") else { return nil }
        let name = String(head[place.upperBound...].prefix { $0 != "\"" })
        let isFile = head.contains("filename=")
        let content = all[(end + blank.count)...].dropLast(2)
        return (name, isFile ? "" : String(decoding: content, as: UTF8.self))
    }
}

extension [UInt8] {
    /// Where a run of bytes begins.
    fileprivate func firstIndex(of run: [UInt8], from start: Int) -> Int? {
        guard let first = run.first, count >= run.count else { return nil }
        var position = start
        while position + run.count <= count {
            guard let next = self[position...].firstIndex(of: first), next + run.count <= count else { return nil }
            if self[next..<next + run.count].elementsEqual(run) { return next }
            position = next + 1
        }
        return nil
    }
}
