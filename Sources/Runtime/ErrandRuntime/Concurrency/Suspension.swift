/// One task's wait. The first value ends it; later values are refused.
///
/// This is the only place in the runtime that suspends a task until another event happens. Gates queue suspensions. Time limits
/// and cancellation end them. The first of these events counts. A gate therefore gives a place to the first waiter that accepts
/// it, and doesn't need to know about time, cancellation or the end of a session.
package final class Suspension<Value: Sendable>: Sendable {
    private enum State {
        /// Nothing was given, and the task does not wait yet.
        case open
        case waiting(CheckedContinuation<Value, Never>)
        /// A value was given before the task began to wait.
        case ended(Value)
        /// The task has its value.
        case taken
    }

    private let state = LockedState<State> { .open }

    package init() {}

    /// Ends the wait with a value.
    ///
    /// - Returns: false if it has ended already; what was offered belongs to the next waiter then.
    @discardableResult
    package func end(_ value: Value) -> Bool {
        let (isAccepted, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .open:
                state = .ended(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .taken
                return (true, continuation)
            case .ended, .taken: return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isAccepted
    }

    /// The value that was given before anything waited for it; nil until then.
    var valueAtOnce: Value? {
        state.withLock { state in
            guard case .ended(let value) = state else { return nil }
            state = .taken
            return value
        }
    }

    /// Waits for the value. Cancellation of the task ends the wait with `cancelled`. Called once.
    ///
    /// - Parameter isolation: the caller's. The wait begins and ends there, without a change of executor.
    package func value(
        ifCancelled cancelled: Value, isolation: isolated (any Actor)? = #isolation
    ) async -> Value {
        if let value = valueAtOnce { return value }
        return await withTaskCancellationHandler {
            // A closure is isolated to the actor that it captures.
            await withCheckedContinuation(isolation: isolation) { continuation in
                let given = state.withLock { state -> Value? in
                    guard case .ended(let value) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .taken
                    return value
                }
                if let given { continuation.resume(returning: given) }
            }
        } onCancel: {
            end(cancelled)
        }
    }
}

/// How a wait of a command ended.
package enum WaitResult<Value: Sendable>: Sendable {
    case granted(Value)
    /// The task was cancelled.
    case cancelled
    /// The command may wait no longer.
    case timeOver
    /// The session that the command belongs to is over.
    case sessionEnded
}

/// A command's wait, as gates queue it.
package typealias GateWaiter<Value: Sendable> = Suspension<WaitResult<Value>>
