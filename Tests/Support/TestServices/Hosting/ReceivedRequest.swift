import Foundation

/// A request as it came in, in the words of the wire.
public struct ReceivedRequest: Sendable {
    public var method: String
    /// Below the service's base path, still percent-encoded.
    public var path: String
    public var rawQuery: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    public var receivedAt: ContinuousClock.Instant

    /// The first header of that name, ignoring case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// `POST /transfers`
    public var line: String { "\(method) \(path)" }

    /// The decoded segments of the path.
    public var segments: [String] {
        path.split(separator: "/").map { PercentCoding.decoded($0) ?? String($0) }
    }

    public var query: [(name: String, value: String)] {
        PercentCoding.pairs(rawQuery, plusIsSpace: true) ?? []
    }

    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The media type without its parameters, lower case.
    public var mediaType: String? {
        header("Content-Type")?.split(separator: ";").first.map { PercentCoding.trimmed($0).lowercased() }
    }

    /// Nil if the body isn't JSON.
    public var json: WireJSON? { WireJSON(parsing: body) }

    /// Nil if the body isn't a form.
    public var form: [(name: String, value: String)]? {
        guard mediaType == "application/x-www-form-urlencoded" else { return nil }
        return String(bytes: body, encoding: .utf8).flatMap { PercentCoding.pairs($0, plusIsSpace: true) }
    }

    /// Nil if the body is not made of parts.
    public var parts: [MultipartPart]? {
        header("Content-Type").flatMap { MultipartBody.parts(of: body, contentType: $0) }
    }

    /// The parameters in the body: a form's fields, the text parts of a multipart body, or the
    /// scalars at the top of a JSON object.
    public var bodyParameters: [(name: String, value: String)] {
        if let form { return form }
        if let parts {
            return parts.filter { $0.fileName == nil }.compactMap { part in part.text.map { (part.name, $0) } }
        }
        return (json?.members ?? []).compactMap { member in
            member.value.scalarText.map { (member.name, $0) }
        }
    }

    /// The contract's `parameters`: in the query for GET, HEAD and DELETE, in the body otherwise.
    public var parameters: [(name: String, value: String)] {
        carriesParametersInQuery ? query : bodyParameters
    }

    public var carriesParametersInQuery: Bool { ["GET", "HEAD", "DELETE"].contains(method) }

    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
