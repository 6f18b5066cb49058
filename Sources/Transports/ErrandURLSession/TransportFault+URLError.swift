import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportFault {
    /// The meaning of a `URLSession` error, and whether the request was sent. If that is unknown, the request counts as sent.
    init(_ error: any Error) {
        #if canImport(FoundationNetworking)
        if let failure = TunnelFailure(error) {
            self.init(failure.status == 407 ? .authentication : .refused, evidence: .notSent, underlying: failure)
            return
        }
        #endif
        let code = (error as? URLError)?.code ?? .unknown
        var (kind, evidence) = Self.meaning(of: code, error)
        if kind == .storage, Self.isFull(error) { kind = .storageFull }
        // Made anew: the original carries the URL, which may hold secrets.
        self.init(kind, evidence: evidence, underlying: URLError(code))
    }

    /// Whether the system's error says that the disk is full. The session has only one code for everything that prevents it from
    /// writing a file.
    private static func isFull(_ error: any Error) -> Bool {
        var next: NSError? = error as NSError
        // An error that names itself as its cause must not keep this going.
        for _ in 0..<8 {
            guard let error = next else { return false }
            if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue { return true }
            if error.domain == NSPOSIXErrorDomain,
                [ENOSPC, EDQUOT, EFBIG].contains(Int32(truncatingIfNeeded: error.code))
            {
                return true
            }
            next = error.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return false
    }

    #if canImport(FoundationNetworking)
    private static func meaning(of code: URLError.Code, _ error: any Error) -> (Kind, Evidence) {
        switch code {
        // FoundationNetworking reports this for every failure if one address of the host has refused, even if another address
        // has accepted the request. The text of libcurl describes the failure itself.
        case .cannotConnectToHost, .unknown:
            let text = error.localizedDescription
            if code == .cannotConnectToHost, text.hasPrefix("Failed to connect") { return (.refused, .notSent) }
            if text.hasPrefix("Could not resolve proxy") { return (.dns, .notSent) }
            if isFailedHandshake(text) { return (.tls, .notSent) }
            return CertificateRefusal.isReported(by: text, isSent: true) ? (.tls, .unprocessed) : (.lost, .sent)
        default: return meaning(of: code)
        }
    }

    /// FoundationNetworking has no code for a server that it doesn't trust. Only the text of libcurl tells. A failure after the
    /// handshake names the call that failed, and the request may have been sent.
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
        // With TLS 1.3, the server refuses a certificate after the request was sent, and processes nothing of it.
        case .clientCertificateRejected, .clientCertificateRequired: (.tls, .unprocessed)
        case .userAuthenticationRequired, .userCancelledAuthentication: (.authentication, .responded)
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .httpTooManyRedirects, .redirectToNonExistentLocation, .dataLengthExceedsMaximum:
            (.unreadable, .responded)
        // Only http and https URLs get here. FoundationNetworking reports this error for a response in another protocol, so the
        // request was sent.
        case .unsupportedURL: (.unreadable, .sent)
        case .badURL: (.unreadable, .notSent)
        case .cannotCreateFile, .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile,
            .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile:
            (.storage, .sent)
        case .cancelled: (.cancelled, .sent)
        default: (.lost, .sent)
        }
    }
}

#if canImport(FoundationNetworking)
/// A proxy's refusal to connect to a server. FoundationNetworking has no code for it, only the text of libcurl.
struct TunnelFailure: Error {
    /// Nil if the proxy has closed the connection.
    let status: Int?

    /// Nil for any other error.
    init?(_ error: any Error) {
        let text = error.localizedDescription
        if text.hasPrefix("Proxy CONNECT aborted") {
            status = nil
        } else if text.hasPrefix("CONNECT tunnel failed, response ")
            || (text.hasPrefix("Received HTTP code ") && text.hasSuffix("from proxy after CONNECT"))
        {
            status = text.split(separator: " ").lazy.compactMap { Int($0) }.first
        } else {
            return nil
        }
    }
}
#endif
