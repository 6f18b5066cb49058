/// How much one client, and all of them, can cost the server.
package struct ConnectionLimits: Sendable {
    /// The bytes of a request's head: its line and its headers.
    package var headBytes = 16 << 10
    package var headers = 100
    package var bodyBytes = 10 << 20
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

    package init() {}
}
