extension CommandRun {
    /// How a download ends by a problem.
    func ending(by problem: DownloadProblem) -> Ending {
        state.account.underlying = problem
        return FailedAttempt(.builtIn(problem.builtIn, nil), endpoint, state.account).ending(state.account)
    }
}
