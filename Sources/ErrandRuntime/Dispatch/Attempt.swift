extension Dispatcher {
    /// Makes one attempt, and ends it when its time is over or the task is cancelled. The transport is
    /// waited for even then, since only it knows how far the attempt got.
    func attempt(_ request: TransportRequest, limit: Duration) async -> AttemptResult {
        let transport = transport
        let timeLimits = timeLimits
        let end = surroundings.time.now + limit
        return await withTaskGroup(of: Lap.self, returning: AttemptResult.self) { group in
            group.addTask {
                do throws(TransportFault) {
                    return .ended(.success(try await transport.send(request)))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { await timeLimits.wait(until: end) ? .timeIsOver : .woken }
            var isTimeOver = false
            var result: AttemptResult?
            while result == nil, let lap = await group.next() {
                switch lap {
                case .ended(let ended): result = ended
                case .timeIsOver:
                    isTimeOver = true
                    group.cancelAll()
                case .woken: break
                }
            }
            group.cancelAll()
            guard case .failure(let fault)? = result else {
                return result ?? .failure(TransportFault(.lost, evidence: .sent))
            }
            // Cancelling looks like many things to a transport. It is called what it is.
            if Task.isCancelled {
                return .failure(TransportFault(.cancelled, evidence: fault.evidence))
            }
            if isTimeOver {
                return .failure(TransportFault(.timeout, evidence: fault.evidence))
            }
            return .failure(fault)
        }
    }

    /// What a child task of an attempt comes back with.
    private enum Lap: Sendable {
        case ended(AttemptResult)
        case timeIsOver
        case woken
    }
}

typealias AttemptResult = Result<TransportResponse, TransportFault>
