// swift-format-ignore-file
// Foundation as it is on Apple's systems: one module with URLSession, and with what corelibs Foundation lacks of it.
// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
@_exported public import Foundation
@_exported public import FoundationNetworking
public import Security

open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var requestStartDate: Date? { nil }
    open var requestEndDate: Date? { nil }
    open var responseStartDate: Date? { nil }
    open var isReusedConnection: Bool { false }
}

public var NSURLAuthenticationMethodServerTrust: String { "NSURLAuthenticationMethodServerTrust" }
public var NSURLAuthenticationMethodClientCertificate: String { "NSURLAuthenticationMethodClientCertificate" }

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
    public convenience init(
        identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence
    ) { self.init(user: "", password: "", persistence: persistence) }
}

extension URLRequest {
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

// https://developer.apple.com/documentation/foundation/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
extension Stream {
    public class func getBoundStreams(
        withBufferSize bufferSize: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {}
}

// https://developer.apple.com/documentation/foundation/urlerror/downloadtaskresumedata
extension URLError {
    public var downloadTaskResumeData: Data? { nil }
}

// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
extension URLSessionConfiguration {
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
    public var sessionSendsLaunchEvents: Bool {
        get { true }
        set {}
    }
    public var isDiscretionary: Bool {
        get { false }
        set {}
    }
}

// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/tlsminimumsupportedprotocolversion
extension URLSessionConfiguration {
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16 { case TLSv12 = 0x0303 }
