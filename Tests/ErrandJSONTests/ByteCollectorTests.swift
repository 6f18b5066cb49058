import ErrandJSON
import Foundation
import Testing

@Suite struct ByteCollectorTests {
    /// Counts how often each of its bytes is read. The tests use it from one thread.
    struct CountingBytes: RandomAccessCollection, Sendable {
        final class Count: @unchecked Sendable { var reads = 0 }
        let bytes: [UInt8]
        let count = Count()
        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        subscript(index: Int) -> UInt8 {
            count.reads += 1
            return bytes[index]
        }
    }

    private func pieces(_ count: Int, _ size: Int) -> [CountingBytes] {
        (0..<count).map { piece in CountingBytes(bytes: (0..<size).map { UInt8(truncatingIfNeeded: piece &* 31 &+ $0) })
        }
    }

    private func address(_ bytes: [UInt8]) -> UnsafeRawPointer? { bytes.withUnsafeBytes { $0.baseAddress } }

    @Test(arguments: [nil, 0, 1, 699, 700, 701, 5_000, -1, .max, .min, ByteCollector.largestReservation + 1])
    func anySizeGivesAllBytesInOneRead(_ expected: Int?) {
        let chunks = pieces(7, 100)
        var collector = ByteCollector(expectedSize: expected)
        let taken = chunks.map { collector.append($0) }
        #expect(taken == Array(repeating: true, count: 7))
        #expect(collector.count == 700 && !collector.isPastLimit)
        let bytes = collector.finish()
        #expect(bytes == chunks.flatMap(\.bytes))
        #expect(chunks.map(\.count.reads) == Array(repeating: 100, count: 7))
        // Reserved room for announced bytes that did not arrive is not kept either.
        #expect(bytes.capacity < 1_000)
    }

    @Test func aSingleArrayIsNotCopied() {
        for expected in [nil, 1_000, 10, 4_000] {
            let chunk = [UInt8](repeating: 7, count: 1_000)
            var collector = ByteCollector(expectedSize: expected)
            collector.append([UInt8]())
            collector.append(chunk)
            // Joined with what was announced beyond it, it is.
            #expect((address(collector.finish()) == address(chunk)) == (expected != 4_000), "\(expected ?? -1)")
        }
    }

    @Test func theExpectedSizeIsReservedOnce() {
        var collector = ByteCollector(expectedSize: 1_000_000)
        for _ in 0..<1_000 { collector.append(ArraySlice(repeating: 1, count: 1_000)) }
        let bytes = collector.finish()
        #expect(bytes.count == 1_000_000)
        // Growing step by step would have ended at a power of two.
        #expect(bytes.capacity < 1_010_000)
    }

    /// Room for a large document is made when a part of it has come, and its chunks are not kept until the end.
    @Test func aLargeDocumentIsJoinedAsItArrives() {
        let size = 2 * ByteCollector.largestReservation
        let chunks = (0..<64).map { [UInt8](repeating: $0, count: size / 64) }
        var collector = ByteCollector(expectedSize: size)
        for chunk in chunks { collector.append(chunk) }
        let bytes = collector.finish()
        #expect(bytes == Array(chunks.joined()) && bytes.capacity < size + 10_000)
        // Joining at the end makes an array each time.
        #expect(address(collector.finish()) == address(bytes))
        // The claim alone makes no room.
        var silent = ByteCollector(expectedSize: .max - 1)
        for _ in 0..<3 { silent.append([UInt8](repeating: 1, count: 10)) }
        #expect(silent.finish() == Array(repeating: 1, count: 30))
    }

    @Test func theLimit() {
        for expected in [nil, 5, 10, 11, .max] {
            var collector = ByteCollector(expectedSize: expected, limit: 10)
            let inside: [[UInt8]] = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], []]
            #expect(inside.map { collector.append($0) } == [true, true, true])
            #expect(!collector.isPastLimit && collector.count == 10)
            #expect(collector.finish() == Array(1...10))
            let outside: [[UInt8]] = [[11], [], [1]]
            #expect(outside.map { collector.append($0) } == [false, false, false])
            #expect(collector.isPastLimit && collector.count == 0)
            #expect(collector.finish() == [])
        }
        var none = ByteCollector(limit: -1)
        let chunks: [[UInt8]] = [[], [1]]
        #expect(chunks.map { none.append($0) } == [true, false])
        #expect(ByteCollector().finish() == [])
        #expect(ByteCollector(expectedSize: 100).finish() == [])
    }

    @Test func dataAndLentMemory() throws {
        let text = Array(#"{"größe": [1, 2, 3], "name": "Übung"}"#.utf8)
        for expected in [nil, text.count, 3] {
            for size in 1...text.count {
                var collector = ByteCollector(expectedSize: expected)
                for start in stride(from: 0, to: text.count, by: size) {
                    let part = text[start..<min(text.count, start + size)]
                    switch start % 3 {
                    case 0: collector.append(Data(part))
                    case 1: part.withUnsafeBytes { lent in _ = collector.append(lent) }
                    default: collector.append(part)
                    }
                }
                #expect(collector.finish() == text)
            }
        }
    }
}
