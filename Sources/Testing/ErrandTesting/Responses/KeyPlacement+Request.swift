import ErrandJSON
import ErrandRuntime

extension KeyPlacement {
    /// The key that a request carries here, read from what was sent; nil if it carries none.
    func key(in request: TransportRequest) -> String? {
        switch self {
        case .header(let name): return request.headers[name]
        case .field(let name):
            guard let body = request.body else { return nil }
            if let document = try? JSON.scan(body, { reader in reader.readValue() }) { return document[name]?.string }
            return Self.value(of: name, inForm: String(decoding: body, as: UTF8.self))
        }
    }

    /// A field of `application/x-www-form-urlencoded`.
    private static func value(of name: String, inForm form: String) -> String? {
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if decoded(parts[0]) == name { return parts.count == 2 ? decoded(parts[1]) : "" }
        }
        return nil
    }

    private static func decoded(_ text: Substring) -> String { PercentEncoding.decode(text.replacing("+", with: " ")) }
}
