import CZlib
public import ErrandRuntime

/// Compresses the bodies of requests with zlib, which Apple's systems have, and Linux with the package `zlib1g-dev` (`zlib-devel`).
///
///     let settings = DispatcherSettings(compressor: GzipCompressor())
///
/// Only endpoints whose contract says `compression: gzip` are concerned. `URLSessionTransport` on Apple's systems and
/// `AsyncHTTPClientTransport` compress by themselves.
public struct GzipCompressor: BodyCompressor {
    /// From 1, the fastest, to 9, the smallest.
    public let level: Int

    /// - Parameter level: from 1 to 9; what is beyond counts as the nearest of them.
    public init(level: Int = 6) { self.level = min(max(level, 1), 9) }

    public func begin(_ coding: BodyCompression.Coding) -> (any BodyCompressionStream)? {
        switch coding {
        case .gzip: GzipStream(level: level)
        }
    }
}

/// One gzip member (RFC 1952), written as its bytes come.
private final class GzipStream: BodyCompressionStream {
    /// zlib keeps the address, so it stays the same.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The buffer for the output.
    private let room: UnsafeMutableBufferPointer<UInt8>

    init?(level: Int) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        room = .allocate(capacity: 64 << 10)
        // 15 for the largest window, and 16 for the frame of gzip; 8 for the usual memory.
        let result = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { return nil }
    }

    deinit {
        // Harmless if it wasn't begun.
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        room.deallocate()
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(BodySourceProblem) -> [UInt8] { try write(bytes, Z_NO_FLUSH) }

    func finish() throws(BodySourceProblem) -> [UInt8] { try write([], Z_FINISH) }

    private func write(_ bytes: ArraySlice<UInt8>, _ flush: Int32) throws(BodySourceProblem) -> [UInt8] {
        var output: [UInt8] = []
        let isGood = bytes.withUnsafeBufferPointer { input in
            // zlib does not write there: its type is older than `const`.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            defer { stream.pointee.next_in = nil }
            while true {
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                let result = deflate(stream, flush)
                output += room[..<(room.count - Int(stream.pointee.avail_out))]
                switch result {
                case Z_STREAM_END: return true
                // There was nothing to do: all of it is taken, and nothing waits to be written.
                case Z_BUF_ERROR: return flush == Z_NO_FLUSH
                case Z_OK: if flush == Z_NO_FLUSH, stream.pointee.avail_out > 0 { return true }
                default: return false
                }
            }
        }
        guard isGood else { throw .compressionFailed }
        return output
    }
}
