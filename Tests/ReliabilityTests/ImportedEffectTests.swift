import ErrandJSON
import ErrandTesting
import JobsClient
import Testing

@testable import ErrandRuntime

/// Promises 3 and 12 for a client that nobody has looked at since its import: errors inside of successful responses are guesses of
/// the import, and no guess sends a write again.
@Suite(.serialized) struct ImportedEffectTests {
    @Test func whatAnImportGuessesRepeatsNothing() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try PromiseRun.check("3  what an import guesses repeats nothing", seeds: 12) { simulation in
            let world = ImportedWorld(seed: simulation.seed, simulation.server)
            simulation.server.faults = FaultPlan(
                rate: 0.3, of: EffectPromiseTests.ambiguous + [.refused, .throttled, .unavailable])
            let client = Jobs(on: simulation.dispatcher)
            let findings = await simulation.concurrently(100) { number -> PromiseRun.Finding in
                var finding = PromiseRun.Finding()
                switch number % 5 {
                case 0:
                    let result = await client.result(of: Jobs.CreateResponse(number: number))
                    if case .success(let response) = result {
                        let isWhole = response.error?.code.rawValue == world.entry(of: number).code
                        finding.expect(isWhole, "\(number): the error of a resource is lost")
                    }
                    world.compare(result, number, &finding)
                case 1: world.compare(await client.result(of: Jobs.PostMessage(number: number)), number, &finding)
                case 2: world.compare(await client.result(of: Jobs.Pay(number: number)), number, &finding)
                case 3: world.compare(await client.result(of: Jobs.PlaceOrder(number: number)), number, &finding)
                default: world.compare(await client.result(of: Jobs.ChangeNote(number: number)), number, &finding)
                }
                return finding
            }
            return PromiseRun.Finding(cases: world.errorCount, violations: findings.flatMap(\.violations))
        }
    }
}

/// A server that carries out every request that it reads, and says in two of three responses that something is wrong.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
private final class ImportedWorld: Sendable {
    struct Entry {
        /// How often the request was carried out.
        var effects = 0
        var keys: Set<String> = []
        /// The code in the last response.
        var code: String?
    }

    private struct State: Sendable {
        var chance: SeededGenerator
        var entries: [Int: Entry] = [:]
        var errorCount = 0
    }

    private let state: LockedState<State>

    init(seed: UInt64, _ server: SimulatedServer) {
        state = LockedState { State(chance: SeededGenerator(seed: seed ^ 0x0A11_5E77)) }
        answer(
            Jobs.CreateResponse.self, server, codes: ["rate_limit_exceeded", "server_error", "invalid_prompt"],
            success: #"{"id":"r","object":"response","status":"completed","output":["a"]}"#
        ) { #"{"id":"r","object":"response","status":"failed","output":[],"error":{"code":"\#($0)","message":"No."}}"# }
        answer(
            Jobs.PostMessage.self, server,
            codes: ["ratelimited", "channel_not_found", "service_unavailable", "new_code"],
            success: #"{"ok":true,"message":"m"}"#, failure: Self.flagged)
        answer(
            Jobs.Pay.self, server, codes: ["overloaded", "no_funds"], success: #"{"ok":true,"receipt":"r"}"#,
            failure: Self.flagged)
        answer(
            Jobs.PlaceOrder.self, server, codes: ["temporarily_unavailable", "sold_out"], success: #"{"order":1}"#
        ) { #"{"reason":"\#($0)","message":"No."}"# }
        answer(
            Jobs.ChangeNote.self, server, codes: ["try_again_later", "locked_note"],
            success: #"{"ok":true,"note":"n"}"#, failure: Self.flagged)
    }

    private static func flagged(_ code: String) -> String { #"{"ok":false,"error":"\#(code)"}"# }

    private func answer<C: Command>(
        _ type: C.Type, _ server: SimulatedServer, codes: [String], success: String,
        failure: @escaping @Sendable (String) -> String
    ) {
        server.on(type) { [state] call in
            let number = Self.number(in: call.json)
            let key = call.request.headers["Idempotency-Key"]
            let code = state.withLock { state -> String? in
                let isKnown = key.map { state.entries[number, default: Entry()].keys.contains($0) } ?? false
                if !isKnown { state.entries[number, default: Entry()].effects += 1 }
                if let key { state.entries[number, default: Entry()].keys.insert(key) }
                let choice = Int.random(in: 0..<3 * codes.count, using: &state.chance)
                let code = choice < 2 * codes.count ? codes[choice % codes.count] : nil
                if code != nil { state.errorCount += 1 }
                state.entries[number, default: Entry()].code = code
                return code
            }
            return .json(code.map(failure) ?? success)
        }
    }

    private static func number(in json: JSONValue?) -> Int {
        guard case .object(let members)? = json, case .number(let number)? = members["number"] else { return 0 }
        return Int(number.text) ?? 0
    }

    var errorCount: Int { state.withLock { $0.errorCount } }

    func entry(of number: Int) -> Entry { state.withLock { $0.entries[number] ?? Entry() } }

    /// Holds what a command says of itself against what the server has done.
    func compare<Response, Failure: CommandFailure>(
        _ result: Result<Response, Failure>, _ number: Int, _ finding: inout PromiseRun.Finding
    ) {
        let entry = entry(of: number)
        finding.expect(entry.effects <= 1, "\(number) was carried out \(entry.effects) times")
        finding.expect(entry.keys.count <= 1, "\(number) had \(entry.keys.count) keys")
        switch result {
        case .success: finding.expect(entry.effects == 1, "\(number) succeeded without effect")
        case .failure(let failure):
            // A code that the document does not have is the built-in `rejected`.
            let context = failure.context
            let isTrue = context.applied != .never || entry.effects == 0 || entry.code == "new_code"
            finding.expect(isTrue, "\(number) was carried out, and \(context.name) says never")
        }
    }
}
