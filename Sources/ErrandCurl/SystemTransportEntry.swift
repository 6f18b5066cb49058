#if os(Linux)
public import ErrandRuntime

/// What `SystemTransport` of ErrandURLSession calls by its symbol. `nil` where there is no libcurl that can be used.
///
/// Every importer of a module has to find the modules of C that it is made with. ErrandURLSession is therefore linked with this
/// module and does not import it: a compiler that is called by hand finds what generated code imports without the module map of
/// `CCurl`.
@_silgen_name("errand_curl_transport")
public func makeCurlTransport(
    trusting authorities: [TrustedAuthority]
) throws(TrustedAuthorityProblem) -> (any Transport)? {
    guard CurlTransport.isAvailable else { return nil }
    return try CurlTransport(trusting: authorities)
}
#endif
