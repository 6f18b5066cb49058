/// Carries out a download: opens the response, writes it, and opens it again after a decision to retry. Used by one task.
final class DownloadRun<C: Command> where C.Response == [UInt8] {
    private let binding: ServiceBinding
    private let request: DownloadRequest<C>
    private let part: PartialFile
    private let limit: Int?
    private let checksum: FileChecksum?
    private let run: CommandRun
    private var bounds: DownloadBounds

    /// - Parameter membership: the login in which an earlier run has begun; nil for the first one.
    init(
        _ binding: ServiceBinding, _ command: C, _ part: PartialFile, of membership: CommandEpoch?, limit: Int?,
        checksum: FileChecksum?
    ) {
        self.binding = binding
        self.part = part
        self.limit = limit
        self.checksum = checksum
        request = DownloadRequest(command: command, part: part)
        run = CommandRun(binding.makeCall(request, membership.map { .rest(of: $0) } ?? .ordinary))
        bounds = DownloadBounds(run.endpoint.effect, offset: part.offset)
    }

    /// The login that the bytes belong to; nil while there are none.
    var membership: CommandEpoch? { part.offset > 0 ? run.membership : nil }

    func carryOut() async throws(C.Failure) {
        if binding.route.stubs != nil { return try await takeWhole() }
        while true {
            let opened: OpenedStream
            do throws(CommandRun.Ending) {
                opened = try await run.respond(with: CommandReader<DownloadRequest<C>>()).value
            } catch {
                guard run.state.summary.status == 416, let received = part.received else { throw fail(error) }
                if received.isWhole(by: run.state.summary.headers) { return try finish() }
                // The partial file may be longer than the server's current file. The whole file is requested, once.
                guard bounds.mayRestart() else { throw fail(error) }
                restart()
                continue
            }
            let reading = StreamReading(
                opened, run.endpoint, limit: 0, begun: binding.dispatcher.environment.time.now, takesChunks: true)
            let isContinued = part.received != nil
            do throws(DownloadError) {
                let head = reading.opened.head
                try part.begin(status: head.status, head.headers, limit: limit, C.endpoint.checksum)
            } catch {
                reading.close()
                guard isContinued, error.asksForAll, bounds.mayRestart() else { throw fail(error) }
                restart()
                continue
            }
            let end: End
            do throws(DownloadError) {
                end = try await take(reading)
            } catch {
                reading.close()
                throw fail(error)
            }
            switch end {
            case .whole: return try finish()
            case .part where bounds.mayContinue(after: reading): run.goOn(afterPart: reading)
            case .part: run.goOn(after: run.failure(for: .lost), reading)
            case .failed(let failure): run.goOn(after: failure, reading)
            }
        }
    }

    /// Requests the whole file.
    private func restart() {
        part.restart()
        run.restart()
    }

    /// Puts the file in its place.
    private func finish() throws(C.Failure) {
        do throws(DownloadError) {
            try part.finish(checksum)
        } catch {
            throw fail(error)
        }
        run.noteWholeResponse()
    }

    /// How a response ended.
    private enum End {
        case whole
        /// It was a part of what was requested.
        case part
        case failed(FailedAttempt)
    }

    /// Writes a response to its end.
    private func take(_ reading: StreamReading) async throws(DownloadError) -> End {
        while true {
            switch reading.nextChunk() {
            case .chunk(let chunk):
                try part.append(chunk, limit: limit)
                bounds.note(reading, part.offset)
            case .needsMore: await run.read(reading)
            case .failed(let failure): return .failed(failure)
            case .end:
                reading.close()
                switch part.ending {
                case .whole: return .whole
                case .part: return .part
                case .cut: return .failed(run.failure(for: .lost))
                }
            }
        }
    }

    /// A stub gives all bytes at once.
    private func takeWhole() async throws(C.Failure) {
        let bytes = try await binding.perform(request.command).value
        do throws(DownloadError) {
            try part.begin(status: 200, ["Content-Length": "\(bytes.count)"], limit: limit)
            try part.append(bytes, limit: limit)
            try part.finish(checksum)
        } catch {
            throw fail(error)
        }
    }

    private func fail(_ ending: CommandRun.Ending) -> C.Failure { run.call.failure(of: ending, request) }

    /// Fails, and discards the bytes written so far.
    private func fail(_ problem: DownloadError) -> C.Failure {
        part.discard()
        return fail(run.ending(by: problem))
    }
}
