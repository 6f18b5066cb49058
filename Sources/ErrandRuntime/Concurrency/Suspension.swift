/// STUB until main has it.
final class Suspension<Value: Sendable>: Sendable {
    private enum State { case fresh, waiting(CheckedContinuation<Value, Never>), ended(Value), over }
    private let state = LockedState<State> { .fresh }
    init() {}
    @discardableResult func end(_ value: Value) -> Bool {
        let (accepted, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .fresh: state = .ended(value); return (true, nil)
            case .waiting(let waiter): state = .over; return (true, waiter)
            default: return (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return accepted
    }
    func value(ifCancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if case .ended(let value) = state { state = .over; return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: { end(ifCancelled) }
    }
}
enum WaitResult<Value: Sendable>: Sendable { case granted(Value), cancelled, timeOver, sessionEnded }
