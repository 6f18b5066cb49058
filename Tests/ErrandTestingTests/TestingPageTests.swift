import BankClient
import ErrandTesting
import Foundation
import Testing

// The example of docs/testing.md, as it stands there.
#if !canImport(Darwin)
@Test func ordersWhileTheSessionExpires() async throws {
    try await Simulation.run(seeds: 20) { simulation in
        let bank = Bank(on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        simulation.server.expireSessions(after: .milliseconds(40))
        await withTaskGroup(of: Void.self) { group in
            for account in 1...100 {
                group.addTask { _ = try? await bank.transferFunds(fromAccount: account, toAccount: 0, amount: 5) }
            }
        }
        #expect(simulation.server.carriedOut(Bank.LogIn.self).count == 2, "\(simulation)")
        #expect(simulation.server.carriedOut(Bank.TransferFunds.self).count == 100, "\(simulation)")
    }
}
#endif

/// What docs/testing.md shows is what is compiled and run here.
@Suite struct TestingPageTests {
    private static func read(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func theExampleOfThePageIsTheTestAbove() throws {
        let page = try Self.read("docs/testing.md")
        let start = try #require(page.range(of: "```swift\n@Test"))
        let end = try #require(page[start.upperBound...].range(of: "```"))
        let example = String(page[page.index(start.lowerBound, offsetBy: 9)..<end.lowerBound])
        #expect(try Self.read("Tests/ErrandTestingTests/TestingPageTests.swift").contains(example))
        #expect(example.split(separator: "\n").count < 15)
    }

    @Test func thePageNamesEveryFault() throws {
        let page = try Self.read("docs/testing.md")
        for word in [
            "refused", "before, during and after", "during the reply", "late", "doubled", "429", "500", "502", "503",
            "504",
        ] {
            #expect(page.contains(word), "\(word)")
        }
    }
}
