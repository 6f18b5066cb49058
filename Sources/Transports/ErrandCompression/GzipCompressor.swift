import CZlib
public import ErrandRuntime

/// Compresses the bodies of requests with the system's zlib, which needs no installation: Apple's systems have it, and on Linux
/// libcurl needs it as well.
///
///     let settings = DispatcherSettings(compressor: GzipCompressor(level: 9))
///
/// Only endpoints whose contract says `compression: gzip` are concerned. The transports of Errand compress with level 6 by
/// themselves; a transport of your own, or another level, needs the setting.
public struct GzipCompressor: BodyCompressor {
    /// Whether the system has a zlib. On Linux it is looked for once, and loaded. Without one, `begin` returns nil.
    public static var isAvailable: Bool { errand_deflate_is_available() }

    /// The compressor of Errand's transports; nil if the system has no zlib, so that they send bodies as they are.
    package static var ofSystem: GzipCompressor? { isAvailable ? GzipCompressor() : nil }

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
    private let deflater: UnsafeMutableRawPointer
    /// The buffer for the output.
    private let room: UnsafeMutableBufferPointer<UInt8>

    init?(level: Int) {
        guard let deflater = errand_deflate_make(CInt(level)) else { return nil }
        self.deflater = deflater
        room = .allocate(capacity: 64 << 10)
    }

    deinit {
        errand_deflate_free(deflater)
        room.deallocate()
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(BodySourceError) -> [UInt8] { try write(bytes, isEnd: false) }

    func finish() throws(BodySourceError) -> [UInt8] { try write([], isEnd: true) }

    private func write(_ bytes: ArraySlice<UInt8>, isEnd: Bool) throws(BodySourceError) -> [UInt8] {
        var output: [UInt8] = []
        let isGood = bytes.withUnsafeBufferPointer { input in
            var rest = input[...]
            while true {
                var (taken, written) = (0, 0)
                let result = errand_deflate(
                    deflater, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count, &taken, room.baseAddress,
                    room.count, &written, isEnd)
                output += room[..<written]
                rest = rest.dropFirst(taken)
                if result != errand_deflate_is_full { return result == errand_deflate_is_done }
            }
        }
        guard isGood else { throw .compressionFailed }
        return output
    }
}
