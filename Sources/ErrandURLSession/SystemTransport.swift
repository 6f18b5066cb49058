public import ErrandRuntime

#if os(Linux)
import ErrandCurl
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
        if CurlTransport.isAvailable { return CurlTransport() }
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
        if CurlTransport.isAvailable { return try CurlTransport(trusting: authorities) }
        #endif
        return try URLSessionTransport(trusting: authorities)
    }
}
