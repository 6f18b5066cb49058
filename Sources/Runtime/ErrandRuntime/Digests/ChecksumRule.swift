import ErrandJSON

/// How a response states the checksum of its bytes (`checksum` in the contract).
public struct ChecksumRule: Sendable {
    /// The function that computes a checksum. The module `ErrandDigests` has the algorithms that a contract can name.
    public struct Algorithm: Sendable {
        let key: String
        let size: Int
        let makeFunction: @Sendable () -> any ChecksumFunction

        /// - Parameters:
        ///   - key: the name of the algorithm in `Repr-Digest` (RFC 9530 section 7.2): `sha-256`.
        ///   - size: the number of bytes of a checksum.
        ///   - makeFunction: makes a function that has not taken any bytes yet.
        public init(_ key: String, size: Int, by makeFunction: @escaping @Sendable () -> any ChecksumFunction) {
            self.key = key
            self.size = size
            self.makeFunction = makeFunction
        }
    }

    /// How a header of the service's own spells the checksum.
    public enum Encoding: Sendable {
        /// Two hexadecimal digits for each byte.
        case hex
        /// Base64 (RFC 4648 section 4).
        case base64
    }

    private enum Place: Sendable {
        case representationDigest
        case header(String, Encoding)
    }

    let algorithm: Algorithm
    private let place: Place

    /// The checksum is in the header `Repr-Digest` (RFC 9530 section 3).
    public init(_ algorithm: Algorithm) {
        self.algorithm = algorithm
        place = .representationDigest
    }

    /// The checksum is in a header of the service's own.
    public init(_ algorithm: Algorithm, header: String, encoding: Encoding = .hex) {
        self.algorithm = algorithm
        place = .header(header, encoding)
    }

    /// The checksum that the bytes of a response must have; nil if the response states none, or one that cannot be read, or if
    /// the bytes came in another coding than the one that was digested.
    func checksum(in headers: HTTPHeaders) -> FileChecksum? {
        guard !headers.hasContentCoding, let digest = digest(in: headers), digest.count == algorithm.size else {
            return nil
        }
        return FileChecksum(digest, by: algorithm.makeFunction)
    }

    /// The header that states the checksum of the bytes, for servers in tests.
    package func field(for bytes: [UInt8]) -> HTTPHeaders.Field {
        var function = algorithm.makeFunction()
        bytes.withUnsafeBytes { function.update($0) }
        let digest = function.finalize()
        return switch place {
        case .representationDigest: HTTPHeaders.Field("Repr-Digest", "\(algorithm.key)=:\(JSONText.of(digest)):")
        case .header(let name, .base64): HTTPHeaders.Field(name, JSONText.of(digest))
        case .header(let name, .hex):
            HTTPHeaders.Field(name, Hexadecimal.encode(digest))
        }
    }

    private func digest(in headers: HTTPHeaders) -> [UInt8]? {
        switch place {
        case .representationDigest:
            // Several fields of the name are one dictionary, in which the last member of a key counts (RFC 9651 section 3.2).
            headers.fields.filter { HTTPHeaders.isEqual($0.name, "Repr-Digest") }
                .flatMap { $0.value.utf8.split(separator: UInt8(ascii: ",")) }
                .compactMap { member($0) }.last
        case .header(let name, let encoding):
            headers[name].flatMap { Self.decode(Self.unquoted($0), encoding) }
        }
    }

    /// The bytes of a member `sha-256=:…:`, with parameters or without. Nil for a member of another key.
    private func member(_ text: Substring.UTF8View) -> [UInt8]? {
        let parts = HTTPHeaders.trimmed(String(Substring(text))).utf8
            .split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, String(Substring(parts[0])) == "\(algorithm.key)=" else { return nil }
        return Self.decode(String(Substring(parts[1])), .base64)
    }

    private static func decode(_ text: String, _ encoding: Encoding) -> [UInt8]? {
        switch encoding {
        case .base64:
            var text = text
            return text.withUTF8 { Base64.decode($0) }
        case .hex: return Hexadecimal.decode(text)
        }
    }

    /// The text of an entity tag, or a value as it is.
    private static func unquoted(_ value: String) -> String {
        let isQuoted = value.utf8.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
        return isQuoted ? String(value.dropFirst().dropLast()) : value
    }
}
