import FlyingFox
import FlyingSocks
import Foundation

/// Ends a connection without a word: the server asks a web socket's handler before it writes
/// anything, and closes if that throws.
struct Refusal: WSHandler {
    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        throw SocketError.disconnected
    }
}

/// A body that comes in pieces, or of which the end never comes although it was announced.
struct BrokenBody: AsyncBufferedSequence {
    typealias Element = UInt8

    private var pieces: [[UInt8]]
    private var pause: Duration
    private var breaksOff: Bool

    static func cut(_ body: Data, after length: Int) -> HTTPBodySequence {
        let sequence = BrokenBody(pieces: [Array(body.prefix(length))], pause: .zero, breaksOff: true)
        return HTTPBodySequence(from: sequence, count: Swift.max(body.count, length + 1))
    }

    static func slow(_ body: Data, pieces: Int, pause: Duration) -> HTTPBodySequence {
        let size = Swift.max(1, (body.count + pieces - 1) / Swift.max(1, pieces))
        let parts = stride(from: 0, to: body.count, by: size).map { Array(body.dropFirst($0).prefix(size)) }
        return HTTPBodySequence(from: BrokenBody(pieces: parts, pause: pause, breaksOff: false), count: body.count)
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(pieces: pieces[...], pause: pause, breaksOff: breaksOff)
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var pieces: ArraySlice<[UInt8]>
        var pause: Duration
        var breaksOff: Bool

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        /// The whole next piece, however few bytes were asked for.
        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            while let piece = pieces.popFirst() {
                if pause > .zero { try await Task.sleep(for: pause) }
                if !piece.isEmpty { return piece }
            }
            if breaksOff { throw SocketError.disconnected }
            return nil
        }
    }
}
