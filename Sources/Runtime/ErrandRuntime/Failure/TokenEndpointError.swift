/// Why an authorization server refuses a renewal (RFC 6749 section 5.2).
enum TokenEndpointError: String, Error, CaseIterable {
    /// The refresh token is invalid, expired or revoked, or was issued to another client.
    case invalidGrant = "invalid_grant"
    case invalidClient = "invalid_client"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"

    /// The error in a response; nil if the response has none of these, and for a status other than 4xx.
    ///
    /// The type of the content is not looked at, because some servers send JSON as HTML.
    init?(in response: TransportResponse) {
        guard (400..<500).contains(response.status), response.body.count <= Self.maximumBodySize else { return nil }
        let name = try? JSON.scan(response.body) { (reader: inout JSONReader) in Self.name(from: &reader) }
        guard let name, let error = Self(rawValue: name) else { return nil }
        self = error
    }

    private static let maximumBodySize = 64 << 10

    private static func name(from reader: inout JSONReader) -> String? {
        guard case .object = reader.peekKind() else { return nil }
        var name: String?
        var fields = reader.beginObject()
        while let key = reader.nextKey(&fields) {
            if key == "error", case .string = reader.peekKind() {
                name = reader.readString()
            } else {
                reader.skipValue()
            }
        }
        return reader.isFaulted ? nil : name
    }
}
