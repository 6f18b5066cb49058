import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportFault {
    /// What a `URLSession` error means, and how far the request got. Where it cannot be known, the
    /// request counts as sent.
    init(_ error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        let (kind, evidence) = Self.meaning(of: code, error)
        // Made anew: the original carries the URL, which may hold secrets.
        self.init(kind, evidence: evidence, underlying: URLError(code))
    }

    #if canImport(FoundationNetworking)
    private static func meaning(of code: URLError.Code, _ error: any Error) -> (Kind, Evidence) {
        switch code {
        // It says so of every failure where one address of the host has refused, although another one has
        // taken the request. The text of libcurl is about the failure itself.
        case .cannotConnectToHost, .unknown:
            let text = error.localizedDescription
            if code == .cannotConnectToHost, text.hasPrefix("Failed to connect") { return (.refused, .notSent) }
            return isFailedHandshake(text) ? (.tls, .notSent) : (.lost, .sent)
        default: return meaning(of: code)
        }
    }

    /// FoundationNetworking has no code for a server that it does not trust: all that says so is the
    /// text of libcurl. What fails after the handshake names the call that did, and may have been sent.
    private static func isFailedHandshake(_ text: String) -> Bool {
        guard ["SSL", "TLS", "OpenSSL/", "gnutls"].contains(where: text.hasPrefix) else { return false }
        return !text.contains("SSL_read") && !text.contains("SSL_write")
    }
    #else
    private static func meaning(of code: URLError.Code, _ error: any Error) -> (Kind, Evidence) {
        meaning(of: code)
    }
    #endif

    private static func meaning(of code: URLError.Code) -> (Kind, Evidence) {
        switch code {
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: (.offline, .notSent)
        case .cannotFindHost, .dnsLookupFailed: (.dns, .notSent)
        case .cannotConnectToHost: (.refused, .notSent)
        case .timedOut: (.timeout, .sent)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .appTransportSecurityRequiresSecureConnection:
            (.tls, .notSent)
        case .clientCertificateRejected, .clientCertificateRequired: (.authentication, .notSent)
        case .userAuthenticationRequired, .userCancelledAuthentication: (.authentication, .responded)
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .httpTooManyRedirects, .redirectToNonExistentLocation, .dataLengthExceedsMaximum:
            (.unreadable, .responded)
        // No other scheme than http and https gets here: it is what FoundationNetworking calls an answer
        // in another protocol, and the request was sent.
        case .unsupportedURL: (.unreadable, .sent)
        case .badURL: (.unreadable, .notSent)
        case .cancelled: (.cancelled, .sent)
        default: (.lost, .sent)
        }
    }
}
