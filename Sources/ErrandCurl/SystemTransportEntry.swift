#if os(Linux)
public import ErrandRuntime

/// The entry point that `SystemTransport` of ErrandURLSession calls by its symbol. It returns `nil` if no usable libcurl
/// exists.
///
/// Every importer of a module must find the C modules that the module uses. ErrandURLSession is therefore linked with this
/// module and does not import it. A compiler that is called by hand then finds the imports of generated code without the module
/// map of `CCurl`.
@_silgen_name("errand_curl_transport")
public func makeCurlTransport(
    trusting authorities: [TrustedAuthority]
) throws(TrustedAuthorityProblem) -> (any Transport)? {
    guard CurlTransport.isAvailable else { return nil }
    return try CurlTransport(trusting: authorities)
}
#endif
