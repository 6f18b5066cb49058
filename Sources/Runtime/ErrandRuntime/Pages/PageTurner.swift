/// Where a walk is, beside its command. It isn't generic, because the Swift runtime looks up a generic type each time that it is
/// used.
private struct WalkState: Sendable {
    var walk: PageWalk
    /// The login that the walk began in.
    var membership: CommandEpoch?
    var total: Int?
}

/// Requests one page after the other, each with an ordinary command. Several tasks that ask at the same time get successive
/// pages, in the order of their requests.
final class PageTurner<C: PagedCommand>: Sendable {
    private let binding: ServiceBinding
    private let command: C
    private let state: LockedState<WalkState>
    let turns = TurnQueue()

    init(_ binding: ServiceBinding, _ command: C) {
        self.binding = binding
        self.command = command
        // Generated code gives one to each such endpoint.
        let pagination = C.endpoint.pagination ?? .link("next")
        let walk = PageWalk(pagination, start: command.pageMark())
        state = LockedState { WalkState(walk: walk) }
    }

    var isOver: Bool { state.withLock { $0.walk.isOver } }

    /// The last page's statement about the number of all pages, or of all elements.
    var totals: (pages: Int?, elements: Int?) {
        state.withLock { Self.totals($0.total, $0.walk.rule.pagination) }
    }

    private static func totals(_ total: Int?, _ pagination: Pagination) -> (pages: Int?, elements: Int?) {
        if case .page = pagination.style { (total, nil) } else { (nil, total) }
    }

    /// The next page; nil after the last one. The walk continues only if it has one: after a failure, the same page is asked for
    /// again.
    func next() async throws(C.Failure) -> Page<C>? {
        guard await turns.enter() else {
            // The task is cancelled: the command reports that, and is not sent.
            _ = try await binding.perform(command)
            return nil
        }
        defer { turns.leave() }
        return try await takeNext()
    }

    /// The same for a task that has its turn.
    func takeNext() async throws(C.Failure) -> Page<C>? {
        guard let reader = try makePage() else { return nil }
        let reply: Reply<C.Response>
        do throws(C.Failure) {
            reply = try await binding.makeCall(reader.command, reader.role).perform(reader.command, with: reader)
        } catch {
            guard reader.hasEnded else { throw error }
            state.withLock { $0.walk.end() }
            return nil
        }
        let step = reader.takeStep()
        let totals = state.withLock { state in
            state.walk.take(step)
            state.membership = state.membership ?? reader.membership
            state.total = step.total
            return Self.totals(step.total, state.walk.rule.pagination)
        }
        return Page(
            elements: C.elements(of: reply.value), reply: reply, index: reader.index, totalPages: totals.pages,
            totalElements: totals.elements, isLast: step.next == nil)
    }

    /// What the next page is asked for with; nil after the last one.
    private func makePage() throws(C.Failure) -> PageReader<C>? {
        let (walk, membership) = state.withLock { ($0.walk, $0.membership) }
        if walk.isOver { return nil }
        if walk.index >= binding.options.maximumPages { throw C.Failure(tooManyPages()) }
        var asked = command
        var link: PageLink?
        switch walk.position {
        case .start: break
        case .mark(let mark): asked = command.turned(to: mark) ?? command
        case .link(let target): link = target
        }
        return PageReader(asked, as: .page(of: membership, link), walk, binding.route.server(of: C.endpoint))
    }

    private func tooManyPages() -> CommandFault {
        let endpoint = C.endpoint
        let kind = CommandFault.Kind.invalidRequest
        let most = binding.options.maximumPages
        return CommandFault(
            kind,
            FailureContext(
                name: kind.rawValue, category: kind.category, message: kind.message, attempts: 0,
                service: endpoint.service.name, endpoint: endpoint.name, method: endpoint.method,
                brokenFields: [BrokenField(name: "maximumPages", reason: "must be more than \(most)")]))
    }
}

/// Lets one task in at a time, in the order in which they came.
final class TurnQueue: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var waiting = WaitingQueue<Suspension<Bool>>()
    }

    private let state = LockedState<State> { State() }

    /// Waits for the turn.
    ///
    /// - Returns: false if the task was cancelled before it came.
    func enter() async -> Bool {
        let place = state.withLock { state -> (Suspension<Bool>, Int)? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let suspension = Suspension<Bool>()
            return (suspension, state.waiting.append(suspension))
        }
        guard let (suspension, ticket) = place else { return true }
        let hasTurn = await suspension.value(ifCancelled: false)
        if !hasTurn { _ = state.withLock { $0.waiting.remove(ticket) } }
        return hasTurn
    }

    /// Gives the turn to the next task.
    func leave() {
        while let next = state.withLock({ state -> Suspension<Bool>? in
            let next = state.waiting.popFirst()
            if next == nil { state.isTaken = false }
            return next
        }) {
            if next.end(true) { return }
        }
    }
}
