import TestDigests

/// The signature that a client must have made, computed anew from the received request.
public enum Signature {
    public enum Algorithm: Sendable { case md5, hmacSHA256 }

    /// How a service wants the text to be made that is signed.
    public struct Rule: Sendable {
        public var algorithm: Algorithm
        public var key: String
        /// Text after the parameters, in which `{key}` is replaced by the key.
        public var append: String
        public var skipsEmpty: Bool
        public var trims: Bool
        public var encodesValues: Bool

        public init(
            algorithm: Algorithm, key: String, append: String = "", skipsEmpty: Bool = false, trims: Bool = false,
            encodesValues: Bool = false
        ) {
            self.algorithm = algorithm
            self.key = key
            self.append = append
            self.skipsEmpty = skipsEmpty
            self.trims = trims
            self.encodesValues = encodesValues
        }
    }

    /// Lower case hexadecimal.
    public static func of(_ parameters: [(name: String, value: String)], by rule: Rule) -> String {
        let text = Array(signedText(parameters, by: rule).utf8)
        switch rule.algorithm {
        case .md5: return hexadecimal(MD5.digest(text))
        case .hmacSHA256: return hexadecimal(SHA256.authenticate(text, key: Array(rule.key.utf8)))
        }
    }

    static func signedText(_ parameters: [(name: String, value: String)], by rule: Rule) -> String {
        parameters
            .map { ($0.name, rule.trims ? PercentCoding.trimmed($0.value) : $0.value) }
            .filter { !rule.skipsEmpty || !$0.1.isEmpty }
            .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
            .map { "\($0.0)=\(rule.encodesValues ? PercentCoding.encoded($0.1) : $0.1)" }
            .joined(separator: "&")
            + rule.append.replacing("{key}", with: rule.key)
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
