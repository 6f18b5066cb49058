extension BodySource {
    /// The same body, which tells how much of it the transport has taken.
    ///
    ///     let progress = TransferProgress()
    ///     try await photos.upload(body: .file(at: url).reporting(to: progress))
    ///
    /// An attempt that is repeated begins at 0 again, which `TransferState.restarts` counts. The progress ends with the last byte.
    public func reporting(to progress: TransferProgress) -> BodySource {
        passing(through: ReportedChunks(body: self, progress: progress))
    }
}

/// The chunks of a body, counted as they are taken.
private struct ReportedChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let body: BodySource
    let progress: TransferProgress

    func makeAsyncIterator() -> Iterator { Iterator(body: body, progress: progress) }

    struct Iterator: AsyncIteratorProtocol {
        let body: BodySource
        let progress: TransferProgress
        private var reader: BodySourceReader?
        private var count = 0

        init(body: BodySource, progress: TransferProgress) {
            self.body = body
            self.progress = progress
        }

        mutating func next() async throws -> [UInt8]? {
            if reader == nil {
                reader = try body.makeReader()
                progress.note(bytes: 0, total: body.length)
            }
            guard let chunk = try await reader?.next() else {
                progress.finish()
                return nil
            }
            count += chunk.count
            progress.note(bytes: count, total: body.length)
            return chunk
        }
    }
}
