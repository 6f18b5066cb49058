extension CommandCall {
    /// How a download ends by a problem.
    func ending(by problem: DownloadProblem, _ progress: CallProgress) -> Ending {
        progress.account.underlying = problem
        return FailedAttempt(.builtIn(problem.builtIn, nil), endpoint, progress.account).ending(progress.account)
    }
}
