#if os(Linux)
import CCurl
import ErrandRuntime

extension TransportFault {
    /// The fault for a result of libcurl.
    ///
    /// - Parameters:
    ///   - isSent: whether any byte of the request may have been written.
    ///   - isAnswered: whether the head of a response had arrived.
    ///   - isRefused: whether the server has refused the stream of the request.
    ///   - isReused: whether the request was written to a kept connection, and no line of a response has arrived.
    ///   - proxy: what libcurl connected to; nil if to the server.
    ///   - connectStatus: the status of the proxy's last response to CONNECT; 0 without one.
    init(
        _ result: CInt, isSent: Bool, isAnswered: Bool, isRefused: Bool = false, isReused: Bool = false,
        proxy: Proxy? = nil, connectStatus: Int
    ) {
        if let proxy, !isSent, connectStatus >= 300 {
            self.init(ProxyError(proxy, status: connectStatus))
            return
        }
        if let proxy, !isSent, Int(result) == errand_curle_proxy_handshake {
            self.init(ProxyError.refusedConnection(proxy: proxy.description, status: nil))
            return
        }
        let kind = Self.kind(of: result, isSent: isSent)
        let isAnswer = isAnswered || result == errand_curle_weird_reply
        let evidence: Evidence =
            if !isSent {
                .notSent
            } else if isRefused {
                .unprocessed
            } else {
                isAnswer && (kind == .unreadable || kind == .oversized) ? .responded : .sent
            }
        let fault = TransportFault(
            kind, evidence: evidence, isStaleConnection: isSent && isReused && Self.endsConnection(result),
            underlying: CurlError(result))
        // After a success, the connection is the server's.
        self = fault.beforeConnection(to: connectStatus == 0 ? proxy : nil)
    }

    /// Whether a result means that the connection has ended. Where libcurl would send the request again by itself, it is not
    /// allowed to, cannot look up or reach the host for it, or cannot begin its body anew.
    private static func endsConnection(_ result: CInt) -> Bool {
        switch Int(result) {
        case errand_curle_aborted, errand_curle_nothing, errand_curle_send, errand_curle_receive, errand_curle_rewind,
            errand_curle_unresolved_host, errand_curle_unresolved_proxy, errand_curle_not_connected:
            true
        // The session of HTTP/2 has ended. The end of one stream is another result.
        case errand_curle_http2: true
        default: false
        }
    }

    private static func kind(of result: CInt, isSent: Bool) -> Kind {
        switch Int(result) {
        // After the request was written, libcurl wanted another connection to send it again.
        case errand_curle_unresolved_host, errand_curle_unresolved_proxy: isSent ? .lost : .dns
        case errand_curle_not_connected: isSent ? .lost : .refused
        case errand_curle_timeout: .timeout
        case errand_curle_tls_connect, errand_curle_cipher, errand_curle_untrusted, errand_curle_certificates_file,
            errand_curle_revocation_list, errand_curle_issuer, errand_curle_pinned,
            errand_curle_certificate_status:
            isSent ? .lost : .tls
        case errand_curle_unsupported_protocol, errand_curle_malformed_url, errand_curle_weird_reply,
            errand_curle_content_encoding:
            .unreadable
        // A header line is too long for libcurl, or the header has too many lines.
        case errand_curle_memory, errand_curle_too_large: .oversized
        // A failure before the request is written belongs to the connection. For example, a proxy refuses it.
        default: isSent ? .lost : .refused
        }
    }
}

/// libcurl's text for a result. It is a fixed text without any part of the request.
struct CurlError: Error, CustomStringConvertible {
    let code: Int
    let description: String

    init(_ result: CInt) {
        code = Int(result)
        description =
            errand_curl_name(result).map { "libcurl \(result): \(String(cString: $0))" } ?? "libcurl \(result)"
    }
}
#endif
