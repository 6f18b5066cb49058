import ErrandConnections
import ErrandRuntime
import Foundation

/// A keyed command with a body, an envelope and a session's token, twice: over HTTP and as a frame.
struct StoredNote: Sendable, JSONReadable {
    let number: Int
    let room: Int
    let text: String
    static let keys = JSONKeys(["number", "room", "text"])

    static let example = #"{"number":232348844,"room":5,"text":"Hello"}"#

    static func load(from reader: inout JSONReader) -> StoredNote? {
        var (number, room, text) = (0, 0, "")
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: number = reader.readInt()
            case 1: room = reader.readInt()
            case 2: text = reader.readString()
            default: return reader.isFaulted ? nil : StoredNote(number: number, room: room, text: text)
            }
        }
    }
}

private let errors = [
    ErrorDescription("sessionExpired", .requiresLogout, message: "Please log in again.", shared: true),
    ErrorDescription("noSuchRoom", .nonRetryable, message: "This room is gone."),
]
private let envelope = EnvelopeDescription(success: .status, code: "code", message: "message")
private let table: DecisionTable = [
    .error("noSuchRoom", applied: .never, isEndpointSpecific: true, code: "no_such_room"),
    .error("sessionExpired", applied: .never, code: "session_expired"),
]

private func encodeNote(into request: inout RequestEncoder) {
    request.beginBody(.json)
    request.field("room", 5)
    request.field("text", "Hello")
}

/// The service over HTTP.
struct HTTPNotes: ServiceClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "HTTPNotes", version: "1",
        session: SessionPlacement(header: "Authorization", prefix: "Bearer ", suffix: ""),
        errors: errors)

    static func make(_ transport: any Transport, maximumRequests: Int = 32) async -> HTTPNotes {
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        let dispatcher = Dispatcher(
            transport: transport, settings: DispatcherSettings(maximumRequestsPerHost: maximumRequests))
        return HTTPNotes(
            binding: ServiceBinding(service, server: "https://notes.example/v1", on: dispatcher, session: session))
    }

    struct Store: Command {
        typealias Service = HTTPNotes
        typealias Failure = CommandFault
        typealias Response = StoredNote
        static let endpoint = EndpointDescription(
            HTTPNotes.service, "store", .post, effect: .keyed, key: .field("key"), session: .required,
            envelope: envelope,
            table: table)
        func encode(into request: inout RequestEncoder) {
            request.path("/notes")
            encodeNote(into: &request)
        }
        static func load(from reader: inout JSONReader) -> StoredNote? { StoredNote.load(from: &reader) }
    }
}

/// The service over a connection.
struct FrameNotes: ServiceClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "FrameNotes", version: "1", errors: errors,
        connection: ConnectionDescription(.persistent, payload: "data", failure: "error", maximumPending: 16_000),
        attach: { Attach(token: $0) })

    static func make(_ server: InstantServer) async -> FrameNotes {
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        let dispatcher = Dispatcher(
            transport: InstantHTTP(""), settings: DispatcherSettings(messageTransport: server))
        return FrameNotes(
            binding: ServiceBinding(service, server: "wss://notes.example/v1", on: dispatcher, session: session))
    }

    struct Attach: AttachCommand {
        let token: String
        typealias Service = FrameNotes
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            FrameNotes.service, "attach", frame: FrameDescription("attach"), effect: .idempotent, envelope: envelope,
            response: .none, table: table)
        func encode(into request: inout RequestEncoder) {
            request.beginBody(.json)
            request.field("token", token, sensitive: true)
        }
    }

    struct Store: Command {
        typealias Service = FrameNotes
        typealias Failure = CommandFault
        typealias Response = StoredNote
        static let endpoint = EndpointDescription(
            FrameNotes.service, "store", frame: FrameDescription("note.store"), effect: .keyed, key: .field("key"),
            session: .required, timeout: .seconds(300), deadline: .seconds(600), envelope: envelope, table: table)
        func encode(into request: inout RequestEncoder) { encodeNote(into: &request) }
        static func load(from reader: inout JSONReader) -> StoredNote? { StoredNote.load(from: &reader) }
    }
}
