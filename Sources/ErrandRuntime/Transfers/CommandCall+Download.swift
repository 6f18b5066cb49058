extension CommandCall {
    /// How a download ends by a problem: as `malformed` if the server is at fault, or as an invalid request.
    ///
    /// - Parameter field: what of the request is invalid.
    func ending(by problem: DownloadProblem, of field: String, _ progress: CallProgress) -> Ending {
        progress.account.underlying = problem
        let failure =
            problem.isServers
            ? FailedAttempt(.builtIn(.malformed, nil), endpoint, progress.account)
            : FailedAttempt(invalid: [BrokenField(name: field, reason: problem.description)], endpoint)
        return failure.ending(progress.account)
    }
}
