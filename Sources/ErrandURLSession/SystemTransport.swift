public import ErrandRuntime

#if os(Linux)
/// `makeCurlTransport` of ErrandCurl, which says why it is called by its symbol.
@_silgen_name("errand_curl_transport")
private func makeCurlTransport(
    trusting authorities: [TrustedAuthority]
) throws(TrustedAuthorityProblem) -> (any Transport)?
#endif

/// The transport of clients without one of their own: libcurl on Linux (`CurlTransport`), and `URLSession` elsewhere.
///
///     let bank = Bank(on: Dispatcher(transport: SystemTransport.make()))
///
/// On Linux it is `URLSessionTransport` if no usable libcurl exists: in a program that is linked statically with musl, or with
/// a libcurl older than 7.80.
public enum SystemTransport {
    /// A transport with connections of its own.
    public static func make() -> any Transport {
        #if os(Linux)
        // Without authorities, no certificate can be refused.
        if let transport = try? makeCurlTransport(trusting: []) { return transport }
        #endif
        return URLSessionTransport()
    }

    /// The same, which trusts an authority of its own for each of some hosts, such as a development server's.
    ///
    /// - Throws: `TrustedAuthorityProblem` if a certificate is invalid, or if the system cannot trust one for a host.
    public static func make(
        trusting authorities: [TrustedAuthority]
    ) throws(TrustedAuthorityProblem) -> any Transport {
        #if os(Linux)
        if let transport = try makeCurlTransport(trusting: authorities) { return transport }
        #endif
        return try URLSessionTransport(trusting: authorities)
    }
}
