#if os(Linux)
import CCurl
import ErrandRuntime

/// Whom a request trusts, and what it shows of itself.
extension Transfer {
    func setTrust() -> Bool {
        // The versions before are deprecated (RFC 8996). libcurl's own least version is that of its TLS library.
        for option in [errand_curlopt_tls_version, errand_curlopt_proxy_tls_version] {
            _ = errand_curl_set_number(handle, CInt(option), errand_curl_tls_1_2)
        }
        guard let authority = exchange.authority else { return true }
        return set(errand_curlopt_ca_blob, authority) && set(errand_curlopt_ca_file, nil)
            && set(errand_curlopt_ca_path, nil)
    }

    /// libcurl reuses a connection only for the same certificate, and never presents it to a proxy.
    func setIdentity() -> Bool {
        guard let identity = exchange.identity else { return true }
        return set(errand_curlopt_certificate_blob, identity.certificate)
            && set(errand_curlopt_certificate_type, "PEM")
            && set(errand_curlopt_key_blob, identity.key) && set(errand_curlopt_key_type, "PEM")
    }

    /// libcurl compares the key after it has verified the certificate.
    func setPins() -> Bool {
        guard let pins = request.pins else { return true }
        let list = pins.pins.map { "sha256//\($0.dropFirst("sha256/".count))" }.joined(separator: ";")
        return set(errand_curlopt_pinned_key, list)
    }

    /// What is wrong with the certificate of this client; nil for every other failure.
    func certificateProblem(_ result: CInt, isSent: Bool) -> ClientCertificateError? {
        // A response begins only after the server has accepted the certificate.
        guard headerSize == 0 else { return nil }
        let host = exchange.origin.host
        if Int(result) == errand_curle_client_certificate { return .unusable(host: host) }
        let text = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard
            Int(result) == errand_curle_client_certificate_wanted
                || CertificateRefusal.isReported(by: text, isSent: isSent)
        else { return nil }
        return exchange.identity == nil ? .demanded(host: host) : .refused(host: host)
    }
}
#endif
