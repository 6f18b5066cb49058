/// A set of followers, each with a stream of its own.
///
/// A stream keeps a bounded number of events that its reader has not taken yet: the newest ones. A slow or stopped reader costs
/// no further memory.
package final class EventFollowers<Event: Sendable>: Sendable {
    /// Tells a reader how many events it has missed before `next`: the events to deliver instead of `next` alone.
    package typealias NoteDropped = @Sendable (_ count: Int, _ next: Event) -> [Event]

    private struct State {
        /// In the order in which they came: a run that is repeated with the same seed must not depend on hashing. Held
        /// weakly: a stream lives as long as its reader.
        var buffers: [WeakBuffer] = []
        var isFinished = false
    }

    private struct WeakBuffer { weak var buffer: EventBuffer<Event>? }

    private let state = LockedState<State> { State() }
    private let limit: Int
    private let maximumSize: Int
    private let noteDropped: NoteDropped

    /// - Parameters:
    ///   - limit: how many events a stream keeps.
    ///   - maximumSize: how large they may be together. The newest one is kept at any size.
    package init(
        limit: Int = 256, maximumSize: Int = .max, noteDropped: @escaping NoteDropped = { _, next in [next] }
    ) {
        self.limit = limit
        self.maximumSize = maximumSize
        self.noteDropped = noteDropped
    }

    /// The events from now on, until the reading task is cancelled or releases the stream.
    ///
    /// - Parameter first: what the stream begins with. Asked for when nothing that is told from then on can be missed or
    ///   come before it.
    package func stream(startingWith first: (@Sendable () -> Event)? = nil) -> AsyncStream<Event> {
        let buffer = EventBuffer<Event>(limit: limit, maximumSize: maximumSize, noteDropped: noteDropped)
        state.withLock { state in
            if let first { buffer.append(first()) }
            if state.isFinished { buffer.finish() } else { state.buffers.append(WeakBuffer(buffer: buffer)) }
        }
        return AsyncStream {
            await buffer.next()
        } onCancel: {
            buffer.finish()
        }
    }

    /// - Parameter size: its share of the maximum size.
    package func tell(_ event: Event, size: Int = 0) {
        state.withLock { state in
            var isGone = false
            for follower in state.buffers {
                if follower.buffer?.append(event, size: size) != true { isGone = true }
            }
            if isGone { state.buffers.removeAll { $0.buffer?.isFinished ?? true } }
        }
    }

    /// Ends all streams, once their readers have taken what is left.
    package func finish() {
        state.withLock { state in
            state.isFinished = true
            for follower in state.buffers { follower.buffer?.finish() }
            state.buffers = []
        }
    }

    var isEmpty: Bool { state.withLock { $0.buffers.isEmpty } }
}

/// The events that one reader has not taken yet.
final class EventBuffer<Event: Sendable>: Sendable {
    private typealias Reader = CheckedContinuation<Event?, Never>

    private struct Kept {
        let event: Event
        let size: Int
    }

    private struct State {
        /// The oldest first, from `start` on. Nothing is before it, since an event may be large.
        var events: [Kept?] = []
        var start = 0
        var size = 0
        var dropped = 0
        var readers: [Reader] = []
        var isFinished = false

        var count: Int { events.count - start }

        mutating func popFirst() -> Kept? {
            guard start < events.count, let first = events[start] else { return nil }
            events[start] = nil
            size -= first.size
            start += 1
            if start > 64, start * 2 > events.count {
                events.removeFirst(start)
                start = 0
            }
            return first
        }

        /// The next event, or what says that there were others before it.
        mutating func takeNext(_ noteDropped: EventFollowers<Event>.NoteDropped) -> Event? {
            guard let next = popFirst() else { return nil }
            guard dropped > 0 else { return next.event }
            let all = noteDropped(dropped, next.event)
            dropped = 0
            let rest = all.dropFirst().map { Kept(event: $0, size: next.size) }
            events.insert(contentsOf: rest, at: start)
            size += next.size * rest.count
            return all.first ?? next.event
        }
    }

    private let state = LockedState<State> { State() }
    private let limit: Int
    private let maximumSize: Int
    private let noteDropped: EventFollowers<Event>.NoteDropped

    init(limit: Int, maximumSize: Int, noteDropped: @escaping EventFollowers<Event>.NoteDropped) {
        self.limit = max(1, limit)
        self.maximumSize = maximumSize
        self.noteDropped = noteDropped
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// False if the reader has stopped.
    @discardableResult
    func append(_ event: Event, size: Int = 0) -> Bool {
        let (isTaken, reader) = state.withLock { state -> (Bool, Reader?) in
            if state.isFinished { return (false, nil) }
            if !state.readers.isEmpty { return (true, state.readers.removeFirst()) }
            state.events.append(Kept(event: event, size: size))
            state.size += size
            while state.count > limit || (state.count > 1 && state.size > maximumSize) {
                _ = state.popFirst()
                state.dropped += 1
            }
            return (true, nil)
        }
        reader?.resume(returning: event)
        return isTaken
    }

    /// The next event; nil at the end.
    func next() async -> Event? {
        await withCheckedContinuation { reader in
            let result = state.withLock { [noteDropped] state -> Event?? in
                if let event = state.takeNext(noteDropped) { return event }
                if state.isFinished { return .some(nil) }
                state.readers.append(reader)
                return nil
            }
            if let result { reader.resume(returning: result) }
        }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume(returning: nil) }
    }
}
