import ErrandJSON
import ErrandRuntime
import ErrandService

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension SimulatedServer {
    /// Notes that a request has reached the server, regardless of its result.
    func receive(_ request: TransportRequest, connection: Int? = nil) -> LedgerEntry {
        let now = time.now
        return state.withLock { state in
            let entry = LedgerEntry(
                number: state.received.count + 1, moment: now, endpoint: request.endpoint, method: request.method,
                url: request.url, idempotencyKey: (request.command?.endpoint.key ?? .standard).key(in: request),
                body: request.body, connection: connection)
            state.received.append(entry)
            return entry
        }
    }

    /// Handles a request that the server has read: atomically, in no time.
    func handle(_ request: TransportRequest, _ entry: LedgerEntry) -> TransportResponse {
        guard let type = request.command else {
            return TransportResponse(status: 404, body: Array("no command matches this request".utf8))
        }
        return handle(request, entry, of: type)
    }

    private func handle<C: Command>(
        _ request: TransportRequest, _ entry: LedgerEntry, of type: C.Type
    ) -> TransportResponse {
        let name = C.endpoint.fullName
        let number = state.withLock { state in
            state.counts[name, default: 0] += 1
            return state.counts[name] ?? 1
        }
        if let refusal = refusal(of: request, type) { return refusal }
        if let known = settled(request, entry) {
            events.note("\(name) is known by its key")
            return repeated(known, type) ?? known
        }
        let answer = makeAnswer(to: SimulatedCall(request: request, number: number), entry, type)
        guard Classifier.isSuccess(answer, C.endpoint) else { return answer }
        state.withLock { state in
            state.carriedOut.append(entry)
            if let key = entry.settledKey {
                state.settled.note(key, .init(answer, size: answer.body.count + 200, at: entry.moment))
            }
            if C.self is any LogoutCommand.Type, let token = state.desk.accessToken(in: request) {
                state.desk.revoke(token)
            }
        }
        events.note("\(name) is carried out")
        return answer
    }

    /// The response that a request has by its key; nil if the request is to be carried out.
    func settled(_ request: TransportRequest, _ entry: LedgerEntry) -> TransportResponse? {
        guard let key = entry.settledKey, let endpoint = request.command?.endpoint else { return nil }
        let standing = state.withLock {
            $0.settled.standing(of: key, lifetime: endpoint.keyLifetime, at: entry.moment)
        }
        guard case .known(let known) = standing else { return nil }
        var response = known.response
        response.headers.set("Idempotent-Replayed", "true")
        return response
    }

    // MARK: Sessions

    /// The response to a command that needs a session and has none.
    private func refusal<C: Command>(of request: TransportRequest, _ type: C.Type) -> TransportResponse? {
        let endpoint = C.endpoint
        let isRefresh = C.self is any RefreshCommand.Type
        let now = time.now
        let mayPass = state.withLock { state in
            if isRefresh { return state.desk.hasRefresh(request) }
            if C.self is any AttachCommand.Type { return state.desk.hasSession(request, at: now) }
            guard endpoint.service.session != nil || endpoint.service.attach != nil else { return true }
            switch endpoint.session {
            case .none: return true
            case .required: return state.desk.hasSession(request, at: now)
            case .optional:
                return state.desk.accessToken(in: request) == nil || state.desk.hasSession(request, at: now)
            }
        }
        return mayPass ? nil : noSession(type)
    }

    /// The contract's response for a missing session, or else 401.
    func noSession<C: Command>(_ type: C.Type) -> TransportResponse {
        let errors = C.endpoint.service.errors
        let answer = ResponseCatalog.shared.withLock { book in
            for error in errors where error.category == .requiresLogout && error.renew {
                if let answer = book.refusal(.error(error.declaredName), of: type) {
                    return TransportResponse?.some(answer)
                }
            }
            return nil
        }
        return answer ?? TransportResponse(status: 401)
    }

    // MARK: Whether it was done

    /// Learns which read tells about a command, from the command itself, whether it arrives or not.
    func noteConfirmation(_ type: any Command.Type) {
        guard let type = type as? any ConfirmableCommand.Type else { return }
        func note<C: ConfirmableCommand>(_: C.Type) {
            state.withLock { $0.confirmations[ObjectIdentifier(C.Confirmation.self)] = C.endpoint.fullName }
        }
        note(type)
    }

    /// The response to a read about a command that was not carried out. Nil if the command was carried out, or if the request
    /// isn't such a read. A command without a key cannot be identified, and counts as not found, which settles nothing.
    private func nothingFound<C: Command>(_ request: TransportRequest, _ type: C.Type) -> TransportResponse? {
        let isFound: Bool? = state.withLock { state in
            guard let endpoint = state.confirmations[ObjectIdentifier(type)] else { return nil }
            let text = request.url + String(decoding: request.body ?? [], as: UTF8.self)
            return state.carriedOut.contains { entry in
                entry.endpoint == endpoint && entry.idempotencyKey.map(text.contains) ?? false
            }
        }
        guard isFound == false else { return nil }
        let errors = C.endpoint.service.errors
        let answers = ResponseCatalog.shared.withLock { book in
            errors.filter { $0.category == .nonRetryable }.compactMap {
                book.refusal(.error($0.declaredName), of: type)
            }
        }
        return answers.first { $0.status == 404 } ?? answers.first ?? TransportResponse(status: 404)
    }

    /// The response to a command that was carried out before, where the contract has an error for that (`settles`). Nil for a command that
    /// is carried out, or without such an error.
    private func doneAlready<C: Command>(_ entry: LedgerEntry, _ type: C.Type) -> TransportResponse? {
        let endpoint = C.endpoint
        let errors = endpoint.service.errors.filter { $0.settles != nil }
        guard !errors.isEmpty, endpoint.effect != .read,
            state.withLock({ $0.carriedOut.contains { $0.isSame(as: entry) } })
        else { return nil }
        let found: (TransportResponse, success: TransportResponse?)? = ResponseCatalog.shared.withLock { book in
            for error in errors {
                guard let answer = book.refusal(.error(error.declaredName), of: type) else { continue }
                return (answer, error.settles == .payload ? (try? book.success(of: type)) : nil)
            }
            return nil
        }
        return found.map { answer, success in success.flatMap { repeated($0, type) } ?? answer }
    }

    /// The response of the contract's error that repeats a success with its body (`settles: {success: payload}`). Nil without one that its
    /// status and its headers tell.
    private func repeated<C: Command>(_ success: TransportResponse, _ type: C.Type) -> TransportResponse? {
        let endpoint = C.endpoint
        let errors = endpoint.service.errors.filter { $0.settles == .payload }
        for error in errors where Classifier.isSuccess(success, endpoint) {
            let rows = endpoint.table.rows.filter { $0.verdict == .error(error.declaredName) }
            guard rows.allSatisfy({ $0.codes == nil && $0.values.isEmpty }),
                var answer = ResponseCatalog.shared.withLock({ $0.refusal(.error(error.declaredName), of: type) })
            else { continue }
            answer.body = success.body
            answer.headers.set("Content-Type", success.headers["Content-Type"] ?? "application/json")
            return answer
        }
        return nil
    }

    // MARK: Responses

    private func makeAnswer<C: Command>(
        to call: SimulatedCall, _ entry: LedgerEntry, _ type: C.Type
    ) -> TransportResponse {
        let id = ObjectIdentifier(type)
        let (verdict, handler) = state.withLock { state -> (Verdict?, Handler?) in
            guard let wanted = state.refusals[id], wanted.times.map({ $0 > 0 }) ?? true else {
                return (nil, state.handlers[id])
            }
            state.refusals[id]?.times? -= 1
            return (wanted.verdict, nil)
        }
        if let verdict, let refusal = ResponseCatalog.shared.withLock({ $0.refusal(verdict, of: type) }) {
            return refusal
        }
        do {
            if let handler { return try handler(call) }
            if let nothing = nothingFound(call.request, type) { return nothing }
            if let done = doneAlready(entry, type) { return done }
            if let login = C.self as? any LoginCommand.Type { return try begin(login) }
            if let question = C.self as? any IdentityCommand.Type { return try identify(question) }
            let answer = try ResponseCatalog.shared.withLock { book in Result { try book.success(of: type) } }.get()
            guard let pagination = C.endpoint.pagination else { return answer }
            let length = state.withLock { $0.listLengths[id] ?? Self.usualListLength }
            return SimulatedPage(C.endpoint, pagination, call.request, length: length).page(of: answer) {
                Classifier.fault(in: $0, of: type) == nil
            }
        } catch {
            events.note("\(C.endpoint.fullName) has no answer: \(error)")
            return TransportResponse(status: 501, body: Array("\(error)".utf8))
        }
    }

    /// The response to a login: new tokens.
    private func begin<C: LoginCommand>(_ type: C.Type) throws -> TransportResponse {
        let now = time.now
        return try success(of: type) { payload in state.withLock { $0.desk.issue(type, in: payload, at: now) } }
    }

    /// The response to the question who is logged in.
    private func identify<C: IdentityCommand>(_ type: C.Type) throws -> TransportResponse {
        try success(of: type) { payload in state.withLock { $0.desk.name(type, in: payload) } }
    }

    /// The response to a command, with what this server puts into its payload.
    private func success<C: Command>(
        of type: C.Type, _ fill: (JSONValue) -> JSONValue
    ) throws -> TransportResponse {
        let payload = try ResponseCatalog.shared.withLock { book in Result { try book.payload(of: type) } }.get()
        let filled = fill(payload)
        return try ResponseCatalog.shared.withLock { book in Result { try book.success(filled, of: type) } }.get()
    }
}

extension LedgerEntry {
    /// Keys of two endpoints are never the same.
    fileprivate var settledKey: String? { idempotencyKey.map { endpoint + " " + $0 } }

    /// Whether both ask for the same: to delete one account, to create one name.
    fileprivate func isSame(as other: LedgerEntry) -> Bool {
        endpoint == other.endpoint && url == other.url && body == other.body
    }
}
