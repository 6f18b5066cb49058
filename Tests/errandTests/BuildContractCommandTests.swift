import Foundation
import Testing

/// `errand build-contract`: what the plugin has a build run. That the build runs it is held by `scripts/check plugins`.
@Suite struct BuildContractCommandTests {
    static let shop = GenerateCommandTests.contract.replacingOccurrences(
        of: "service: Shop\n", with: "service: Shop\ndefaults: {timeout: 20s}\n")
    static let shared = """
        errand: 1
        service: Shared
        types:
          Color: {enum: [red, green]}
        endpoints: {}
        """

    private func target(_ files: [String: String]) throws -> ProjectFolder {
        let folder = try ProjectFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    @Test func writesTheBytesOfGenerateUnderTheNamesOfTheContract() throws {
        let folder = try target(["my-shop.contract.yaml": Self.shop, "errand.yaml": "access: internal\n"])
        let step = try TargetStep(in: folder.url)
        #expect(try step.run("my-shop.contract.yaml").status == 0)
        let suffixes = ["", "Errors", "Types1", "Commands1"]
        let written = step.output.contents
        #expect(written.keys.sorted() == suffixes.map { "MyShop\($0).swift" }.sorted())
        #expect(
            try CommandRun(["generate", "my-shop.contract.yaml", "--whole", "--output", "Generated"], in: folder.url)
                .status == 0)
        for suffix in suffixes {
            #expect(
                written["MyShop\(suffix).swift"] == folder.contents["Generated/Shop/Shop\(suffix).swift"], "\(suffix)")
        }
    }

    /// SwiftPM does not ask the plugin again after an edit, so the names stay the same after any edit of the contract.
    @Test(arguments: [1, 2, 5]) func writesTheFilesThatThePluginHasNamed(_ shards: Int) throws {
        for count in [1, 24, 25, 60, 200] {
            let types = (0..<count).map { "  Type\($0): {a: int}\n" }.joined()
            let folder = try target([
                "shop.contract.yaml": Self.shop.replacingOccurrences(of: "types:\n", with: "types:\n" + types)
            ])
            let step = try TargetStep(in: folder.url)
            #expect(try step.run("shop.contract.yaml", shards: shards).status == 0)
            let wanted = ["Shop", "ShopErrors"] + (1...shards).flatMap { ["ShopTypes\($0)", "ShopCommands\($0)"] }
            #expect(step.output.contents.keys.sorted() == wanted.map { $0 + ".swift" }.sorted())
            let text = step.output.contents.values.map { String(decoding: $0, as: UTF8.self) }.joined()
            for number in 0..<count { #expect(text.contains("struct Type\(number):")) }
        }
    }

    @Test func whatDoesNotChangeIsNotTouched() throws {
        let folder = try target(["shop.contract.yaml": Self.shop])
        let step = try TargetStep(in: folder.url)
        #expect(try step.run("shop.contract.yaml").status == 0)
        let before = try step.dates
        try folder.write(Self.shop + "\n# a word more\n", to: "shop.contract.yaml")
        #expect(try step.run("shop.contract.yaml").status == 0)
        #expect(try step.dates == before)
        try folder.write(
            Self.shop.replacingOccurrences(of: "name: string", with: "title: string"), to: "shop.contract.yaml")
        #expect(try step.run("shop.contract.yaml").status == 0)
        let after = try step.dates
        // The service's description lists the keys that the contract declares.
        #expect(after.keys.filter { after[$0] != before[$0] }.sorted() == ["Shop.swift", "ShopTypes1.swift"])
    }

    @Test func anErrorEndsWithItsLineAndWritesNothing() throws {
        let folder = try target([
            "api/shop.contract.yaml": Self.shop.replacingOccurrences(of: "get: /items", with: "gt: /items")
        ])
        let step = try TargetStep(in: folder.url)
        let run = try step.run("api/shop.contract.yaml")
        #expect(run.status == 1)
        #expect(run.complaints.contains("\(folder.url.path)/api/shop.contract.yaml:8:15: error: "), "\(run.complaints)")
        #expect(run.output.isEmpty)
        #expect(step.output.contents.isEmpty)
    }

    @Test func warningsAreSeenAndStopTheBuildWhereTheConfigurationSaysSo() throws {
        let folder = try target(["shop.contract.yaml": GenerateCommandTests.contract])
        let step = try TargetStep(in: folder.url)
        let run = try step.run("shop.contract.yaml")
        #expect(run.status == 0)
        #expect(run.complaints.contains("/shop.contract.yaml:7:3: warning: "), "\(run.complaints)")
        #expect(!step.output.contents.isEmpty)
        try folder.write("lint: {fail-on: warning}\n", to: "errand.yaml")
        #expect(try step.run("shop.contract.yaml").status == 1)
        try folder.write("lint: {fail-on: warning, rules: {missing-timeout: off}}\n", to: "errand.yaml")
        #expect(try step.run("shop.contract.yaml").status == 0)
        try folder.write(
            "lint: {fail-on: warning, paths: {shop.contract.yaml: {missing-timeout: note}}}\n", to: "errand.yaml")
        #expect(try step.run("shop.contract.yaml").status == 0)
    }

    @Test(arguments: [
        ("acess: internal\n", "errand.yaml:1:1: error: a configuration has no key `acess`", "did you mean `access`?"),
        ("output: Sources\n", "errand.yaml:1:1: error: `output` has no effect here", "remove it"),
        ("contracts: [a]\n", "errand.yaml:1:1: error: `contracts` has no effect here", "remove it"),
        (
            "templates: ../templates\n", "errand.yaml:1:1: error: the templates in `../templates` are outside",
            "move the folder"
        ),
        (
            "endpoints: [listItems]\n",
            "errand.yaml:1:13: error: `endpoints` is a list, but the project has 2 contracts",
            "endpoints: {"
        ),
        ("names: {Sop: {}}\n", "errand.yaml:1:9: error: no contract has the service `Sop`", "did you mean `Shop`?"),
        (
            "endpoints: {Shop: [listItms]}\n", "errand.yaml:1:20: error: `Shop` has no endpoint `listItms`",
            "did you mean `listItems`?"
        ),
    ])
    func theConfigurationIsRefusedAtItsPlace(_ text: String, _ message: String, _ help: String) throws {
        let folder = try target([
            "shop.contract.yaml": Self.shop, "shared.contract.yaml": Self.shared, "errand.yaml": text,
        ])
        let step = try TargetStep(in: folder.url)
        let run = try step.run("shop.contract.yaml", among: ["shared.contract.yaml", "shop.contract.yaml"])
        #expect(run.status != 0)
        #expect(run.complaints.contains("\(folder.url.path)/\(message)"), "\(run.complaints)")
        #expect(run.complaints.contains(help), "\(run.complaints)")
        #expect(step.output.contents.isEmpty)
    }

    @Test func anImportIsOfTheTargetOrRefusedAtItsPlace() throws {
        let importing = Self.shop + "\nimports: [PATH]\n"
        let cases = [
            ("shared.contract.yaml", ["shared.contract.yaml", "shop.contract.yaml"], nil),
            ("shared.contract.yaml", ["shop.contract.yaml"], "is not a part of the target"),
            ("../shared.contract.yaml", ["shop.contract.yaml"], "is outside the target's folder"),
        ]
        for (path, among, message) in cases {
            let folder = try target([
                "App/shop.contract.yaml": importing.replacingOccurrences(of: "PATH", with: path),
                "App/shared.contract.yaml": Self.shared, "shared.contract.yaml": Self.shared,
            ])
            let run = try TargetStep(in: folder.url.appendingPathComponent("App")).run(
                "shop.contract.yaml", among: among)
            #expect(run.status == (message == nil ? 0 : 1), "\(run.complaints)")
            if let message {
                #expect(
                    run.complaints.contains("/App/shop.contract.yaml:9:11: error: `\(path)` \(message)"),
                    "\(run.complaints)")
            }
        }
    }

    @Test func twoContractsOfOneServiceAreRefused() throws {
        let folder = try target([
            "a.contract.yaml": Self.shop, "b.contract.yaml": Self.shop.replacingOccurrences(of: "Shop", with: "SHOP"),
        ])
        let run = try TargetStep(in: folder.url).run("a.contract.yaml", among: ["a.contract.yaml", "b.contract.yaml"])
        #expect(run.status == 1)
        #expect(
            run.complaints.contains(
                "/a.contract.yaml:2:10: error: two contracts of this target have the service name `Shop`"),
            "\(run.complaints)")
        #expect(run.complaints.contains("/b.contract.yaml:2:10: note: the other one"))
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}

/// A step of a build of one target, with an output folder of its own.
struct TargetStep {
    let folder: URL
    let output: ProjectFolder

    init(in folder: URL) throws {
        self.folder = folder
        output = try ProjectFolder()
    }

    /// Runs the step as the plugin says it, from a folder that has nothing to do with the target.
    func run(_ contract: String, among contracts: [String]? = nil, shards: Int = 1) throws -> CommandRun {
        let words =
            contract.components(separatedBy: "/").last?.components(separatedBy: ".contract").first?.split(
                separator: "-") ?? []
        let stem = words.map(\.capitalized).joined()
        var arguments = [
            "build-contract", contract, "--target", folder.path, "--output", output.url.path, "--file-stem", stem,
            "--shards", "\(shards)",
        ]
        for other in contracts ?? [contract] { arguments += ["--among", other] }
        return try CommandRun(arguments, in: FileManager.default.temporaryDirectory)
    }

    /// When each file was last written.
    var dates: [String: Date] {
        get throws {
            try Dictionary(
                uniqueKeysWithValues: output.contents.keys.map { name in
                    let attributes = try FileManager.default.attributesOfItem(atPath: output.path(name))
                    return (name, attributes[.modificationDate] as? Date ?? .distantPast)
                })
        }
    }
}
