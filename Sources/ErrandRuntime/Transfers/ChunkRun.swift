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
                if position.rest == nil { reading.noteDelivery() }
                checksum?.update(chunk)
                note()
                return .elements([chunk])
            case .needsMore: await call.read(reading, progress)
            case .failed(let failure):
                if let end = await reopen(after: failure, reading) { return end }
            case .end:
                if position.isWhole {
                    if checksum?.isRight() == false { return fail(.wrongDigest) }
                    return finish()
                }
                let failure = call.fail(TransportFault(.lost, evidence: .sent), progress)
                if let end = await reopen(after: failure, reading) { return end }
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
        if position.offset > 0, position.rest == nil {
            progress.account.underlying = DownloadProblem.cut(after: position.offset)
        }
        let inbox = ResponseInbox<DownloadRequest<C>>()
        return settle(await call.carryOn(after: failure, last, progress, into: inbox), inbox)
    }

    private func settle(_ ending: CommandCall.Ending, _ inbox: ResponseInbox<DownloadRequest<C>>) -> Turn? {
        guard case .responded = ending, let opened = inbox.response else {
            // There is less on the server now than was delivered.
            if progress.account.status == 416, position.rest != nil { return fail(.changed(after: position.offset)) }
            return end(ending)
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
        call.observation?.settle(.success)
        close()
        return .end([], nil)
    }

    private func end(_ ending: CommandCall.Ending) -> Turn {
        close()
        return .end([], call.failure(of: ending, request))
    }

    private func fail(_ problem: DownloadProblem) -> Turn {
        end(call.ending(by: problem, of: "limit", progress))
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
    private struct State: Sendable {
        var offset = 0
        var total: Int?
        var validator: String?
    }

    private let state = LockedState<State> { State() }

    var offset: Int { state.withLock { $0.offset } }
    var total: Int? { state.withLock { $0.total } }
    /// Whether as many bytes came as were announced.
    var isWhole: Bool { state.withLock { state in state.total.map { $0 == state.offset } ?? true } }

    var rest: (offset: Int, validator: String)? {
        state.withLock { state in
            guard state.offset > 0, let validator = state.validator else { return nil }
            return (state.offset, validator)
        }
    }

    /// Prepares for the bytes of a response, which must continue where the last one stopped.
    ///
    /// - Parameter rule: where the response states the checksum of all bytes.
    func begin(_ answer: ReplyParts, limit: Int?, _ rule: ChecksumRule?) throws(DownloadProblem) -> DownloadHead {
        let (rest, offset, total) = (rest, offset, total)
        let head = try DownloadHead(
            status: answer.status, answer.headers, offset: rest?.offset ?? 0, known: rest?.validator, total: total,
            rule)
        guard head.start == offset else { throw .changed(after: offset) }
        if let limit, let total = head.total, total > limit { throw .larger(than: limit) }
        state.withLock { ($0.total, $0.validator) = (head.total, head.validator) }
        return head
    }

    /// Counts the next bytes.
    ///
    /// - Returns: why they are too many.
    func take(_ count: Int, limit: Int?) -> DownloadProblem? {
        state.withLock { state in
            if let total = state.total, count > total - state.offset { return .tooLong }
            if let limit, count > limit - state.offset { return .larger(than: limit) }
            state.offset += count
            return nil
        }
    }
}
