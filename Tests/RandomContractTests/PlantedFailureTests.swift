import Diagnostics
import Foundation
import Testing

/// What ``AcceptedContractTests`` looks for is found where it is planted.
@Suite(.serialized) struct PlantedFailureTests {
    private static let contract: ContractNode = .mapping([
        "errand": .word("1"), "service": .word("Planted"),
        "types": .mapping(["Product": .mapping(["price": .text("decimal"), "next": .text("Product?")])]),
        "errors": .mapping([
            "gone": .mapping(["category": .word("nonRetryable"), "when": .mapping(["status": .word("410")])])
        ]),
        "endpoints": .mapping([
            "getProduct": .mapping(["get": .text("/product"), "response": .text("Product")])
        ]),
    ])

    /// A text that a mode refuses, and the compiler's message about it.
    private static func plant(_ mode: Compiler.Mode, _ text: String) -> String {
        switch mode {
        case .plain: text + "\nfunc unused() -> Float { 16777217 }\n"
        case .mainActor: text.replacingOccurrences(of: "nonisolated extension", with: "extension")
        case .memberImportVisibility:
            text.replacingOccurrences(of: "import FoundationEssentials", with: "import Swift").replacingOccurrences(
                of: "import Foundation\n", with: "import Swift\n")
        case .conforming: text.replacingOccurrences(of: "Sendable, Hashable {", with: "Sendable {")
        }
    }

    private static func wanted(_ mode: Compiler.Mode) -> String {
        switch mode {
        case .plain: "is not exactly representable"
        case .mainActor: "main actor"
        case .memberImportVisibility: "Decimal"
        case .conforming: "Hashable"
        }
    }

    @Test(arguments: Compiler.Mode.allCases) func isFound(_ mode: Compiler.Mode) throws {
        let workplace = try Workplace()
        let compiler = try Compiler()
        let trial = Trial(Trial(service: "Planted", seed: 1), root: Self.contract, service: "Planted")
        #expect(try workplace.judge(trial, into: "clients").isAccepted)
        let files = workplace.sources("clients", mode.style)
        #expect(try compiler.problems(in: files, mode, below: workplace.url).isEmpty)
        // The last file has the types.
        let file = try #require(files.last)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(Self.plant(mode, text).utf8).write(to: URL(fileURLWithPath: file))
        let problems = try compiler.problems(in: files, mode, below: workplace.url)
        #expect(problems.contains { $0.message.contains(Self.wanted(mode)) && $0.service == "Planted" }, "\(problems)")
    }

    @Test func aContradictionIsFound() throws {
        let finding = Diagnostic(rule: .missingKey, message: "some words", file: "main.contract.yaml")
        #expect(Workplace.Verdict(lint: [], generate: [finding]).contradictions.count == 1)
        #expect(Workplace.Verdict(lint: [finding], generate: []).contradictions.count == 1)
        #expect(Workplace.Verdict(lint: [finding], generate: [finding]).contradictions.isEmpty)
    }

    /// A refused declaration is removed by the line that the finding names.
    @Test func aRefusedDeclarationIsTakenOut() throws {
        let workplace = try Workplace()
        var trial = Trial(Trial(service: "Planted", seed: 1), root: Self.contract, service: "Planted")
        trial.root = trial.root.replacing(
            "types",
            by: .mapping(["Product": .mapping(["price": .text("decimal")]), "Bad": .mapping(["a": .text("Nothing")])]))
        let verdict = try workplace.judge(trial, into: "clients")
        #expect(!verdict.isAccepted && verdict.contradictions.isEmpty)
        let smaller = try #require(trial.without(verdict.generate))
        #expect(!smaller.text.contains("Bad") && smaller.text.contains("Product"))
        #expect(try workplace.judge(smaller, into: "clients").isAccepted)
    }
}
