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
        let (kind, evidence) = Self.isFailedHandshake(error, code) ? (.tls, .notSent) : Self.meaning(of: code)
        // Made anew: the original carries the URL, which may hold secrets.
        self.init(kind, evidence: evidence, underlying: URLError(code))
    }

    /// FoundationNetworking has no code for a server that it does not trust: all that says so is the
    /// text of libcurl. What fails after the handshake names the call that did, and may have been sent.
    private static func isFailedHandshake(_ error: any Error, _ code: URLError.Code) -> Bool {
        #if canImport(FoundationNetworking)
        guard code == .unknown else { return false }
        let text = error.localizedDescription
        guard ["SSL", "TLS", "OpenSSL/", "gnutls"].contains(where: text.hasPrefix) else { return false }
        return !text.contains("SSL_read") && !text.contains("SSL_write")
        #else
        return false
        #endif
    }

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
