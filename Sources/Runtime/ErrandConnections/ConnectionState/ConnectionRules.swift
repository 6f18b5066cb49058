package import ErrandRuntime

/// The times and bounds of a persistent connection. Sizes are in bytes.
package struct ConnectionRules: Sendable, Hashable {
    /// How long it may take to open a connection, with name, TLS and handshake.
    package var openingTime: Duration
    /// How long a connection may be silent before it is asked for a sign of life; nil for never.
    package var pingInterval: Duration?
    /// How long a connection may be silent, pongs included, before it counts as lost.
    package var silence: Duration
    /// How long the server has for a sign of life that it is asked for because a request got no reply in its time, and nothing has come
    /// since the request was sent.
    package var probeTime = Duration.seconds(5)
    /// How many bytes of a message must arrive in each second, if they are to count as a sign of life before it is complete.
    package var minimumRate = 256
    /// How many times as long as `silence` a message may take to arrive.
    package var maximumSlowness = 10
    /// How long an open connection is kept that has no use; nil for as long as the server keeps it.
    package var unused: Duration?
    /// The windows in which a lost connection is opened again, with full jitter. Its attempts are not used, because each command
    /// counts its own.
    package var reconnect: RetryRule
    /// The longest pause that a server can ask for before the connection is opened again.
    package var maximumRetryAfter = Duration.seconds(3_600)
    /// How long a connection must have been open for its loss to be the first of a row.
    package var settled: Duration
    /// How long a connection that is to end waits for the replies that are under way.
    package var drainTime: Duration
    /// How many requests may be on the connection or wait for it.
    package var maximumPending: Int
    /// How many bytes may be handed to the transport that it has not written yet.
    package var maximumUnwritten: Int
    /// How many bytes of one subscription may wait for their reader before the server is held back.
    package var maximumBuffered: Int
    /// How long the server is held back for a slow reader. Its subscription then ends, because other commands need the connection.
    package var maximumPause: Duration
    /// How many frames that belong to nothing may come one after the other.
    package var maximumStrays: Int

    package init(
        openingTime: Duration = .seconds(30), pingInterval: Duration? = .seconds(20), silence: Duration = .seconds(45),
        unused: Duration? = .seconds(300),
        reconnect: RetryRule = RetryRule(base: .seconds(1), cap: .seconds(30)), settled: Duration = .seconds(10),
        drainTime: Duration = .seconds(10), maximumPending: Int = 16_384, maximumUnwritten: Int = 1 << 20,
        maximumBuffered: Int = 1 << 20, maximumPause: Duration = .seconds(5), maximumStrays: Int = 64
    ) {
        self.openingTime = openingTime
        self.pingInterval = pingInterval
        self.silence = silence
        self.unused = unused
        self.reconnect = reconnect
        self.settled = settled
        self.drainTime = drainTime
        self.maximumPending = max(1, maximumPending)
        self.maximumUnwritten = max(1, maximumUnwritten)
        self.maximumBuffered = max(1, maximumBuffered)
        self.maximumPause = maximumPause
        self.maximumStrays = max(1, maximumStrays)
    }
}
