/// The elements that a server sends in response to a command (`delivery: stream` in the contract), read as they arrive.
///
///     for try await price in market.watchPrices(of: "ACME") {
///         show(price)
///     }
///
/// The request is sent when the first element is asked for. It passes the same stages as every command: gates, retries, a
/// login, responders, the endpoint's own failures. So does a failure in the middle of the stream. If the contract says that the
/// server can continue after the last element, the client opens the stream again, and its reader doesn't notice. After the first
/// element, only the command's patience bounds how long it tries (`CommandOptions.patience`, ten minutes by default), and each
/// element begins the patience anew. Otherwise the loop ends with the endpoint's failure.
///
/// Elements are read and checked away from their reader's actor. A reader on the main actor gets those that have arrived without a
/// suspension.
///
/// While no element is asked for, none is read, which slows the server down. Leaving the loop closes the connection. The stream
/// ends with its login (`sessionEnded`). Each iteration sends a request of its own.
public struct ResponseStream<C: StreamCommand>: AsyncSequence, Sendable {
    public typealias Element = C.Element
    public typealias Failure = C.Failure

    private let binding: ServiceBinding
    private let command: C

    init(_ command: C, _ binding: ServiceBinding) {
        self.command = command
        self.binding = binding
    }

    public func makeAsyncIterator() -> Iterator {
        let (command, binding) = (command, binding)
        return Iterator(
            StreamHandle(binding.dispatcher.environment) {
                let call = binding.makeCall(command)
                return { StreamRun(command, call) }
            })
    }

    /// Reads one stream. Letting go of it closes the connection.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let reader: StreamReader<C.Element, C.Failure>

        init(_ handle: StreamHandle<C.Element, C.Failure>) { reader = StreamReader(handle) }

        /// The next element; nil after the last.
        ///
        /// - Throws: the endpoint's own failure type, once. Cancelling the task ends the stream, on the wire too.
        #if compiler(>=6.2)
        @inlinable
        nonisolated(nonsending) public mutating func next() async throws(C.Failure) -> C.Element? {
            if let element = reader.takeArrived() { return element }
            return try await reader.takeNextTurn(isolation: #isolation)
        }
        #else
        public mutating func next() async throws(C.Failure) -> C.Element? {
            try await next(isolation: #isolation)
        }
        #endif

        /// The same on the caller's actor.
        @inlinable
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(C.Failure) -> C.Element? {
            if let element = reader.takeArrived() { return element }
            return try await reader.takeNextTurn(isolation: actor)
        }
    }
}

extension ResponseStream: CustomStringConvertible {
    public var description: String { "a stream of \(C.endpoint.service.name).\(C.endpoint.name)" }
}

extension ServiceClient {
    /// The elements that the server sends in response to a command. The request is sent when the first element is asked for.
    public func stream<C: StreamCommand>(_ command: C) -> ResponseStream<C> where C.Service == Self {
        ResponseStream(command, binding)
    }
}
