#if canImport(os)
import os
#else
import Synchronization
#endif

/// A value behind a lock, for state that is touched briefly and from places that cannot wait: a
/// cancellation handler, an initialiser. Never held across a suspension.
///
/// `Synchronization.Mutex` would do everywhere, but asks for newer systems than the package does.
package final class Guarded<State>: Sendable {
    #if canImport(os)
    private let lock: OSAllocatedUnfairLock<State>

    package init(_ make: () -> sending State) {
        lock = OSAllocatedUnfairLock(uncheckedState: make())
    }

    package func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        lock.withLockUnchecked(body)
    }
    #else
    private let mutex: Mutex<State>

    package init(_ make: () -> sending State) {
        mutex = Mutex(make())
    }

    package func withLock<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
        mutex.withLock(body)
    }
    #endif
}
