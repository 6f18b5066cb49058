public import ErrandRuntime
import ErrandURLSession

#if os(Linux)
import ErrandCurl
#endif

/// The transport of clients without one of their own: libcurl on Linux (`CurlTransport`), and `URLSession` elsewhere.
///
///     let bank = Bank(on: Dispatcher(transport: SystemTransport.make()))
///
/// On Linux it is `URLSessionTransport` if no usable libcurl exists: in a program that is linked statically with musl, or with
/// a libcurl older than 7.80.
public enum SystemTransport {
    /// A transport with connections of its own.
    ///
    /// - Parameter proxies: which requests go through which proxy; nil for the system's proxies, which are those of the environment
    ///   on Linux.
    public static func make(proxies: ProxySettings? = nil) -> any Transport {
        #if os(Linux)
        if CurlTransport.isAvailable { return CurlTransport(proxies: proxies ?? .environment) }
        #endif
        return URLSessionTransport(proxies: proxies)
    }

    /// The same, which trusts an authority of its own for each of some hosts, such as a development server's.
    ///
    /// - Throws: `TrustedAuthorityError` if a certificate is invalid, or if the system cannot trust one for a host.
    public static func make(
        trusting authorities: [TrustedAuthority], proxies: ProxySettings? = nil
    ) throws(TrustedAuthorityError) -> any Transport {
        #if os(Linux)
        if CurlTransport.isAvailable {
            return try CurlTransport(trusting: authorities, proxies: proxies ?? .environment)
        }
        #endif
        return try URLSessionTransport(trusting: authorities, proxies: proxies)
    }

    /// The same, which also presents a certificate to each of some hosts (mutual TLS).
    ///
    /// - Throws: `ClientCertificateError` if the system cannot present one: `URLSession` needs an identity of the keychain or of a file of
    ///   PKCS#12, and libcurl needs PEM, and OpenSSL. `TrustedAuthorityError` as the other function.
    public static func make(
        trusting authorities: [TrustedAuthority] = [], presenting certificates: [ClientCertificate],
        proxies: ProxySettings? = nil
    ) throws -> any Transport {
        #if os(Linux)
        if CurlTransport.isAvailable {
            return try CurlTransport(
                trusting: authorities, presenting: certificates, proxies: proxies ?? .environment)
        }
        #endif
        return try URLSessionTransport(trusting: authorities, presenting: certificates, proxies: proxies)
    }
}
