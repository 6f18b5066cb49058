import Foundation
import Testing

@testable import ErrandBackground
@testable import ErrandRuntime

/// A process of the app ends at every possible step: before and after each change of the journal, each call to the system, and each
/// report of the system.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BackgroundCrashTests {
    /// The commands that a server has carried out, and its next responses.
    private final class Ledger: Sendable {
        private struct State {
            var executions = 0
            var keys: Set<String> = []
            var generator: SeededGenerator
        }
        private let state: LockedState<State>

        init(_ seed: UInt64) { state = LockedState { State(generator: SeededGenerator(seed: seed)) } }

        var executions: Int { state.withLock { $0.executions } }

        func answer(_ request: TransportRequest, _ body: [UInt8]) -> TransferSystem.Outcome {
            state.withLock { state in
                let chance = Int.random(in: 0..<10, using: &state.generator)
                if chance == 0 { return .response(503, [:], []) }
                if chance == 1 { return .fault(.lost, .sent) }
                // A server that has carried out a key doesn't report the opposite.
                let isKnown = request.headers["Idempotency-Key"].map { state.keys.contains($0) } ?? false
                if chance == 2, !isKnown { return .response(409, [:], Array("7".utf8)) }
                if request.method == .get { return .response(200, ["Content-Length": "9"], Array("the box !".utf8)) }
                guard body == Array("the box".utf8) else { return .response(400, [:], []) }
                if let key = request.headers["Idempotency-Key"] {
                    if state.keys.insert(key).inserted { state.executions += 1 }
                } else {
                    state.executions += 1
                }
                // The server may carry out a command whose response is lost.
                return chance == 3 ? .fault(.lost, .sent) : .response(201, [:], Array(#"{"number":4}"#.utf8))
            }
        }
    }

    /// Carries out one command over several lives. The last life doesn't end.
    ///
    /// - Returns: the result of the last life, and the number of steps of the first one.
    private func live<Value: Sendable>(
        _ seed: UInt64, firstLife: Int, _ folder: Folder, _ system: TransferSystem,
        _ carryOut: @escaping @Sendable (Attic, TransferRegistry) async -> Result<Value, Attic.Failure>
    ) async -> (Result<Value, Attic.Failure>, steps: Int) {
        var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(firstLife))
        var lives = [Life(steps: firstLife)]
        if firstLife < .max {
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                lives.append(Life(steps: Int.random(in: 1...12, using: &generator)))
            }
        }
        for life in lives {
            await system.hold(Bool.random(using: &generator))
            let registry = TransferSystem.App(system, life).makeRegistry(folder.url.appendingPathComponent("journal"))
            let attic = Attic()
            let done = LockedState<Result<Value, Attic.Failure>?> { nil }
            let task = Task {
                let result = await carryOut(attic, registry)
                done.withLock { $0 = result }
            }
            var waited = 0
            while !life.isOver, done.withLock({ $0 == nil }) {
                await Task.yield()
                waited += 1
                // Tasks that are held back continue after a while.
                if waited % 200 == 0 { await system.hold(false) }
            }
            let ended = done.withLock { $0 }
            task.cancel()
            _ = await task.value
            if !life.isOver, let ended, life === lives.last, firstLife == .max { return (ended, life.taken) }
            // While no process runs, the system runs all tasks, forgets them, or does nothing.
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: await system.runAll()
            case 1: system.forgetAll()
            default: break
            }
        }
        await system.hold(false)
        let registry = TransferSystem.App(system, Life()).makeRegistry(folder.url.appendingPathComponent("journal"))
        let result = await carryOut(Attic(), registry)
        return (result, 0)
    }

    private func examine<C: Storing>(_ type: C.Type, _ seed: UInt64, firstLife: Int) async throws -> Int {
        let (folder, ledger) = (try Folder(), Ledger(seed))
        let system = TransferSystem(folder.url) { ledger.answer($0, $1) }
        let (result, steps) = await live(seed, firstLife: firstLife, folder, system) { attic, registry in
            do throws(Attic.Failure) {
                return .success(try await attic.binding.perform(C(), as: "one", in: registry))
            } catch {
                return .failure(error)
            }
        }
        let story: Comment =
            "\(type), seed \(seed), first life of \(firstLife) steps: \(result), \(ledger.executions) executions"
        let effect = C.endpoint.effect
        if effect.isUnsafe { #expect(ledger.executions <= 1, story) }
        switch result {
        case .success(let stored):
            #expect(stored.number == 4, story)
            #expect(ledger.executions >= 1, story)
        case .failure(.unconfirmed): #expect(effect.isUnsafe, story)
        case .failure(.full), .failure(.busy):
            // The server's statement about one attempt applies to all attempts.
            if effect == .once { #expect(ledger.executions == 0, story) }
        case .failure(.fault(let fault)):
            #expect(fault.kind == .connectionLost && !effect.isUnsafe, story)
        }
        return steps
    }

    @Test(arguments: 0..<seeds) func noUploadTakesEffectTwice(_ seed: UInt64) async throws {
        for type in [Attic.StoreOnce.self, Attic.StoreKeyed.self, Attic.StoreAgain.self] as [any Storing.Type] {
            let steps = try await examine(type, seed, firstLife: .max)
            #expect(steps > 3)
            for step in 1...(steps + 1) { _ = try await examine(type, seed, firstLife: step) }
        }
    }

    @Test(arguments: 0..<seeds) func aDownloadIsWholeOrNotThere(_ seed: UInt64) async throws {
        let steps = try await download(seed, firstLife: .max)
        for step in 1...(steps + 1) { _ = try await download(seed, firstLife: step) }
    }

    private func download(_ seed: UInt64, firstLife: Int) async throws -> Int {
        let (folder, ledger) = (try Folder(), Ledger(seed))
        let system = TransferSystem(folder.url) { ledger.answer($0, $1) }
        let place = folder.url.appendingPathComponent("box").path
        let (result, steps) = await live(seed, firstLife: firstLife, folder, system) { attic, registry in
            do throws(Attic.Failure) {
                try await attic.binding.download(
                    Attic.Fetch(), of: Attic.Fetch.self, to: place, as: "one", checksum: nil, in: registry)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        let story: Comment = "seed \(seed), first life of \(firstLife) steps: \(result)"
        let there = folder.bytes("box").map { String(decoding: $0, as: UTF8.self) }
        #expect(there == nil || there == "the box !", story)
        switch result {
        case .success: #expect(there == "the box !", story)
        case .failure(.unconfirmed): Issue.record(story)
        case .failure: break
        }
        // A download that has ended leaves no files, regardless of its result.
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent("journal").path)
        #expect(left.filter { !$0.contains(".new-") } == [], story)
        return steps
    }

    /// The number of seeds, from `ERRAND_SEEDS`; three by default.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["ERRAND_SEEDS"].flatMap { Int($0) } ?? 3)
}
