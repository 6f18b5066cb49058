/// How much one client, and all of them, can cost the server.
package struct ConnectionLimits: Sendable {
    /// The bytes of a request's head: its line and its headers.
    package var headBytes = 16 << 10
    package var headers = 100
    package var bodyBytes = 10 << 20
    /// The bytes of all bodies of requests and responses that are under way together. Each connection has at most one.
    package var heldBytes = 64 << 20
    /// The bytes of a body that is too short to count among them.
    package var shortBody = 64 << 10
    /// How many connections are served. Another one is told so and closed.
    package var connections = 256
    /// How many connections are told at a time that they are too many. Another one is closed without a word.
    package var refusals = 64
    /// How long a client may take to read why its request is refused.
    package var refusalTime = Duration.seconds(2)
    /// How long a connection without a request stays open, and how long a client may take for a head.
    package var idle = Duration.seconds(30)
    /// How long a client may take for a body.
    package var bodyTime = Duration.seconds(60)
    /// How long a response may take, and how long the pause between two parts of a stream may be.
    package var responseTime = Duration.seconds(600)
    /// How long a response may still take after the client has closed its side. A client may close its side after its last request
    /// and wait for the response, and nothing tells it apart from a client that has left.
    package var afterClose = Duration.milliseconds(500)

    // MARK: WebSocket

    /// The bytes of a message.
    package var messageBytes = 1 << 20
    /// How many frames a message has.
    package var fragments = 1_000
    /// After which time a ping is sent. A client answers it, so it shows that it is still there.
    package var pingEvery = Duration.seconds(20)
    /// How long a client of a WebSocket connection may be silent.
    package var silence = Duration.seconds(60)
    /// The bytes that a client may leave unread. A message by itself may be longer.
    package var unreadBytes = 1 << 20
    /// How long a client may take to answer a close frame.
    package var closeTime = Duration.seconds(2)

    package init() {}
}
