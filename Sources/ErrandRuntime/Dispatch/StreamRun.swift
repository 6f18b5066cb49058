/// Carries one stream out: opens it, reads it, and opens it again if that was decided. Used by one task.
final class StreamRun<C: StreamCommand>: StreamWork {
    /// How many elements are read ahead of their reader, of one chunk at most.
    private let batch = 256
    private let command: C
    private let call: CommandCall
    private let dispatcher: Dispatcher
    private let progress: CallProgress
    private let inbox = ElementInbox<C>()
    private var reading: StreamReading?
    private var isBegun = false

    init(_ command: C, _ call: CommandCall, _ dispatcher: Dispatcher) {
        self.command = command
        self.call = call
        self.dispatcher = dispatcher
        progress = call.begin()
    }

    /// Opens the stream if it isn't open, and reads until elements arrive or the stream is over.
    func turn() async -> StreamHandle<C.Element, C.Failure>.Turn {
        var elements: [C.Element] = []
        while true {
            guard let reading else {
                if let end = await open() { return end }
                continue
            }
            switch reading.next() {
            case .item(let item):
                switch call.classify(item, reading, progress, into: inbox) {
                case nil:
                    if let element = inbox.take() { elements.append(element) }
                    reading.noteDelivery()
                    if elements.count >= batch { return .elements(elements) }
                case let failure?:
                    // The elements that arrived before are read first, because the stream continues after them.
                    reading.hold(failure)
                    if !elements.isEmpty { return .elements(elements) }
                }
            case .needsMore:
                if !elements.isEmpty { return .elements(elements) }
                await call.read(reading, progress)
            case .oversized: reading.hold(call.failOversized(progress))
            case .end: return finish(elements)
            case .failed(let failure):
                if !elements.isEmpty { return .elements(elements) }
                if let end = await reopen(after: failure, reading) { return end }
            }
        }
    }

    /// Nil if the stream is open.
    private func open() async -> StreamHandle<C.Element, C.Failure>.Turn? {
        let receiver = ResponseInbox<C>()
        let ending: CommandCall.Ending
        if isBegun {
            ending = await call.carryOutAgain(progress, into: receiver)
        } else {
            isBegun = true
            ending = await call.run(progress, into: receiver)
        }
        return settle(ending, receiver)
    }

    private func reopen(after failure: FailedAttempt, _ last: StreamReading) async -> StreamHandle<C.Element, C.Failure>
        .Turn?
    {
        reading = nil
        let receiver = ResponseInbox<C>()
        return settle(await call.carryOn(after: failure, last, progress, into: receiver), receiver)
    }

    private func settle(_ ending: CommandCall.Ending, _ receiver: ResponseInbox<C>) -> StreamHandle<
        C.Element, C.Failure
    >.Turn? {
        if case .responded = ending, let opened = receiver.response {
            if let stubbed = opened.stubbed { return finish(stubbed.compactMap { $0 as? C.Element }) }
            reading = StreamReading(
                opened, call.endpoint, limit: dispatcher.settings.maximumElementSize,
                begun: dispatcher.environment.time.now, resumedAfter: progress.lastEventID)
            return nil
        }
        return .end([], call.failure(of: ending, command))
    }

    private func finish(_ elements: [C.Element]) -> StreamHandle<C.Element, C.Failure>.Turn {
        call.observation?.settle(.success)
        close()
        return .end(elements, nil)
    }

    func abandon() -> C.Failure { call.failure(of: call.cancelled(progress).ending(progress.account), command) }

    func close() {
        reading?.close()
        reading = nil
    }
}
