/// Carries out a download whose chunks are handed over. It opens the response, and opens it again after a decision to retry.
/// Used by one task.
final class ChunkRun<C: Command>: StreamWork where C.Response == [UInt8] {
    typealias Turn = StreamHandle<[UInt8], C.Failure>.Turn

    private let binding: ServiceBinding
    private let request: DownloadRequest<C>
    private let position: DownloadPosition
    private let limit: Int?
    private let told: TransferProgress?
    private let call: CommandCall
    private let progress: CallProgress
    private var reading: StreamReading?
    private var checksum: RunningChecksum?
    private var bounds: DownloadBounds
    private var isBegun = false

    init(
        _ request: DownloadRequest<C>, _ position: DownloadPosition, _ call: CommandCall, _ binding: ServiceBinding,
        limit: Int?, progress told: TransferProgress?
    ) {
        self.request = request
        self.position = position
        self.call = call
        self.binding = binding
        self.limit = limit
        self.told = told
        progress = call.begin()
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
                if position.received == nil { reading.noteDelivery() }
                checksum?.update(chunk)
                note()
                return .elements([chunk])
            case .needsMore: await call.read(reading, progress)
            case .failed(let failure):
                bounds.note(reading, position.offset)
                if let end = await reopen(after: failure, reading) { return end }
            case .end:
                bounds.note(reading, position.offset)
                switch position.ending {
                case .whole: return finish()
                case .part:
                    if let end = await requestMore(after: reading) { return end }
                case .cut:
                    if let end = await reopen(after: lost(), reading) { return end }
                }
            }
        }
    }

    /// Opens the response. Returns nil if it is open.
    private func open() async -> Turn? {
        if binding.route.stubs != nil { return await takeWhole() }
        let inbox = ResponseInbox<DownloadRequest<C>>()
        let ending: CommandCall.Ending
        if isBegun {
            ending = await call.carryOutAgain(progress, into: inbox)
        } else {
            isBegun = true
            ending = await call.run(progress, into: inbox)
        }
        return settle(ending, inbox)
    }

    private func reopen(after failure: FailedAttempt, _ last: StreamReading) async -> Turn? {
        reading = nil
        if position.offset > 0, position.received == nil {
            progress.account.underlying = DownloadProblem.cut(after: position.offset)
        }
        let inbox = ResponseInbox<DownloadRequest<C>>()
        return settle(await call.carryOn(after: failure, last, progress, into: inbox), inbox)
    }

    /// Requests the bytes after those of a response that was a legal part.
    private func requestMore(after last: StreamReading) async -> Turn? {
        guard position.received != nil, bounds.mayContinue(after: last) else {
            return await reopen(after: lost(), last)
        }
        reading = nil
        let inbox = ResponseInbox<DownloadRequest<C>>()
        return settle(await call.carryOn(afterPart: last, progress, into: inbox), inbox)
    }

    private func lost() -> FailedAttempt { call.fail(TransportFault(.lost, evidence: .sent), progress) }

    private func settle(_ ending: CommandCall.Ending, _ inbox: ResponseInbox<DownloadRequest<C>>) -> Turn? {
        guard case .responded = ending, let opened = inbox.response else {
            guard progress.account.status == 416, let received = position.received else { return end(ending) }
            if received.isWhole(by: progress.account.headers) { return finish() }
            // There is less on the server now than was delivered.
            return fail(.changed(after: position.offset))
        }
        let reading = StreamReading(
            opened, call.endpoint, limit: 0, begun: binding.dispatcher.environment.time.now, takesChunks: true)
        self.reading = reading
        do throws(DownloadProblem) {
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
        call.observation?.settle(.success)
        close()
        return .end([], nil)
    }

    private func end(_ ending: CommandCall.Ending) -> Turn {
        close()
        return .end([], call.failure(of: ending, request))
    }

    private func fail(_ problem: DownloadProblem) -> Turn {
        end(call.ending(by: problem, progress))
    }

    func abandon() -> C.Failure { call.failure(of: call.cancelled(progress).ending(progress.account), request) }

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
    func begin(_ answer: ReplyParts, limit: Int?, _ rule: ChecksumRule?) throws(DownloadProblem) -> DownloadHead {
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
    func take(_ count: Int, limit: Int?) -> DownloadProblem? { state.withLock { $0.take(count, limit: limit) } }
}
