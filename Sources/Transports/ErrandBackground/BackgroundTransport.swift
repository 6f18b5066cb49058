import ErrandJSON
import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The transport that sends the attempts of one command as transfers. It connects the command's pipeline with the registry.
final class BackgroundTransport: CommandCarrier {
    private struct State: Sendable {
        var step: TransferStep?
        var facts = AttemptFacts()
        var keyUsed: Double?
    }

    private let registry: TransferRegistry
    private let wanted: TransferIdentity
    private let environment: DispatcherEnvironment
    private let first: TransferRecord?
    private let state: LockedState<State>

    /// - Parameter step: the first step of the command.
    init(
        _ registry: TransferRegistry, _ wanted: TransferIdentity, _ step: TransferStep,
        _ environment: DispatcherEnvironment
    ) {
        self.registry = registry
        self.wanted = wanted
        self.environment = environment
        switch step {
        case .wait(let record), .deliver(let record): first = record
        case .lost(let record): first = record
        case .start, .refuse, .fail: first = nil
        }
        let (isNew, keyUsed) = (step == .start, first?.keyUsed)
        state = LockedState { State(step: isNew ? nil : step, keyUsed: keyUsed) }
    }

    /// The login in which the command was sent.
    var login: String? { first?.login }

    var earlier: EarlierAttempt? {
        guard state.withLock({ $0.step }) != nil else { return nil }
        var earlier = EarlierAttempt()
        let isKeyKnown = wanted.effect != .keyed || first?.key != nil
        earlier.mayRepeat = wanted.url != nil && isKeyKnown
        guard let first else { return earlier }
        earlier.attempts = first.attempts
        earlier.mayHaveBeenApplied = first.mayHaveBeenApplied
        earlier.url = first.url
        if let key = first.key { earlier.key = (key, age(of: first.keyUsed)) }
        return earlier
    }

    /// How long ago a key was first used; the longest time if that is unknown.
    private func age(of used: Double?) -> Duration {
        used.map { environment.age(since: $0) } ?? .seconds(1_000_000_000)
    }

    var streamsRequestBodies: Bool { true }

    func prepare(_ facts: AttemptFacts) {
        let now = environment.wallTime().timeIntervalSince1970
        state.withLock { state in
            state.facts = facts
            if facts.key != nil, state.keyUsed == nil { state.keyUsed = now }
        }
    }

    func cancel() { registry.cancel(wanted.id) }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let step = state.withLock { state in
            defer { state.step = nil }
            return state.step
        }
        switch step {
        case .lost: throw TransportFault(.lost, evidence: .sent)
        case .wait, .deliver: break
        case .start, .refuse, .fail, nil: try await start(request)
        }
        guard let record = await registry.wait(wanted.id), let end = record.end else {
            throw TransportFault(.cancelled, evidence: .sent)
        }
        do throws(TransportFault) {
            var response = try await response(end, to: request)
            response.redirectedTo = record.redirectedTo
            return response
        } catch {
            var fault = error
            fault.isRedirected = record.redirectedTo != nil
            throw fault
        }
    }

    /// Hands a new attempt to the system.
    private func start(_ request: TransportRequest) async throws(TransportFault) {
        var request = request
        var bodyPath: String?
        if wanted.isDownload {
            // The request of a download has its body in memory, because its response goes into a file.
            request = try await request.gathered()
        } else if request.hasBody {
            bodyPath = try await spool(request)
            request.body = nil
            request.streamedBody = nil
        }
        let (facts, keyUsed) = state.withLock { ($0.facts, $0.keyUsed) }
        let record = TransferRecord(
            id: wanted.id, attempt: JSONText.of(environment.chance.uuid()), endpoint: wanted.endpoint,
            url: wanted.url ?? "", effect: wanted.effect, isDownload: wanted.isDownload, attempts: facts.attempts,
            mayHaveBeenApplied: facts.mayHaveBeenApplied, limit: request.maximumResponseSize,
            fingerprint: request.fingerprint,
            login: facts.login, key: facts.key, keyUsed: keyUsed)
        try keep { () throws(SessionStoreError) in try registry.start(record, request, bodyPath: bodyPath) }
    }

    /// Writes the body of an upload to a file in the journal. The system reads it from there.
    private func spool(_ request: TransportRequest) async throws(TransportFault) -> String {
        let path = try keep { () throws(SessionStoreError) in try registry.makeBodyFile(wanted.id) }
        if let body = request.body {
            try keep { () throws(SessionStoreError) in try registry.append(body, to: path) }
        }
        guard let body = request.streamedBody else { return path }
        var reader: BodySourceReader?
        while true {
            let chunk: [UInt8]?
            do throws(BodySourceError) {
                if reader == nil { reader = try body.makeReader() }
                chunk = try await reader?.next()
            } catch {
                throw TransportFault(.requestBody, evidence: .notSent, underlying: error)
            }
            guard let chunk else { return path }
            try keep { () throws(SessionStoreError) in try registry.append(chunk, to: path) }
        }
    }

    /// Changes the journal.
    private func keep<Value>(_ change: () throws(SessionStoreError) -> Value) throws(TransportFault) -> Value {
        do throws(SessionStoreError) {
            return try change()
        } catch {
            throw TransportFault(keeping: error, evidence: .notSent)
        }
    }

    /// Makes the response to an attempt. Its body is in the journal.
    private func response(
        _ end: TransferEnd, to request: TransportRequest
    ) async throws(TransportFault) -> TransportResponse {
        switch end {
        case .fault(let kind, let evidence): throw TransportFault(kind, evidence: evidence)
        case .response(let status, let fields, let size):
            let pairs = stride(from: 0, to: fields.count - 1, by: 2).map { (fields[$0], fields[$0 + 1]) }
            let headers = HTTPHeaders(pairs.map { HTTPHeaders.Field($0.0, $0.1) })
            let body = size == 0 ? StreamedBody([]) : try Self.body(registry.receivedPath(wanted.id), size)
            let response = TransportResponse(status: status, headers: headers, stream: body)
            if request.streamsResponse(ofStatus: status) { return response }
            return try await response.gathered(upTo: request.maximumResponseSize)
        }
    }

    private static func body(_ path: String, _ size: Int) throws(TransportFault) -> StreamedBody {
        let lost = TransportFault(.lost, evidence: .sent)
        guard let snapshot = try? FileSnapshot(path: path), snapshot.size == size else { throw lost }
        let file = LockedState<OpenFile?> { try? snapshot.open() }
        return StreamedBody { () async throws(TransportFault) -> [UInt8]? in
            let result = file.withLock { file -> Result<[UInt8]?, TransportFault> in
                guard let file else { return .failure(lost) }
                do throws(BodySourceError) {
                    return .success(try file.read(upTo: BodySource.smallestChunk))
                } catch {
                    return .failure(lost)
                }
            }
            return try result.get()
        }
    }
}
