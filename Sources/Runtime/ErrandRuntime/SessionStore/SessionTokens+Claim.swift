extension SessionTokens {
    /// The longest token that is looked into. Those of servers have a few kilobytes: they travel with every request.
    private static let maximumTokenSize = 64 << 10
    /// The longest claim that is given.
    private static let maximumClaimSize = 1 << 10

    /// A claim of a JSON Web Token (RFC 7519), a string or an integer, as text: for instance the user who is logged in
    /// (`sub`). Nil if the token isn't a JSON Web Token, or doesn't have the claim.
    ///
    /// The signature is *not* checked: that takes a key, and is the server's task. The claim tells sessions apart, and must not
    /// decide what a user may do.
    ///
    /// - Parameter name: the claim's name, at the top of the payload.
    public static func claim(_ name: String, of token: String) -> String? {
        guard token.utf8.count <= maximumTokenSize else { return nil }
        // Header, payload and signature (RFC 7515 section 7.1). An encrypted one has five parts, and tells nothing.
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = decode(parts[1]) else { return nil }
        let claim = try? JSON.scan(payload) { (reader: inout JSONReader) in read(name, from: &reader) }
        guard let claim, !claim.isEmpty, claim.utf8.count <= maximumClaimSize else { return nil }
        return claim
    }

    /// Base64 with the alphabet for URLs, without padding (RFC 7515 section 2).
    private static func decode(_ part: Substring.UTF8View) -> [UInt8]? {
        let quote = UInt8(ascii: "\"")
        let standard = part.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            // The base64url alphabet has neither.
            case UInt8(ascii: "+"), UInt8(ascii: "/"), quote: UInt8(ascii: "*")
            default: byte
            }
        }
        return try? JSON.scan([quote] + standard + [quote]) { (reader: inout JSONReader) in reader.readBytes() }
    }

    /// The last one of this name, as readers of JSON do it (RFC 7519 section 4).
    private static func read(_ name: String, from reader: inout JSONReader) -> String? {
        var found = ""
        var fields = reader.beginObject()
        while let key = reader.nextKey(&fields) {
            guard key == name else {
                reader.skipValue()
                continue
            }
            switch reader.peekKind() {
            case .string: found = reader.readString()
            case .number:
                let number = reader.readLenientString()
                found = number.allSatisfy { $0.isNumber || $0 == "-" } ? number : ""
            default: found = skipped(&reader)
            }
        }
        return reader.isFaulted ? nil : found
    }

    private static func skipped(_ reader: inout JSONReader) -> String {
        reader.skipValue()
        return ""
    }
}
