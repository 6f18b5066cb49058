import Foundation
import Testing

@testable import ErrandRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What this device is at fault for, and what it is called.
@Suite struct LocalFaultTests {
    @Test(arguments: [
        (DownloadError.wrongRange, CommandFault.Kind.malformed), (.tooLong, .malformed),
        (.larger(than: 1), .malformed),
        (.wrongDigest, .malformed), (.noDigest, .malformed), (.changed(after: 1), .malformed),
        (.cut(after: 1), .malformed),
        (.noRoom(needed: 2, free: 1), .localStorageFull),
        (.system(call: "write", code: Int(ENOSPC)), .localStorageFull),
        (.system(call: "write", code: Int(EDQUOT)), .localStorageFull),
        (.system(call: "write", code: Int(EFBIG)), .localStorageFull),
        (.system(call: "open", code: Int(EACCES)), .localFault), (.system(call: "open", code: Int(EROFS)), .localFault),
        (.system(call: "open", code: Int(ENOENT)), .localFault), (.system(call: "read", code: Int(EIO)), .localFault),
        (.fileGone, .localFault),
    ])
    func aDownloadsProblemHasItsError(problem: DownloadError, wanted: CommandFault.Kind) {
        #expect(problem.builtIn == wanted)
    }

    @Test(arguments: [
        (BodySourceError.fileChanged, CommandFault.Kind.bodyChanged), (.unreadableFile, .localFault),
        (.sourceFailed, .localFault), (.compressionFailed, .localFault), (.wrongLength, .invalidRequest),
        (.alreadyRead, .invalidRequest), (.tooLargeForTransport, .invalidRequest),
    ])
    func aBodysProblemHasItsError(problem: BodySourceError, wanted: CommandFault.Kind) {
        let fault = TransportFault(.requestBody, evidence: .sent, underlying: problem)
        #expect(fault.builtIn == wanted && fault.category == .nonRetryable)
    }

    #if os(Linux)
    /// `/dev/full` refuses each byte (`full(4)`).
    @Test func aFullDeviceIsTold() {
        let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        #expect(device >= 0)
        #expect(!SystemFile.writeAll([1], to: device))
        #expect(SessionStoreError.last("write") == .storageFull)
        let fault = TransportFault(keeping: SessionStoreError.storageFull, evidence: .notSent)
        #expect(fault.builtIn == .localStorageFull)
    }
    #endif
}
