/// One task's wait. The first value that anything gives ends it; later values are refused.
final class Suspension<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var continuation: CheckedContinuation<Value, Never>?
        var isOver = false
    }
    private let state = LockedState<State> { State() }

    func end(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            if state.isOver { return (false, nil) }
            state.isOver = true
            state.value = value
            return (true, state.continuation)
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    func value(ifCancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if state.isOver { return state.value }
                    state.continuation = continuation
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            _ = end(ifCancelled)
        }
    }
}
