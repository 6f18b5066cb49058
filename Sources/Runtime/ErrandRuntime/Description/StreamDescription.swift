/// The framing of a streamed response's elements, as the contract declares it (`delivery`).
public struct StreamDescription: Sendable, Hashable {
    /// How elements are separated.
    public enum Format: String, Sendable, CaseIterable {
        /// Server-sent events, as the HTML standard defines them (section 9.2): an element is the data of an event.
        case events
        /// JSON lines: an element is a line.
        case lines
        /// Frames of a connection: an element is the payload of a frame.
        case frames
    }

    /// When a stream that has ended is opened again, if the endpoint's effect allows it.
    public enum Reopening: String, Sendable, CaseIterable {
        /// Never, once it was open.
        case never
        /// After a failure, if the server can continue after the last element: it gave that element an id, or nothing was
        /// delivered yet. Nothing is lost or delivered twice.
        case resume
        /// After a failure and after an end, always. Without ids, elements may be lost or come twice.
        case always
    }

    public let format: Format
    /// The data or the line that ends the elements, or the kind of the frame that does; nil if the elements end with the response,
    /// or never.
    public let end: String?
    /// The kind of the frame that ends a subscription early. It has the id of the request, and no payload. Nil if there is none.
    public let cancel: String?
    /// The input of a request that carries the position to continue from, by its name on the wire; nil if there is none.
    public let resume: String?
    /// The names of events whose data says what went wrong.
    public let failures: Set<String>
    /// The member of an element that holds the event's name; nil if elements have no name.
    public let nameMember: String?
    /// How long the server may be silent, comments included. Not for frames, whose connection is watched as a whole.
    public let idle: Duration
    public let reopening: Reopening

    public init(
        _ format: Format, end: String? = nil, failures: Set<String> = [], nameMember: String? = nil,
        idle: Duration = .seconds(300), reopening: Reopening = .resume,
        cancel: String? = nil, resume: String? = nil
    ) {
        self.resume = resume
        self.cancel = cancel
        self.format = format
        self.end = end
        self.failures = failures
        self.nameMember = nameMember
        self.idle = idle
        self.reopening = reopening
    }
}

extension StreamDescription.Format {
    /// The media types that are asked for.
    var accepted: String {
        switch self {
        case .events: "text/event-stream"
        // A frame has no headers.
        case .frames: ""
        case .lines: "application/x-ndjson, application/jsonl, application/json"
        }
    }
}
