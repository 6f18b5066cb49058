/// Carries out a download whose chunks are handed over. It opens the response, and opens it again after a decision to retry.
/// Used by one task.
final class ChunkRun<C: Command>: StreamWork where C.Response == [UInt8] {
    typealias Turn = StreamHandle<[UInt8], C.Failure>.Turn

    private let binding: ServiceBinding
    private let request: DownloadRequest<C>
    private let position: DownloadPosition
    private let limit: Int?
    private let told: TransferProgress?
    private let run: CommandRun
    private var reading: StreamReading?
    private var checksum: RunningChecksum?
    private var bounds: DownloadBounds

    init(
        _ request: DownloadRequest<C>, _ position: DownloadPosition, _ call: CommandExecution,
        _ binding: ServiceBinding,
        limit: Int?, progress told: TransferProgress?
    ) {
        self.request = request
        self.position = position
        self.binding = binding
        self.limit = limit
        self.told = told
        run = CommandRun(call)
        bounds = DownloadBounds(call.endpoint.effect)
    }

    func turn() async -> Turn {
        while true {
            guard let reading else {
                if let end = await open() { return end }
                continue
            }
            switch reading.nextChunk() {
            case .chunk(let chunk) where chunk.isEmpty: continue
            case .chunk(let chunk):
                if let problem = position.take(chunk.count, limit: limit) { return fail(problem) }
                bounds.note(reading, position.offset)
                if position.received == nil { reading.noteDelivery() }
                checksum?.update(chunk)
                note()
                return .elements([chunk])
            case .needsMore: await run.read(reading)
            case .failed(let failure): goOn(after: failure, reading)
            case .end:
                switch position.ending {
                case .whole: return finish()
                case .part where position.received != nil && bounds.mayContinue(after: reading):
                    self.reading = nil
                    run.goOn(afterPart: reading)
                case .part, .cut: goOn(after: run.failure(for: .lost), reading)
                }
            }
        }
    }

    private func goOn(after failure: FailedAttempt, _ last: StreamReading) {
        reading = nil
        if position.offset > 0, position.received == nil {
            run.state.summary.underlying = DownloadError.cut(after: position.offset)
        }
        run.goOn(after: failure, last)
    }

    /// Opens the response. Returns nil if it is open.
    private func open() async -> Turn? {
        if binding.route.stubs != nil { return await takeWhole() }
        let opened: OpenedStream
        do throws(CommandRun.Ending) {
            opened = try await run.respond(with: CommandReader<DownloadRequest<C>>()).value
        } catch {
            guard run.state.summary.status == 416, let received = position.received else { return end(error) }
            if received.isWhole(by: run.state.summary.headers) { return finish() }
            // There is less on the server now than was delivered.
            return fail(.changed(after: position.offset))
        }
        reading = StreamReading(
            opened, run.endpoint, limit: 0, begun: binding.dispatcher.environment.time.now, takesChunks: true)
        do throws(DownloadError) {
            let head = try position.begin(opened.head, limit: limit, C.endpoint.checksum)
            if head.start == 0 { checksum = head.checksum.map(RunningChecksum.init) }
            note()
            return nil
        } catch {
            return fail(error)
        }
    }

    private func note() { told?.note(bytes: position.offset, total: position.total) }

    /// A stub gives all bytes at once.
    private func takeWhole() async -> Turn {
        do throws(C.Failure) {
            let bytes = try await binding.perform(request.command).value
            told?.note(bytes: bytes.count, total: bytes.count)
            told?.finish()
            return .end(bytes.isEmpty ? [] : [bytes], nil)
        } catch {
            told?.finish()
            return .end([], error)
        }
    }

    private func finish() -> Turn {
        if checksum?.isRight() == false { return fail(.wrongDigest) }
        run.noteWholeResponse()
        close()
        return .end([], nil)
    }

    private func end(_ ending: CommandRun.Ending) -> Turn {
        close()
        return .end([], run.call.failure(of: ending, request))
    }

    private func fail(_ problem: DownloadError) -> Turn {
        end(run.ending(by: problem))
    }

    func abandon() -> C.Failure { run.call.failure(of: run.cancelled().ending(run.state.summary), request) }

    func close() {
        reading?.close()
        reading = nil
        told?.finish()
    }
}

/// How far a download is whose bytes are handed over.
final class DownloadPosition: DownloadTarget {
    private let state = LockedState<DownloadExtent> { DownloadExtent() }

    var offset: Int { state.withLock { $0.offset } }
    var total: Int? { state.withLock { $0.total } }
    var received: ReceivedPart? { state.withLock { $0.received } }
    /// Whether all bytes were delivered, once a response has ended.
    var ending: DownloadExtent.Ending { state.withLock { $0.ending } }

    /// Prepares for the bytes of a response, which must continue where the last one stopped.
    ///
    /// - Parameter rule: where the response states the checksum of all bytes.
    func begin(_ answer: ReplyParts, limit: Int?, _ rule: ChecksumRule?) throws(DownloadError) -> DownloadHead {
        let head = try DownloadHead(status: answer.status, answer.headers, after: received, rule)
        let offset = offset
        guard head.start == offset else { throw .changed(after: offset) }
        if let limit, let total = head.total, total > limit { throw .larger(than: limit) }
        state.withLock { $0.begin(head) }
        return head
    }

    /// Counts the next bytes.
    ///
    /// - Returns: why they are too many.
    func take(_ count: Int, limit: Int?) -> DownloadError? { state.withLock { $0.take(count, limit: limit) } }
}
