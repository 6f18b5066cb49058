#if os(Linux)
import CCurl
import ErrandRuntime
import Foundation

/// The authorities that are trusted for one host each.
struct ServerTrust: Sendable {
    private let authorities: [String: [UInt8]]

    init() { authorities = [:] }

    init(_ trusted: [TrustedAuthority]) throws(TrustedAuthorityError) {
        var texts: [String: String] = [:]
        for authority in trusted {
            for certificate in authority.certificates { texts[authority.host, default: ""] += Self.pem(certificate) }
        }
        authorities = texts.mapValues { Array($0.utf8) }
        if !trusted.isEmpty, !Self.isSupported { throw .unsupportedByTransport("CurlTransport") }
    }

    /// The certificates of the authority that is trusted for a host, in PEM; nil if the system's authorities are trusted.
    func authority(of host: String) -> [UInt8]? { authorities.isEmpty ? nil : authorities[host] }

    /// RFC 7468.
    private static func pem(_ certificate: [UInt8]) -> String {
        let text = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    /// Whether the TLS library of libcurl compares keys with pins. It is asked once.
    static let canPin: Bool = {
        guard errand_curl_is_available(), let easy = errand_curl_easy_make() else { return false }
        defer { errand_curl_easy_free(easy) }
        let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        return errand_curl_set_text(easy, CInt(errand_curlopt_pinned_key), pin) == errand_curle_ok
    }()

    /// Whether the TLS library of libcurl takes certificates from memory.
    private static var isSupported: Bool {
        guard errand_curl_is_available(), let easy = errand_curl_easy_make() else { return false }
        defer { errand_curl_easy_free(easy) }
        return errand_curl_set_bytes(easy, CInt(errand_curlopt_ca_blob), "x", 1) == errand_curle_ok
    }
}
#endif
