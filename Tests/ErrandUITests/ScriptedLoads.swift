import ErrandRuntime

/// Loads that the test answers, each by its number, which is what it brings.
final class ScriptedLoads: Sendable {
    struct Failed: Error {}

    private struct State: Sendable {
        var answers: [Suspension<Result<Int, any Error>>] = []
        var cancelled: Set<Int> = []
        var ended: Set<Int> = []
    }

    private let state = LockedState<State> { State() }
    private let isPolite: @Sendable (Int) -> Bool

    /// - Parameter isPolite: whether a load ends when its task is cancelled, as a command does. Another one goes on until it is
    ///   answered.
    init(isPolite: @escaping @Sendable (_ load: Int) -> Bool = { _ in true }) { self.isPolite = isPolite }

    /// How many loads have begun.
    var count: Int { state.withLock { $0.answers.count } }
    /// The loads whose task was cancelled while they were under way.
    var cancelled: Set<Int> { state.withLock { $0.cancelled } }
    /// The loads that have ended.
    var ended: Set<Int> { state.withLock { $0.ended } }

    func load() async throws -> Int {
        let answer = Suspension<Result<Int, any Error>>()
        let number = state.withLock { state in
            state.answers.append(answer)
            return state.answers.count
        }
        let result = await withTaskCancellationHandler {
            // Waits in a task of its own, which nobody cancels.
            await Task.detached { await answer.value(ifCancelled: .failure(CancellationError())) }.value
        } onCancel: {
            let isUnderWay = state.withLock { state in
                state.ended.contains(number) ? false : state.cancelled.insert(number).inserted
            }
            if isUnderWay, isPolite(number) { answer.end(.failure(CancellationError())) }
        }
        state.withLock { _ = $0.ended.insert(number) }
        return try result.get()
    }

    /// Answers a load with its number.
    func answer(_ load: Int) { end(load, .success(load)) }

    func fail(_ load: Int, _ error: any Error = Failed()) { end(load, .failure(error)) }

    private func end(_ load: Int, _ result: Result<Int, any Error>) {
        state.withLock { $0.answers.indices.contains(load - 1) ? $0.answers[load - 1] : nil }?.end(result)
    }
}
