import ErrandTesting
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// Commands that come while a lost connection is not open yet.
@Suite(.timeLimit(.minutes(2))) struct ConnectionGateTests {
    @Test func whatHasWaitedForTheConnectionGoes() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        #expect(try await parlor.send(Parlor.Ask()) == 5)
        for _ in 1...20 {
            server.line?.cut()
            let answered = await withTaskGroup(of: Bool.self) { group in
                for _ in 1...10 {
                    group.addTask { (try? await parlor.with { $0.deadline = .seconds(60) }.send(Parlor.Ask())) == 5 }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(answered == 10)
        }
    }
}
