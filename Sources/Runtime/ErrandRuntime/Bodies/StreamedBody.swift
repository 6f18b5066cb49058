/// A response body that is read while it arrives. It is read once, by one task at a time.
///
/// While the reader asks for no chunk, the transport reads at most a fixed buffer from the connection, if it can do that.
/// Releasing the body before its end closes its connection.
public final class StreamedBody: Sendable {
    /// Gives the next bytes, nil after the last.
    public typealias Next = @Sendable () async throws(TransportFault) -> [UInt8]?

    private let advance: Next
    private let abandon: @Sendable () -> Void

    /// - Parameters:
    ///   - next: gives the next bytes, nil after the last; It throws what ended the body early, and ends soon after its task is
    ///     cancelled, and after `cancel`.
    ///   - cancel: closes the connection if the body hasn't ended. Called once or more often.
    public init(next: @escaping Next, cancel: @escaping @Sendable () -> Void = {}) {
        advance = next
        abandon = cancel
    }

    /// A body that is there already.
    public convenience init(_ bytes: [UInt8]) {
        let rest = LockedState<[UInt8]?> { bytes }
        self.init { () async throws(TransportFault) -> [UInt8]? in
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    deinit { abandon() }

    /// The next bytes; nil after the last.
    public func next() async throws(TransportFault) -> [UInt8]? {
        while true {
            guard let chunk = try await advance() else { return nil }
            if !chunk.isEmpty { return chunk }
        }
    }

    /// Ends it early: the connection is closed, and a `next` under way fails as `cancelled`.
    public func cancel() { abandon() }
}
