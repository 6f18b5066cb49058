/// The bytes of a command's response, read as they arrive: any size, with a few chunks in memory.
///
///     for try await chunk in photos.chunks(of: Photos.GetOriginal(id: 7)) {
///         player.play(chunk)
///     }
///
/// The request is sent when the first chunk is asked for. It passes the same stages as every command. A connection that is cut
/// is retried as the contract says. If the server has named a strong validator, only the rest is requested (RFC 9110 sections
/// 13.1.5 and 14.2), so no byte is lost or comes twice. Otherwise the loop ends with the endpoint's failure, whose `underlying`
/// error is a ``DownloadError`` with the number of received bytes.
///
/// While no chunk is asked for, none is read, which slows the server down. Leaving the loop closes the connection. Each
/// iteration sends a request of its own.
public struct DownloadChunks<C: Command>: AsyncSequence, Sendable where C.Response == [UInt8] {
    public typealias Element = [UInt8]
    public typealias Failure = C.Failure

    private let binding: ServiceBinding
    private let command: C
    private let limit: Int?
    private let progress: TransferProgress?

    init(_ command: C, _ binding: ServiceBinding, limit: Int?, progress: TransferProgress?) {
        self.command = command
        self.binding = binding
        self.limit = limit
        self.progress = progress
    }

    public func makeAsyncIterator() -> Iterator {
        let (command, binding, limit, progress) = (command, binding, limit, progress)
        return Iterator(
            StreamHandle(binding.dispatcher.environment) {
                let position = DownloadPosition()
                let request = DownloadRequest(command: command, part: position)
                let call = binding.makeCall(request)
                return { ChunkRun(request, position, call, binding, limit: limit, progress: progress) }
            })
    }

    /// Reads one download. Letting go of it closes the connection.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let reader: StreamReader<[UInt8], C.Failure>

        init(_ handle: StreamHandle<[UInt8], C.Failure>) { reader = StreamReader(handle) }

        /// The next bytes, never none of them; nil after the last.
        ///
        /// - Throws: the endpoint's own failure type, once. Cancelling the task ends the download, on the wire too.
        #if compiler(>=6.2)
        @inlinable
        nonisolated(nonsending) public mutating func next() async throws(C.Failure) -> [UInt8]? {
            if let element = reader.takeArrived() { return element }
            return try await reader.takeNextTurn(isolation: #isolation)
        }
        #else
        public mutating func next() async throws(C.Failure) -> [UInt8]? {
            try await next(isolation: #isolation)
        }
        #endif

        /// The same on the caller's actor.
        @inlinable
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(C.Failure) -> [UInt8]? {
            if let element = reader.takeArrived() { return element }
            return try await reader.takeNextTurn(isolation: actor)
        }
    }
}

extension DownloadChunks: CustomStringConvertible {
    public var description: String { "the bytes of \(C.endpoint.service.name).\(C.endpoint.name)" }
}

extension ServiceClient {
    /// The bytes of a command's response (`response: bytes` in the contract), chunk by chunk. The request is sent when the
    /// first chunk is asked for.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes; nil for any number.
    ///   - progress: receives the progress and the end of the transfer.
    public func chunks<C: Command>(
        of command: C, limit: Int? = nil, progress: TransferProgress? = nil
    ) -> DownloadChunks<C> where C.Service == Self, C.Response == [UInt8] {
        DownloadChunks(command, binding, limit: limit, progress: progress)
    }
}
