import ErrandRuntime

extension TransportFault {
    /// The fault of a request that a connection has ended.
    ///
    /// - Parameter last: the fault of the last opening that has failed.
    init(_ failure: ConnectionFailure, evidence: Evidence, last: TransportFault?) {
        switch failure {
        case .fault(let kind): self.init(kind, evidence: evidence, ConnectionEnd(), underlying: last?.underlying)
        case .closed(let code): self.init(code, evidence: evidence)
        case .refused, .finished: self.init(.lost, evidence: evidence, ConnectionEnd())
        case .unpresented: self.init(.authentication, evidence: evidence, ConnectionEnd(isLoss: false))
        // It is no failure of the next connection that none may be opened now.
        case .overBudget: self.init(last?.kind ?? .lost, evidence: evidence, ConnectionEnd(isLoss: false))
        case .full: self.init(.lost, evidence: evidence, ConnectionEnd(isLoss: false))
        }
    }
}
