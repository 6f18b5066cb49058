/// A receiver that looks at a page before it counts as a success: whether the next one can be asked for.
protocol PageReceiver: ResponseReceiver {
    /// - Parameters:
    ///   - url: what the request was sent to, which the target of a link may be relative to.
    ///   - membership: the login that the page belongs to.
    func examine(_ response: TransportResponse, from url: String, _ membership: SessionMembership) -> PageProblem?
}
