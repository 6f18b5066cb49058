/// Carries out a download: opens the response, writes it, and opens it again after a decision to retry. Used by one task.
final class DownloadRun<C: Command> where C.Response == [UInt8] {
    private let binding: ServiceBinding
    private let request: DownloadRequest<C>
    private let part: PartialFile
    private let limit: Int?
    private let checksum: FileChecksum?
    private let call: CommandCall
    private let progress: CallProgress

    /// - Parameter membership: the login in which an earlier run has begun; nil for the first one.
    init(
        _ binding: ServiceBinding, _ command: C, _ part: PartialFile, of membership: SessionMembership?, limit: Int?,
        checksum: FileChecksum?
    ) {
        self.binding = binding
        self.part = part
        self.limit = limit
        self.checksum = checksum
        request = DownloadRequest(command: command, part: part)
        call = binding.makeCall(request, membership.map { .rest(of: $0) } ?? .ordinary)
        progress = call.begin()
    }

    /// The login that the bytes belong to; nil while there are none.
    var membership: SessionMembership? { part.offset > 0 ? progress.membership : nil }

    func carryOut() async throws(C.Failure) {
        if binding.route.stubs != nil { return try await takeWhole() }
        var inbox = ResponseInbox<DownloadRequest<C>>()
        var ending = await call.run(progress, into: inbox)
        while true {
            guard case .responded = ending, let opened = inbox.response else {
                // The partial file may be longer than the server's current file. The whole file is requested, once.
                guard progress.account.status == 416, part.rest != nil else { throw fail(ending) }
                part.restart()
                inbox = ResponseInbox()
                ending = await call.carryOutAgain(progress, into: inbox)
                continue
            }
            let reading = StreamReading(
                opened, call.endpoint, limit: 0, begun: binding.dispatcher.environment.time.now, takesChunks: true)
            let failure: FailedAttempt
            do throws(DownloadProblem) {
                guard let ended = try await take(reading) else {
                    try part.finish(checksum)
                    call.observation?.settle(.success)
                    return
                }
                failure = ended
            } catch {
                reading.close()
                throw fail(error)
            }
            inbox = ResponseInbox()
            ending = await call.carryOn(after: failure, reading, progress, into: inbox)
        }
    }

    /// Writes a response to its end.
    ///
    /// - Returns: the failure that ended it early; nil if the response is complete.
    private func take(_ reading: StreamReading) async throws(DownloadProblem) -> FailedAttempt? {
        let head = reading.opened.head
        try part.begin(status: head.status, head.headers, limit: limit, C.endpoint.checksum)
        while true {
            switch reading.nextChunk() {
            case .chunk(let chunk): try part.append(chunk, limit: limit)
            case .needsMore: await call.read(reading, progress)
            case .failed(let failure): return failure
            case .end:
                reading.close()
                if part.isWhole { return nil }
                return call.fail(TransportFault(.lost, evidence: .sent), progress)
            }
        }
    }

    /// A stub gives all bytes at once.
    private func takeWhole() async throws(C.Failure) {
        let bytes = try await binding.perform(request.command).value
        do throws(DownloadProblem) {
            try part.begin(status: 200, ["Content-Length": "\(bytes.count)"], limit: limit)
            try part.append(bytes, limit: limit)
            try part.finish(checksum)
        } catch {
            throw fail(error)
        }
    }

    private func fail(_ ending: CommandCall.Ending) -> C.Failure { call.failure(of: ending, request) }

    /// Fails, and discards the bytes written so far.
    private func fail(_ problem: DownloadProblem) -> C.Failure {
        part.discard()
        return fail(call.ending(by: problem, of: "destination", progress))
    }
}
