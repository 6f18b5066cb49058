import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Servers store the response to an idempotency key, also a refusal, and give it again. Most of them mark it.
@Suite(.timeLimit(.minutes(1)), .overSocketsToo) struct ReplayedResponseTests {
    private struct Pay: ErrandRuntime.Command {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Bank.service, "pay", .post, effect: .keyed, session: .optional, response: .none)
        func encode(into request: inout RequestEncoder) { request.path("/pays") }
    }

    /// A server that stores each response under the key of its request.
    private final class Store: Sendable {
        private let state = LockedState<(stored: [String: TransportResponse], keys: [String], tokens: [String])> {
            ([:], [], [])
        }

        var keys: [String] { state.withLock { $0.keys } }
        /// The keys by the order in which they came: `aab`.
        var pattern: String {
            let order = keys.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return String(keys.compactMap { key in order.firstIndex(of: key).map { Array("abcdef")[$0] } })
        }
        var tokens: [String] { state.withLock { $0.tokens } }

        /// - Parameter fresh: the response to the request with so many keys before its own.
        func transport(
            mark: String?, fresh: @escaping @Sendable (Int, _ token: String) -> TransportResponse
        ) -> ScriptedTransport {
            .scripted { [state] request, number in
                if request.url.hasSuffix("/sessions") {
                    return .json(200, #"{"data":{"token":"new\#(number)"}}"#)
                }
                let key = request.headers["Idempotency-Key"] ?? ""
                let token = request.headers["Authorization"]?.replacingOccurrences(of: "Bearer ", with: "") ?? ""
                return state.withLock { state in
                    state.keys.append(key)
                    state.tokens.append(token)
                    if var known = state.stored[key] {
                        if let mark { known.headers.set(mark, "true") }
                        return known
                    }
                    let response = fresh(state.stored.count, token)
                    state.stored[key] = response
                    return response
                }
            }
        }
    }

    private func bank(_ transport: ScriptedTransport, _ session: Session = .begun, attempts: Int = 4) -> Bank {
        Bank(
            on: Dispatcher(
                transport: transport, settings: DispatcherSettings(retry: RetryRule(attempts: attempts)),
                environment: DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))),
            session: session)
    }

    /// A new login does not help against a stored 401. A new key does, and it is safe, because nothing was carried out.
    @Test(arguments: [1, 4]) func aRefusedTokenIsFollowedByANewKey(attempts: Int) async throws {
        let store = Store()
        let transport = store.transport(mark: nil) { _, token in token == "old" ? .json(401, "") : .json(200, "{}") }
        let session = Session(login: { Bank.LogIn(user: "ada", password: "right") })
        await session.begin(SessionTokens(access: "old"))
        try await bank(transport, session, attempts: attempts).send(Pay())
        #expect(store.pattern == "ab" && store.tokens.count == 2, "\(store.keys) \(store.tokens)")
        #expect(session.currentGrant.tokens != nil)
    }

    /// The lost attempt may have been carried out, so its key stays. The refusal is that of another moment, and says nothing about the
    /// session.
    @Test(arguments: [
        "Idempotent-Replayed", "Idempotency-Replayed", "X-Idempotent-Replayed", "Cached-From-Idempotency-Key",
    ])
    func afterAnOpenAttemptAStoredRefusalEndsTheCommandAlone(mark: String) async throws {
        let store = Store()
        let stored = store.transport(mark: mark) { _, _ in .json(401, "") }
        let transport = ScriptedTransport.scripted { request, number throws(TransportFault) in
            let response = try await stored.send(request)
            if number == 1 { throw TransportFault(.lost, evidence: .sent) }
            return response
        }
        let session = Session(login: { Bank.LogIn(user: "ada", password: "right") })
        await session.begin(SessionTokens(access: "mine"))
        let result = await bank(transport, session).result(of: Pay())
        guard case .failure(let fault) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .unconfirmed && fault.context.isReplayed, "\(fault)")
        #expect(store.pattern == "aa" && transport.requests.count == 2, "\(store.keys)")
        #expect(session.currentGrant.tokens?.access == "mine")
    }

    @Test(arguments: [(429, "aab"), (503, "aa")])
    func aStoredFailureIsAskedForOnce(status: Int, wanted: String) async {
        let store = Store()
        let transport = store.transport(mark: "Idempotent-Replayed") { keys, _ in
            keys == 0 ? .json(status, "") : .json(200, "{}")
        }
        let result = await bank(transport).result(of: Pay())
        #expect(store.pattern == wanted, "\(store.keys)")
        switch result {
        case .success: #expect(status == 429)
        case .failure(let fault):
            // The 503 leaves it open whether the order was carried out, so a second one must not be made.
            #expect(status == 503 && fault.kind == .unconfirmed && fault.context.isReplayed, "\(fault)")
        }
    }

    @Test func aStoredSuccessSaysSo() async throws {
        let store = Store()
        let stored = store.transport(mark: "Idempotent-Replayed") { _, _ in .json(200, "{}") }
        let transport = ScriptedTransport.scripted { request, number throws(TransportFault) in
            let response = try await stored.send(request)
            if number == 1 { throw TransportFault(.lost, evidence: .sent) }
            return response
        }
        let reply = try await bank(transport).reply(to: Pay())
        #expect(reply.isReplayed && store.pattern == "aa", "\(store.keys)")
    }
}
