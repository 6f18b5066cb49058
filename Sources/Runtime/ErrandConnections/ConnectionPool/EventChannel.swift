import ErrandJSON
public import ErrandRuntime

/// The followers of one kind of events, whose type they know.
protocol EventChannel: AnyObject, Sendable {
    /// Reads an event and hands it to the followers; false if it breaks the contract.
    func publish(_ payload: [UInt8]) -> Bool
    /// Tells them that events may be missing.
    func publishGap()
    /// Ends their sequences.
    func finish()
}

final class TypedEventChannel<Event: ServerEvent>: EventChannel {
    private let followers: EventFollowers<EventOrGap<Event>>

    /// - Parameter maximumSize: how many bytes of messages wait for a follower.
    init(maximumSize: Int) {
        followers = EventFollowers(limit: 1_024, maximumSize: maximumSize) { _, next in [.gap, next] }
    }

    func publish(_ payload: [UInt8]) -> Bool {
        // The frame of an event without data has no payload.
        let payload = payload.isEmpty ? Array("{}".utf8) : payload
        guard let event = try? JSON.scan(payload, { Event.load(from: &$0) }) else { return false }
        followers.tell(.event(event), size: payload.count)
        return true
    }

    func publishGap() { followers.tell(.gap) }
    func finish() { followers.finish() }
    func stream() -> AsyncStream<EventOrGap<Event>> { followers.stream() }
}

/// Keeps a connection open for a follower, for as long as it exists.
final class EventFollowing: Sendable {
    private let connection: PersistentConnection

    init(_ connection: PersistentConnection) { self.connection = connection }

    deinit { connection.unfollow() }
}

/// The events of one kind that a server sends unasked, from when the sequence was made.
///
///     for await event in presence.events(of: Presence.Notice.self) {
///         switch event {
///         case .event(let notice): show(notice)
///         case .gap: await reload()
///         }
///     }
///
/// A sequence is read by one task; any number of sequences may exist. Each keeps the newest thousand events that were not read yet, as far
/// as the bound of the contract's `buffer` allows. The connection stays open while one exists, and is opened again after a loss. The
/// sequence ends with the login in which it was made.
public struct EventStream<Event: ServerEvent>: AsyncSequence, Sendable {
    public typealias Element = EventOrGap<Event>
    public typealias Failure = Never

    private let stream: AsyncStream<EventOrGap<Event>>
    /// Nil if there is no connection.
    private let following: EventFollowing?

    init(_ stream: AsyncStream<EventOrGap<Event>>, _ following: EventFollowing?) {
        self.stream = stream
        self.following = following
    }

    public func makeAsyncIterator() -> Iterator { Iterator(iterator: stream.makeAsyncIterator(), following: following) }

    /// Reads the events.
    public struct Iterator: AsyncIteratorProtocol {
        var iterator: AsyncStream<EventOrGap<Event>>.Iterator
        let following: EventFollowing?

        /// The next event, or the news that some may be missing; nil at the end.
        public mutating func next() async -> EventOrGap<Event>? { await iterator.next() }

        /// The same on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> EventOrGap<Event>? {
            await iterator.next(isolation: actor)
        }
    }
}

extension EventStream: CustomStringConvertible, CustomReflectable {
    /// The kind of the events. Its connection knows tokens.
    public var description: String { "the events \(Event.kind)" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension EventStream.Iterator: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension PersistentConnection: CustomStringConvertible, CustomReflectable {
    /// The service and its server. The rest holds tokens and payloads.
    var description: String { "\(service.name) connection to \(origin)" }
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
