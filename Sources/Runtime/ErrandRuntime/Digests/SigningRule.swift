/// How requests are signed (`signing` in the contract). The parameters of query and body, sorted by
/// name, make a text `a=1&b=2`; its digest travels with the request.
public struct SigningRule: Sendable {
    /// How the digest is made. The module `ErrandDigests` has the algorithms that a contract can name, so that an app without
    /// signed requests builds no library for them.
    public struct Algorithm: Sendable {
        let digest: @Sendable (_ text: [UInt8], _ key: [UInt8]) -> [UInt8]

        /// - Parameter digest: makes the digest of a text; algorithms without a key leave it aside.
        public init(digest: @escaping @Sendable (_ text: [UInt8], _ key: [UInt8]) -> [UInt8]) {
            self.digest = digest
        }
    }

    /// The text over which the digest is computed.
    public enum Text: Sendable {
        /// `name=value` pairs sorted by name, byte by byte, joined with `&`.
        case sortedParameters
    }

    /// The part of each parameter that is percent-encoded in the signed text (RFC 3986 section 2.3).
    public enum Encoding: Sendable {
        case none
        /// The values, not the names.
        case values
    }

    /// In which letters the digest is written.
    public enum LetterCase: Sendable {
        case lower, upper
    }

    /// Where the digest goes.
    public enum Destination: Sendable {
        case header(String)
        case query(String)
        /// In the field of this name of a JSON or form body; in the query if the request has no such body.
        case body(String)
    }

    /// A further place that carries the parameters.
    public enum Carrier: Sendable {
        case none
        /// Each that is signed travels as a header too, with its raw value.
        case headers
    }

    let algorithm: Algorithm
    let text: Text
    let suffix: String
    let skipsEmpty: Bool
    let trims: Bool
    let encoding: Encoding
    let letterCase: LetterCase
    let headers: [String]
    let destination: Destination
    let carrier: Carrier

    /// - Parameters:
    ///   - text: what the digest is made over.
    ///   - suffix: what follows it, with `{key}` for the app's key: `&privateKey={key}`.
    ///   - skipEmpty: whether parameters without a value are left out.
    ///   - trim: whether white space around values is removed.
    ///   - encode: whether values are percent-encoded.
    ///   - letterCase: in which letters the digest is written.
    ///   - headers: the names of headers that are signed among the parameters, if a request has them.
    ///   - destination: the place of the signature.
    ///   - send: what else carries the parameters.
    public init(
        _ algorithm: Algorithm, over text: Text = .sortedParameters, append suffix: String = "",
        skipEmpty: Bool = false, trim: Bool = false, encode: Encoding = .none,
        case letterCase: LetterCase = .lower, headers: [String] = [], into destination: Destination,
        send: Carrier = .none
    ) {
        self.algorithm = algorithm
        self.text = text
        self.suffix = suffix
        self.skipsEmpty = skipEmpty
        self.trims = trim
        self.encoding = encode
        self.letterCase = letterCase
        self.headers = headers
        self.destination = destination
        self.carrier = send
    }
}

/// One parameter of query or body, in its signed form.
struct SignedParameter: Sendable, Hashable {
    var name: String
    var value: String
}

extension SignedParameter: CustomStringConvertible, CustomReflectable {
    /// The name: the value may be a secret.
    var description: String { name }
    var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
}

extension SigningRule {
    /// Whether a parameter is signed at all.
    func signs(_ parameter: SignedParameter) -> Bool {
        !skipsEmpty || !(trims ? Self.trim(parameter.value) : parameter.value).isEmpty
    }

    /// The parameters in the order and form in which they are signed.
    func prepare(_ parameters: [SignedParameter]) -> [SignedParameter] {
        var result: [SignedParameter] = []
        for parameter in parameters where signs(parameter) {
            var value = trims ? Self.trim(parameter.value) : parameter.value
            if case .values = encoding { value = PercentEncoding.encode(value) }
            result.append(SignedParameter(name: parameter.name, value: value))
        }
        // By bytes, not by characters; parameters of one name keep their order.
        return result.enumerated().sorted { first, second in
            let (one, two) = (first.element.name.utf8, second.element.name.utf8)
            return one.elementsEqual(two)
                ? first.offset < second.offset : one.lexicographicallyPrecedes(two)
        }.map(\.element)
    }

    /// The signature of prepared parameters.
    func sign(_ parameters: [SignedParameter], key: String) -> String {
        let pairs = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let message = Array((pairs + Self.fill(suffix, key: key)).utf8)
        return Hexadecimal.encode(algorithm.digest(message, Array(key.utf8)), isUppercase: letterCase == .upper)
    }

    private static func fill(_ template: String, key: String) -> String {
        template.split(separator: "{key}", omittingEmptySubsequences: false).joined(separator: key)
    }

    private static func trim(_ text: String) -> String {
        let isSpace = { (character: Character) in character.isWhitespace }
        let start = text.drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
    }
}
