/// Carries one stream out: opens it, reads it, and opens it again if that was decided. Used by one task.
final class StreamRun<C: StreamCommand>: StreamWork {
    /// How many elements are read ahead of their reader, of one chunk at most.
    private let batch = 256
    private let command: C
    private let run: CommandRun
    private var reading: StreamReading?
    /// How far a subscription has come.
    private var position = SubscriptionPosition()
    /// Reads the position of an element; nil without positions.
    private let place: ((C.Element) -> StreamPosition?)?
    /// What the reader gets after a reopening; nil if nothing can be missing then.
    private let gap: C.Element?
    private var wasOpen = false

    init(_ command: C, _ call: CommandExecution) {
        self.command = command
        run = CommandRun(call)
        place = (C.self as? any ResumableCommand.Type).flatMap { Self.place(of: $0) }
        gap = (C.self as? any UnpositionedCommand.Type).flatMap { $0.anyGap as? C.Element }
    }

    private static func place<Resumable: ResumableCommand>(
        of type: Resumable.Type
    ) -> ((C.Element) -> StreamPosition?)? {
        // The two types are one, which only the runtime knows.
        let place: (Resumable.Element) -> StreamPosition? = { type.position(of: $0) }
        return place as? (C.Element) -> StreamPosition?
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
                do throws(FailedAttempt) {
                    var element: C.Element?
                    try run.read(item, of: reading) { reader in
                        element = C.element(from: &reader)
                        return element != nil
                    }
                    guard let element, isNew(element) else { continue }
                    elements.append(element)
                    reading.noteDelivery()
                    if elements.count >= batch { return .elements(elements) }
                } catch {
                    // The elements that arrived before are read first, because the stream continues after them.
                    reading.hold(error)
                    if !elements.isEmpty { return .elements(elements) }
                }
            case .needsMore:
                if !elements.isEmpty { return .elements(elements) }
                await run.read(reading)
            case .oversized: reading.hold(run.failOversized())
            case .end: return finish(elements)
            case .failed(let failure):
                if !elements.isEmpty { return .elements(elements) }
                self.reading = nil
                run.goOn(after: failure, reading)
            }
        }
    }

    /// Nil if the stream is open.
    private func open() async -> StreamHandle<C.Element, C.Failure>.Turn? {
        do throws(CommandRun.Ending) {
            let opened = try await run.respond(with: CommandReader<C>()).value
            if let stubbed = opened.stubbed { return finish(stubbed.compactMap { $0 as? C.Element }) }
            let dispatcher = run.dispatcher
            reading = StreamReading(
                opened, run.endpoint, limit: dispatcher.settings.maximumElementSize,
                begun: dispatcher.environment.time.now, resumedAfter: run.state.lastEventID)
            defer { wasOpen = true }
            // With the id of the last element, the server goes on after it.
            return wasOpen && run.state.lastEventID == nil ? gap.map { .elements([$0]) } : nil
        } catch {
            return .end([], run.call.failure(of: error, command))
        }
    }

    /// Notes an element. False for one that was delivered before: a server may repeat the last ones.
    private func isNew(_ element: C.Element) -> Bool {
        guard let place else { return true }
        let receipt = position.note(place(element))
        run.state.position = position.last
        return receipt != .isDuplicate
    }

    private func finish(_ elements: [C.Element]) -> StreamHandle<C.Element, C.Failure>.Turn {
        run.noteWholeResponse()
        close()
        return .end(elements, nil)
    }

    func abandon() -> C.Failure { run.call.failure(of: run.cancelled().ending(run.state.summary), command) }

    func close() {
        reading?.close()
        reading = nil
    }
}
