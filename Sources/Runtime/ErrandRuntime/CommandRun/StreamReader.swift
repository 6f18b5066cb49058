/// Hands out the elements of a stream one by one. An element that has arrived is handed out at once, without a lock and on the
/// executor of its caller.
///
/// The fast path can be inlined into the code of an app, because a screen takes thousands of elements on the main actor.
@usableFromInline
final class StreamReader<Element: Sendable, Failure: Error> {
    /// The elements that have arrived, taken before `position`.
    @usableFromInline var elements: [Element] = []
    @usableFromInline var position = 0
    private let handle: StreamHandle<Element, Failure>

    init(_ handle: StreamHandle<Element, Failure>) { self.handle = handle }

    /// The next element that has arrived; nil if none has.
    @inlinable
    func takeArrived() -> Element? {
        let position = position
        guard position < elements.count else { return nil }
        self.position = position + 1
        return elements[position]
    }

    /// Waits for more elements, and takes the first of them; nil after the last.
    @usableFromInline
    func takeNextTurn(isolation: isolated (any Actor)?) async throws(Failure) -> Element? {
        // They are released while the next ones are made.
        (elements, position) = ([], 0)
        guard let arrived = try await handle.next(isolation: isolation) else { return nil }
        elements = arrived
        return takeArrived()
    }
}
