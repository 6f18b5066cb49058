import ErrandJSON

/// The command that presents the session's token on a new connection (`session.attach` in the contract). The runtime sends it before
/// everything else that needs the session. `ServiceDescription.attach` makes it.
public protocol AttachCommand: Command {}

/// A subscription whose elements carry their position, so that it can be made again from there. Generated code conforms to this.
public protocol ResumableCommand: StreamCommand {
    /// Where an element is; nil if it doesn't say. A subscription cannot be made again after such an element.
    static func position(of element: Element) -> StreamPosition?
    /// The same command, which asks for the elements after a position.
    func resuming(after position: StreamPosition) -> Self
}

/// A subscription without positions, or a stream with `reopen: always`. When it is opened again, and the server cannot know after which
/// element, its reader gets `EventOrGap.gap`. Generated code conforms to this.
public protocol UnpositionedCommand: StreamCommand where Element == EventOrGap<Event> {
    /// The type of what the server sends.
    associatedtype Event: Sendable

    /// Reads one event; nil if the reader is at fault.
    static func event(from reader: inout JSONReader) -> Event?
}

extension UnpositionedCommand {
    @inlinable
    public static func element(from reader: inout JSONReader) -> EventOrGap<Event>? {
        guard let event = event(from: &reader) else { return nil }
        return .event(event)
    }

    /// `EventOrGap.gap`, where only the runtime knows that the command has it.
    static var anyGap: any Sendable { EventOrGap<Event>.gap }
}

/// The position of an element of a subscription, which the server gave it. A number has an order, and a text is opaque.
public struct StreamPosition: Sendable, Hashable {
    /// The position, if it is a number.
    public let number: Int?
    /// The position, if it is a text.
    public let text: String?

    public init(_ number: Int) { (self.number, text) = (number, nil) }

    public init(_ text: String) { (number, self.text) = (nil, text) }
}

/// An event, or the news that events may be missing.
public enum EventOrGap<Event: Sendable>: Sendable {
    case event(Event)
    /// The connection was lost, the stream ended, or the reader was too slow: events may be missing here.
    case gap

    /// The event; nil for a gap.
    public var event: Event? {
        if case .event(let event) = self { event } else { nil }
    }
}

extension EventOrGap: Equatable where Event: Equatable {}
extension EventOrGap: Hashable where Event: Hashable {}

/// An event that a server sends unasked (`events` in the contract). Generated code conforms to this.
public protocol ServerEvent: JSONReadable, Sendable {
    /// The client whose contract declares the event.
    associatedtype Service
    /// The kind of its frames.
    static var kind: String { get }
}
