extension Dispatcher {
    /// Makes one attempt, and ends it when its time is over or the task is cancelled. The transport is
    /// waited for even then, since only it knows how far the attempt got.
    func attempt(_ request: TransportRequest, limit: Duration) async -> AttemptResult {
        let transport = transport
        let ended = await self.limit(to: limit) { () -> AttemptResult in
            do throws(TransportFault) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        guard case .failure(let fault)? = ended.value else {
            return ended.value ?? .failure(TransportFault(.lost, evidence: .sent))
        }
        // Cancelling looks like many things to a transport. It is called what it is.
        if Task.isCancelled {
            return .failure(TransportFault(.cancelled, evidence: fault.evidence))
        }
        if ended.isTimeOver {
            return .failure(TransportFault(.timeout, evidence: fault.evidence))
        }
        return .failure(fault)
    }
}
