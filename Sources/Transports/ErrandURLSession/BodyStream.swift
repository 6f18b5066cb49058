#if !canImport(FoundationNetworking)
import ErrandRuntime
import Foundation

/// Writes the body of a request to the stream that a session reads. The session asks for another stream if it has to send the
/// body again.
final class BodyStream: Sendable {
    private let body: BodySource
    /// Called with the problem of the source.
    private let fail: @Sendable (BodySourceError) -> Void
    /// The queue on which writing to the stream may wait, so that no thread of Swift's pool does.
    private let queue = DispatchQueue(label: "errand.body-stream")

    init(_ body: BodySource, fail: @escaping @Sendable (BodySourceError) -> Void) {
        self.body = body
        self.fail = fail
    }

    /// A stream of the whole body; nil if the system gives none.
    func open() -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 1 << 16, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let end = OutputEnd(output)
        Task { [self] in
            do throws(BodySourceError) {
                var reader = try body.makeReader()
                while let chunk = try await reader.next() {
                    let isWritten = await withCheckedContinuation { continuation in
                        queue.async { continuation.resume(returning: end.write(chunk)) }
                    }
                    // The session has closed its end.
                    if !isWritten { break }
                }
            } catch {
                fail(error)
            }
            queue.async { end.close() }
        }
        return input
    }
}

/// The writing end of a pair of streams. Used on one queue only.
private final class OutputEnd: @unchecked Sendable {
    private let stream: OutputStream

    init(_ stream: OutputStream) {
        self.stream = stream
        stream.open()
    }

    /// Writes all of a chunk; false if the other end is closed.
    func write(_ chunk: [UInt8]) -> Bool {
        var rest = chunk[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { stream.write($0, maxLength: buffer.count) } ?? -1
            }
            if written <= 0 { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }

    func close() { stream.close() }
}
#endif
