import ErrandRuntime
import Foundation
import Testing

@testable import ErrandURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct MetricsTests {
    /// A task can end before the session has collected any metrics of what it sent.
    @Test func anEmptyListIsNoEvidence() {
        #expect(Exchange.isUnsent(requestStarts: []) == nil)
        #expect(Exchange.isUnsent(requestStarts: [nil, nil]) == true)
        #expect(Exchange.isUnsent(requestStarts: [nil, Date()]) == false)
    }
}

#if canImport(FoundationNetworking)
/// The evidence of a request decides whether it is sent again. These tests cover what `TransportConformance` cannot produce on
/// sockets: the texts from which FoundationNetworking's meaning is inferred.
@Suite struct EvidenceTests {
    /// FoundationNetworking reports every failure so if one of several addresses has refused. The request went to another address.
    @Test(arguments: [
        "Empty reply from server", "Recv failure: Connection reset by peer",
        "transfer closed with 45 bytes remaining to read",
        "Operation timed out after 1000 milliseconds with 0 bytes received", "",
    ])
    func aRefusalOfAnotherAddressSaysNothing(text: String) {
        let error = URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportFault(error).kind == .lost)
        #expect(TransportFault(error).evidence == .sent)
    }

    /// With TLS 1.3, a server refuses a client's certificate after the request was sent, and processes nothing of it.
    @Test(arguments: [
        "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
        "OpenSSL SSL_read: error:14094418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca, errno 0",
    ])
    func aRefusedCertificateIsNoLostConnection(text: String) {
        for code in [URLError.Code.unknown, .cannotConnectToHost] {
            let fault = TransportFault(URLError(code, userInfo: [NSLocalizedDescriptionKey: text]))
            #expect(fault.kind == .tls)
            #expect(fault.evidence == .unprocessed)
        }
    }

    /// The session has one code for whatever prevents it from writing a file. Only the cause tells that the disk is full.
    @Test(
        arguments: [
            (nil, TransportFault.Kind.storage), (NSError(domain: NSPOSIXErrorDomain, code: Int(EACCES)), .storage),
            (NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC)), .storageFull),
            (NSError(domain: NSPOSIXErrorDomain, code: Int(EDQUOT)), .storageFull),
            (NSError(domain: NSCocoaErrorDomain, code: CocoaError.fileWriteOutOfSpace.rawValue), .storageFull),
        ] as [(NSError?, TransportFault.Kind)])
    func aFileThatCannotBeWrittenIsThisDevices(cause: NSError?, wanted: TransportFault.Kind) {
        let wrapped = cause.map { NSError(domain: "other", code: 1, userInfo: [NSUnderlyingErrorKey: $0]) }
        for cause in [cause, wrapped] {
            let error = URLError(.cannotWriteToFile, userInfo: cause.map { [NSUnderlyingErrorKey: $0] } ?? [:])
            #expect(TransportFault(error).kind == wanted)
            #expect(TransportFault(error).evidence == .sent)
        }
    }

    @Test(arguments: [
        "Failed to connect to 127.0.0.1 port 1: Connection refused",
        "Failed to connect to localhost port 1 after 0 ms: Couldn't connect to server",
    ])
    func aRefusalOfAllOfThemDoes(text: String) {
        let error = URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportFault(error).kind == .refused)
        #expect(TransportFault(error).evidence == .notSent)
    }
}
#endif
