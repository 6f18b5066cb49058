// https://developer.apple.com/documentation/os/osallocatedunfairlock

@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
@frozen public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(uncheckedState initialState: State) {}
    public init(initialState: State) where State: Sendable {}
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { try standIn(body) }
    public func withLock<R>(_ body: @Sendable (inout State) throws -> R) rethrows -> R where R: Sendable {
        try standIn(body)
    }
}

private func standIn<Argument, R>(_ body: (inout Argument) throws -> R) rethrows -> R { while true {} }
