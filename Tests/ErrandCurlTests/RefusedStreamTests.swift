#if os(Linux)
import Testing

@testable import ErrandCurl

/// libcurl says only in its texts that a stream was refused.
@Suite struct RefusedStreamTests {
    private func isReported(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { RefusedStream.isReported(by: $0) }
    }

    @Test(arguments: [
        "REFUSED_STREAM, retrying a fresh connect", "REFUSED_STREAM, retrying a fresh connect\n",
        "[HTTP/2] [3] REFUSED_STREAM, try again on a new connection\n",
        "[0-0] [HTTP/2] [17] REFUSED_STREAM, try again on a new connection",
        "HTTP/2 stream 41 refused by server, try again on a new connection",
        "[CONN-0-0][CF-H2] [5] REFUSED_STREAM, try again on a new connection",
    ])
    func theServersRefusalIsFound(text: String) { #expect(isReported(text)) }

    /// Headers and URLs come from callers, and a certificate's names from the server.
    @Test(arguments: [
        "", "[", "[]", "[HTTP/2] [1] [x-note: REFUSED_STREAM, try again on a new connection]",
        "[HTTP/2] [1] [x-note: a] REFUSED_STREAM, try again on a new connection]",
        "[HTTP/2] [1] [:path: /REFUSED_STREAM, retrying a fresh connect]",
        " subject: CN=REFUSED_STREAM, retrying a fresh connect",
        "HTTP/2 stream 41 was not closed cleanly: INTERNAL_ERROR (err 2)", "HTTP/2 stream x refused by server",
        "Connection died, retrying a fresh connect (retry count: 1)", "REFUSED_STREAM",
    ])
    func nothingElseIsTakenForIt(text: String) { #expect(!isReported(text)) }
}
#endif
