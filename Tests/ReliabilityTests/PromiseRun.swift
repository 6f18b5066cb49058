import BankClient
import ErrandTesting
import Foundation
import Testing

/// Many simulations of one promise, and what they found, as a row of a table.
///
/// `make reliability` runs thousands of seeds of each; every day it is a few.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
struct PromiseRun {
    /// What one simulation came to.
    struct Finding: Sendable {
        /// How many cases it has tried: commands, as a rule.
        var cases = 0
        /// The broken promises.
        var violations: [String] = []

        mutating func expect(_ isKept: Bool, _ violation: @autoclosure () -> String) {
            if !isKept { violations.append(violation()) }
        }
    }

    static let variable = "ERRAND_RELIABILITY_SEEDS"

    /// - Parameters:
    ///   - promise: what is promised, in a few words.
    ///   - seeds: how many simulations every day; `ERRAND_RELIABILITY_SEEDS` says how many else.
    ///   - weight: how much one simulation counts beside the usual ones: that many fewer are run.
    static func check(
        _ promise: String, seeds: Int = 40, weight: Int = 1,
        _ body: @escaping @Sendable (Simulation) async throws -> Finding
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let count = max(1, (environment[variable].flatMap(Int.init) ?? seeds) / weight)
        let first = UInt64.random(in: 1...999_999_999)
        let all = environment["ERRAND_SEED"].flatMap(UInt64.init).map { [$0] } ?? (0..<UInt64(count)).map { first + $0 }
        let start = ContinuousClock.now
        var cases = 0
        var violations: [String] = []
        for seed in all {
            do {
                let finding = try Simulation.run(seed: seed, body)
                cases += finding.cases
                violations += finding.violations.map { "\($0) (seed \(seed))" }
            } catch {
                violations.append("\(error)")
                // One that hangs takes its time, and more of them say nothing new.
                if violations.count >= 5 {
                    violations.append("the seeds after that were not tried")
                    break
                }
            }
        }
        printRow(promise, "\(all.count) from \(all[0])", Finding(cases: cases, violations: violations), since: start)
        #expect(violations.isEmpty, "\(violations.prefix(5).joined(separator: "\n"))")
    }

    /// Prints what was found, as a row of the table.
    static func printRow(_ promise: String, _ seeds: String, _ finding: Finding, since start: ContinuousClock.Instant) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let tenths = (seconds * 10).rounded() / 10
        print("| \(promise) | \(seeds) | \(finding.cases) | \(finding.violations.count) | \(tenths) |")
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension Simulation {
    /// A bank whose session logs in as a user, with the correct password.
    func makeBank(on dispatcher: Dispatcher? = nil) -> Bank {
        Bank(on: dispatcher ?? self.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
    }

    /// The same, logged in.
    func makeLoggedInBank(on dispatcher: Dispatcher? = nil) async throws -> Bank {
        let bank = makeBank(on: dispatcher)
        _ = try await bank.logIn(user: "ada", password: "lovelace")
        return bank
    }

    /// Runs as many children as asked for, and collects what they return.
    func concurrently<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for number in 1...count { group.addTask { (number, await body(number)) } }
            var values: [(Int, Value)] = []
            for await value in group { values.append(value) }
            return values.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
