import Foundation
import TestSeeds
import Testing

/// Whatever a service is called, the tool refuses the name, or its client compiles.
///
/// A client is the only one of its module here: a client that is called `Task` hides Swift's `Task` from its module, and
/// that is its author's choice. The everyday run takes some of the names; `ERRAND_CONTRACTS` with any number takes all.
@Suite(.serialized) struct ServiceNameTests {
    /// Names of types in generated code and in what it imports, and names that people do give to services.
    static let names = Set(
        NastyNames.types + NastyNames.refusedTypes + NastyNames.plainTypes + [
            "API", "App", "Binding", "Calls", "Character", "Client", "Combine", "Commands", "Commands1", "Endpoint",
            "Envelope", "Errors", "ErrandClient", "ErrandUI", "Fields", "Main", "Optional", "Outcome", "Page",
            "PageElement", "Stream", "SwiftUI", "Types", "Types1", "Unit", "User", "X1", "A_B",
        ]
    ).sorted()

    private static var tried: [String] {
        guard !ContractRun.takesAll else { return names }
        var generator = SeededGenerator(seed: ContractRun.seed)
        return Array(names.shuffled(using: &generator).prefix(10))
    }

    @Test func acceptedNamesCompile() throws {
        print("seed \(ContractRun.seed)")
        let compiler = try Compiler()
        for (number, name) in Self.tried.enumerated() {
            let workplace = try Workplace()
            let trial = Trial(service: name, seed: ContractRun.seed + UInt64(number))
            guard try workplace.accepted(trial, into: "clients") != nil else { continue }
            let problems = try compiler.problems(
                in: workplace.sources("clients", .plain), .memberImportVisibility, below: workplace.url)
            #expect(problems.isEmpty, "a service `\(name)`, seed \(trial.seed): \(problems.prefix(2))")
        }
    }
}
