#if canImport(os)
import os
#else
import Synchronization
#endif
#if ERRAND_THREAD_SANITIZER
import Foundation
#endif

/// A value that a lock protects, for state that is touched briefly and from places that cannot wait: a
/// cancellation handler, an initializer. Never held across a suspension.
///
/// `Synchronization.Mutex` would do everywhere, but asks for newer systems than the package does.
@usableFromInline
package final class LockedState<State>: Sendable {
    #if canImport(os)
    @usableFromInline let lock: OSAllocatedUnfairLock<State>

    package init(_ make: () -> sending State) {
        lock = OSAllocatedUnfairLock(uncheckedState: make())
    }

    @inlinable
    package func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        lock.withLockUnchecked(body)
    }
    #else
    @usableFromInline let mutex: Mutex<State>
    #if ERRAND_THREAD_SANITIZER
    // The sanitizer knows the locks of pthread, and takes a mutex on a futex for no lock at all.
    @usableFromInline let visible = NSLock()
    #endif

    package init(_ make: () -> sending State) {
        mutex = Mutex(make())
    }

    @inlinable
    package func withLock<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
        #if ERRAND_THREAD_SANITIZER
        visible.lock()
        defer { visible.unlock() }
        #endif
        return mutex.withLock(body)
    }
    #endif
}
