public import ErrandRuntime

#if os(Linux)
/// `makeCurlTransport` of ErrandCurl, which says why it is called by its symbol.
@_silgen_name("errand_curl_transport")
private func makeCurlTransport(
    trusting authorities: [TrustedAuthority]
) throws(TrustedAuthorityProblem) -> (any Transport)?
#endif

/// The transport of clients that are given none: libcurl on Linux (`CurlTransport`), and `URLSession` elsewhere.
///
///     let bank = Bank(on: Dispatcher(transport: SystemTransport.make()))
///
/// On Linux it is `URLSessionTransport` where there is no libcurl that can be used: in a program that is linked statically with musl, or
/// beside a libcurl older than 7.80.
public enum SystemTransport {
    /// A transport with connections of its own.
    public static func make() -> any Transport {
        #if os(Linux)
        // Without authorities there is nothing that could be refused.
        if let transport = try? makeCurlTransport(trusting: []) { return transport }
        #endif
        return URLSessionTransport()
    }

    /// The same, which trusts an authority of its own for each of some hosts, such as a development server's.
    ///
    /// - Throws: `TrustedAuthorityProblem`, where a certificate is none, or the system cannot trust one for a host.
    public static func make(
        trusting authorities: [TrustedAuthority]
    ) throws(TrustedAuthorityProblem) -> any Transport {
        #if os(Linux)
        if let transport = try makeCurlTransport(trusting: authorities) { return transport }
        #endif
        return try URLSessionTransport(trusting: authorities)
    }
}
