public import ErrandRuntime
public import Foundation

extension TransferProgress {
    /// Keeps a Foundation `Progress` like the transfer, until it ends or the task is cancelled. A `UIProgressView` and an
    /// `NSProgressIndicator` show a `Progress` as their `observedProgress`.
    ///
    ///     bar.observedProgress = shown
    ///     Task { await download.progress.report(to: shown) }
    ///
    /// While the total is unknown, the progress is indeterminate. It becomes definite with the first state that has a total. Where a
    /// transfer goes back (`TransferState.restarts`), `completedUnitCount` does too.
    @MainActor public func report(to progress: Progress) async {
        for await state in self {
            progress.totalUnitCount = state.total.map(Int64.init) ?? -1
            progress.completedUnitCount = Int64(state.bytes)
        }
    }
}
