import Diagnostics
import Foundation
import Pipeline
import Testing

/// `lint` reports every contract that `generate` refuses. `generate` refuses every contract with an error outside of the lint
/// rules.
@Suite(.serialized) struct AgreementTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        endpoints:
          getItem: {get: "/items/{id}", response: string}
          watchItems: {get: /items, response: string, swift: "watch items"}

        """

    private func outcomes(_ configuration: String, _ contracts: [String: String]) throws
        -> (lint: [Diagnostic], generate: [Diagnostic])
    {
        let folder = try TemporaryFolder()
        for (name, text) in contracts { try folder.write(text, to: "contracts/\(name).contract.yaml") }
        let decoded = ProjectConfiguration.decode(Array(configuration.utf8), file: "errand.yaml")
        let project = try #require(decoded.configuration)
        var options = LintOptions(contracts: [folder.path("contracts")], settings: project.lint)
        options.customization = project.customization
        options.templates = project.templates.map { folder.path($0) }
        options.isWholeProject = true
        var generate = GenerateOptions(project)
        generate.contracts = [folder.path("contracts")]
        generate.output = folder.path("generated")
        generate.templates = options.templates
        options.boundary = ProjectBoundary(naming: [folder.path])
        generate.boundary = options.boundary
        let lint = Lint.run(options).findings.filter { $0.severity == .error }
        return (lint, Generate.run(generate).findings.sorted().filter { $0.severity == .error })
    }

    @Test(arguments: [
        ("contracts: [contracts]\n", ["swift-name-invalid"]),
        ("endpoints: [getItem]\n", []),
        ("endpoints: [getItm]\n", ["unknown-endpoint"]),
        ("endpoints: {Shop: [getItem], Shpo: [getItem]}\n", ["unknown-service"]),
        ("endpoints: [getItem]\nnames: {Shop: {types: {Itm: Item}}}\n", ["unknown-type"]),
        ("endpoints: [getItem]\nnames: {Shop: {endpoints: {getItem: GetItem}}}\n", ["swift-name-invalid"]),
        ("endpoints: [getItem]\ntemplates: nowhere\n", ["missing-file"]),
    ])
    func bothFindTheSame(_ configuration: String, _ wanted: [String]) throws {
        let (lint, generate) = try outcomes(configuration, ["shop": Self.contract])
        #expect(generate.map(\.rule) == wanted)
        #expect(lint.map(\.rule) == wanted)
    }

    @Test func twoContractsOfOneServiceAreFoundByBoth() throws {
        let other = Self.contract.replacingOccurrences(of: "service: Shop", with: "service: shop").replacingOccurrences(
            of: ", swift: \"watch items\"", with: "")
        let (lint, generate) = try outcomes(
            "endpoints: {Shop: [getItem]}\n",
            ["shop": Self.contract, "two": other.replacingOccurrences(of: "service: shop", with: "service: SHOP")])
        #expect(generate.map(\.rule) == ["duplicate-service"])
        #expect(lint.map(\.rule) == ["duplicate-service"])
    }

    @Test func findingsOfAFileAreBounded() throws {
        let folder = try TemporaryFolder()
        let types = (0..<3000).map { "  T\($0): {a: int}\n" }.joined()
        try folder.write(
            "errand: 1\nservice: Shop\nservers: {main: https://shop.example}\ndefaults: {timeout: 10s, deadline: 40s}\ntypes:\n\(types)endpoints: {getItem: {get: /items, response: string}}\n",
            to: "shop.contract.yaml")
        let report = Lint.run(LintOptions(contracts: [folder.path("shop.contract.yaml")], failOn: .note))
        #expect(report.findings.count == 1001)
        #expect(report.findings.first?.rule == "more-findings")
        #expect(report.findings.first?.message == "2000 more findings in this file are not shown")
        #expect(report.outcome == .findings)
    }

    @Test func aPipeIsNotWaitedFor() throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("shop.contract.yaml"), 0o600) == 0)
        let report = Lint.run(LintOptions(contracts: [folder.path]))
        #expect(report.findings.map(\.rule) == ["no-file"])
    }

    @Test func twoUnusedImportsGoInOneRun() throws {
        let folder = try TemporaryFolder()
        for name in ["one", "two"] {
            try folder.write(
                "errand: 1\nservice: \(name.capitalized)\ntypes: {\(name.capitalized): {a: int}}\nendpoints: {}\n",
                to: "\(name).contract.yaml")
        }
        let head = "errand: 1\nservice: Shop\n"
        let rest = "servers: {main: https://shop.example}\nendpoints:\n  getItem: {get: /item, response: string}\n"
        try folder.write(
            head + "imports:\n  - one.contract.yaml\n  - two.contract.yaml\n" + rest, to: "shop.contract.yaml")
        var options = LintOptions(contracts: [folder.path("shop.contract.yaml")])
        options.isFixing = true
        let report = Lint.run(options)
        #expect(!report.findings.contains { $0.rule == "unused-import" })
        #expect(folder.text("shop.contract.yaml") == head + rest)
    }

    @Test func aFixDoesNotWriteAKeyTwice() throws {
        let folder = try TemporaryFolder()
        let text = Self.contract.replacingOccurrences(
            of: "response: string}\n  watch", with: "response: string, retry: {attempts: 1000}}\n  watch")
        try folder.write(text, to: "shop.contract.yaml")
        var options = LintOptions(contracts: [folder.path("shop.contract.yaml")])
        options.isFixing = true
        _ = Lint.run(options)
        #expect(folder.text("shop.contract.yaml") == text)
    }
}
