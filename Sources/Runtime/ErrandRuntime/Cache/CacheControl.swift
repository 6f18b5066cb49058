/// The directives of `Cache-Control` (RFC 9111 section 5.2).
struct CacheControl: Sendable {
    /// More directives than a message has.
    private static let maximumCount = 64
    /// The size of the longest field that is read, in bytes.
    private static let maximumSize = 8 << 10

    /// The names in lowercase, with the text after `=`.
    private var directives: [(name: String, value: String?)] = []

    init(_ headers: HTTPHeaders) {
        for field in headers.fields where HTTPHeaders.isEqual(field.name, "Cache-Control") {
            let elements = Self.elements(of: field.value)
            // Whatever is not read may forbid to store the response.
            guard field.value.utf8.count <= Self.maximumSize, directives.count + elements.count <= Self.maximumCount
            else {
                directives = [("no-store", nil)]
                return
            }
            directives += elements.map(Self.directive)
        }
    }

    /// Whether a directive is there, with or without a value.
    ///
    /// `no-cache` and `private` can name fields. Like most caches, this one takes these forms for the ones without names (section
    /// 5.2.2.4), which allow less.
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// A number of seconds.
    enum Seconds: Sendable, Equatable {
        case absent
        /// It is no number, or there are two that differ.
        case invalid
        case value(Duration)

        /// Nil for an absent or invalid one.
        var duration: Duration? { if case .value(let duration) = self { duration } else { nil } }
    }

    /// The value of a directive that is a number of seconds (section 1.2.2).
    func seconds(_ name: String) -> Seconds {
        let found = directives.filter { $0.name == name }
        guard let first = found.first else { return .absent }
        guard let seconds = DeltaSeconds.parse(first.value ?? ""),
            found.allSatisfy({ DeltaSeconds.parse($0.value ?? "") == seconds })
        else { return .invalid }
        return .value(.seconds(seconds))
    }

    // MARK: Reading

    /// The elements of a list. A comma inside of quotation marks does not separate.
    private static func elements(of value: String) -> [String] {
        var elements: [String] = []
        var element: [UInt8] = []
        var (isQuoted, isEscaped) = (false, false)
        for byte in value.utf8.prefix(maximumSize) {
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isQuoted = false }
            } else if byte == UInt8(ascii: ",") {
                elements.append(String(decoding: element, as: UTF8.self))
                element = []
                continue
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            }
            element.append(byte)
        }
        elements.append(String(decoding: element, as: UTF8.self))
        return elements.map(HTTPHeaders.trimmed).filter { !$0.isEmpty }
    }

    /// `name`, `name=value` or `name="value"`: a recipient takes both forms of each value (section 5.2).
    private static func directive(_ text: String) -> (name: String, value: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = HTTPHeaders.trimmed(String(parts[0])).lowercased()
        guard parts.count == 2 else { return (name, nil) }
        var value = parts[1]
        if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
        return (name, String(value))
    }
}

/// A number of seconds in a header (RFC 9111 section 1.2.2).
enum DeltaSeconds {
    /// A greater number counts as this one, 2^31.
    static let greatest: Int64 = 1 << 31

    /// Nil for anything but digits.
    static func parse(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return min(Int64(text) ?? greatest, greatest)
    }
}

/// What a request asks of a cache (RFC 9111 section 5.2.1). Directives that would let a cache respond with less than the contract
/// allows are followed. `max-stale` and `only-if-cached`, which are requests for more or for nothing else, are not.
struct CacheDemand: Sendable {
    /// The server has to be asked.
    private let mustValidate: Bool
    /// The greatest age.
    private let maxAge: Duration?
    /// For how long the response has to stay fresh.
    private let minFresh: Duration?
    /// Nothing of the request and of its response may be stored.
    let isNoStore: Bool

    init(_ headers: HTTPHeaders) {
        let control = CacheControl(headers)
        isNoStore = control.has("no-store")
        let (age, fresh) = (control.seconds("max-age"), control.seconds("min-fresh"))
        mustValidate = control.has("no-cache") || age == .invalid || fresh == .invalid
        maxAge = age.duration
        minFresh = fresh.duration
    }

    /// Whether a fresh response will do.
    ///
    /// - Parameter lifeLeft: how long it stays fresh.
    func takes(age: Duration, lifeLeft: Duration) -> Bool {
        !mustValidate && maxAge.map { age <= $0 } ?? true && minFresh.map { lifeLeft >= $0 } ?? true
    }

    /// Whether a stale response will do where a cache may give one.
    func takesStale(age: Duration) -> Bool {
        !mustValidate && minFresh == nil && maxAge.map { age <= $0 } ?? true
    }
}
