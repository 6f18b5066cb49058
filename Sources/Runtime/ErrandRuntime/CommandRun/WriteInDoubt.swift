// What writes do to the cache: after them, stored responses may be out of date.
extension CommandRun {
    /// Removes what a write may have changed (RFC 9111 section 4.4), by its response. A refusal has changed nothing.
    @inline(never)
    func invalidate(_ response: TransportResponse, _ assembled: AssembledRequest) {
        guard !(400..<500).contains(response.status), endpoint.frame == nil, !dispatcher.cache.isIdle else { return }
        let url = assembled.request.sent?.line?.url ?? assembled.request.url
        var targets = CacheKey.targets(ofWriteTo: url, response.headers, without: tokenParameter)
        if let moved = response.redirectedTo { targets.append(CacheKey.target(moved, without: tokenParameter)) }
        invalidate(targets)
    }

    /// The same for a write without a response. It may be carried out later, so that its end counts once more.
    @inline(never)
    func invalidate(after fault: TransportFault, _ assembled: AssembledRequest) {
        guard endpoint.frame == nil, fault.evidence == .sent || fault.evidence == .responded else { return }
        let target = CacheKey.target(
            assembled.request.sent?.line?.url ?? assembled.request.url, without: tokenParameter)
        stages.removeAll { $0 is WriteInDoubt }
        stages.append(WriteInDoubt(of: self, target))
        invalidate([target])
    }

    fileprivate func invalidate(_ targets: [String]) {
        let service = endpoint.service.name
        dispatcher.cache.invalidate(targets: targets, endpoints: endpoint.clears.map { "\(service).\($0)" })
    }

    /// The parameter of the query that has the session's token; nil for a token that is elsewhere.
    var tokenParameter: String? {
        if membership != .none, case .parameter(let name)? = endpoint.service.session?.place { name } else { nil }
    }
}

/// A write that was sent, and that the server may have carried out.
private final class WriteInDoubt: CommandStage {
    private let target: String

    init(of run: CommandRun, _ target: String) {
        self.target = target
        super.init(of: run)
    }

    /// Removes what was stored since an attempt of which only now is known that it was carried out.
    override func succeed() { run.invalidate([target]) }
}
