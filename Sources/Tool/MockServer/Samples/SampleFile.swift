import ContractModel

/// The file that the mock server sends where a contract has bytes.
///
/// It is the same one for each endpoint, so its checksums are written down here. The tool needs no library of digests for them, which would
/// take longer to build than the tool.
enum SampleFile {
    static let bytes = (1...20).flatMap { Array("Line \($0) of a file from the mock server.\n".utf8) }

    /// The digest of the bytes in Base64.
    static func digest(_ algorithm: ChecksumDefinition.Algorithm) -> String {
        switch algorithm {
        case .sha256: "Npqe0kCIZPyyKxfnNbToAJwTdkGuEcsK/diSuaCJDTE="
        case .sha512: "oxIKoBw6yE+N/WIGsLa7qL3SnaAexwmylQaVO6pNPXpiwqD5dPagrRmxCuPK1kpPiEIUMBiVIvgm1GG14id68w=="
        case .sha1: "ZIyJUCdo9cBv4ae8QIfF6zexXPk="
        case .md5: "PdiqiyKWqSRpGT2Gir37kQ=="
        }
    }

    /// The header that states the checksum of the bytes.
    static func field(_ checksum: ChecksumDefinition) -> (name: String, value: String) {
        let digest = digest(checksum.algorithm)
        guard let header = checksum.header else {
            // The names of the algorithms in RFC 9530 section 7.2.
            let key =
                switch checksum.algorithm {
                case .sha256: "sha-256"
                case .sha512: "sha-512"
                case .sha1: "sha"
                case .md5: "md5"
                }
            return ("Repr-Digest", "\(key)=:\(digest):")
        }
        switch header.encoding {
        case .base64: return (header.name, digest)
        case .hex:
            let bytes = TextCoding.bytes(ofBase64: digest) ?? []
            return (header.name, bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }
}
