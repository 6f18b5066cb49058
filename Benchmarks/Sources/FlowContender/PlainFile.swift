#if HAS_ASYNC_HTTP_CLIENT
import Foundation
import NIOCore

/// A file that is written with system calls, or read in chunks of 64 KiB. Plain code can't be faster.
struct PlainFile: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let path: String
    private let descriptor: Int32

    init(reading path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY)
    }

    init(writing path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw Problem("\(path) cannot be written") }
    }

    func write(_ buffer: ByteBuffer) throws -> Int {
        try buffer.withUnsafeReadableBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                guard count > 0 else { throw Problem("\(path) cannot be written") }
                written += count
            }
            return written
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: descriptor) }

    struct Iterator: AsyncIteratorProtocol {
        let descriptor: Int32

        func next() async throws -> ByteBuffer? {
            var buffer = ByteBufferAllocator().buffer(capacity: 64 << 10)
            let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 << 10) { bytes in
                Swift.max(0, read(descriptor, bytes.baseAddress, 64 << 10))
            }
            return count == 0 ? nil : buffer
        }
    }
}
#endif
