extension CommandRun {
    /// How a download ends by a problem.
    package func ending(by problem: DownloadError) -> Ending {
        state.summary.underlying = problem
        return FailedAttempt(.builtIn(problem.builtIn, nil), endpoint, state.summary).ending(state.summary)
    }
}
