import ErrandRuntime
import ErrandUI
import Foundation
import Testing

extension AsyncStream<[UInt8]> {
    /// One chunk.
    fileprivate init(_ chunk: [UInt8]) {
        self.init { continuation in
            continuation.yield(chunk)
            continuation.finish()
        }
    }
}

/// A Foundation `Progress` follows a transfer.
@Suite struct TransferProgressTests {
    @Test func aProgressFollowsATransferWithoutAndWithATotal() async throws {
        let transfer = TransferProgress()
        let foundation = Progress(totalUnitCount: 0)
        var reader = try BodySource.stream(AsyncStream<[UInt8]>([7, 8])).reporting(to: transfer).makeReader()
        async let told: Void = transfer.report(to: foundation)
        while try await reader.next() != nil {}
        await told
        #expect(foundation.completedUnitCount == 2 && foundation.isIndeterminate)
        var again = try BodySource.bytes([1, 2, 3, 4]).reporting(to: transfer).makeReader()
        while try await again.next() != nil {}
        await transfer.report(to: foundation)
        #expect(
            foundation.completedUnitCount == 4 && foundation.totalUnitCount == 4 && foundation.fractionCompleted == 1)
    }
}
