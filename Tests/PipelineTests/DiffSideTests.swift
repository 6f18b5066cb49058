import ContractModel
import Diagnostics
import Foundation
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// The sides of a comparison: files, folders, commits of real repositories, and documents.
@Suite struct DiffSideTests {
    static let shop = """
        errand: 1
        service: Shop
        imports: [../shared/money.yaml]
        servers: {main: https://shop.example}
        endpoints:
          getItem: {get: /item, response: Price, timeout: 10s}

        """
    static let money = "errand: 1\nservice: Money\ntypes:\n  Price: {amount: decimal}\nendpoints: {}\n"
    static let document = """
        {"openapi": "3.1.0", "info": {"title": "Item API", "version": "1"}, "servers": [{"url": "https://shop.example"}],
         "paths": {"/item": {"get": {"operationId": "getItem", "responses": {"200": {"description": "an item",
         "content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}}}}}
        """

    /// A repository whose branch `main` has a contract with an import and a document.
    private func repository() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.shop, to: "contracts/shop.contract.yaml")
        try folder.write(Self.money, to: "shared/money.yaml")
        try folder.write(Self.document, to: "api.json")
        try Self.git(["init", "--quiet", "--initial-branch", "main"], in: folder)
        try Self.commit("First", in: folder)
        return folder
    }

    private static func commit(_ message: String, in folder: TemporaryFolder) throws {
        try git(["add", "--all", "--force"], in: folder)
        let person = ["-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "-c", "commit.gpgSign=false"]
        try git(person + ["commit", "--quiet", "-m", message], in: folder)
    }

    private static func git(_ arguments: [String], in folder: TemporaryFolder) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw GitFailure(arguments: arguments) }
    }

    struct GitFailure: Error { var arguments: [String] }

    private func options(_ folder: TemporaryFolder, below inner: String? = nil) -> DiffSideOptions {
        let base = inner.map { folder.path($0) } ?? folder.path
        var options = DiffSideOptions(boundary: ProjectBoundary(base: base))
        options.base = base
        return options
    }

    /// The messages of a side that cannot be compared, with their files.
    private func refusal(_ argument: String, _ options: DiffSideOptions) -> [String] {
        do throws(DiffSide.Unusable) {
            let side = try DiffSide.read(argument, options)
            return ["read: \(side.contracts.map(\.file))"]
        } catch {
            return error.findings.map { "\($0.range?.description ?? $0.file): \($0.message)" }
        }
    }

    /// A document may be larger than a contract. A folder with one contract is no document.
    @Test func aFolderWithOneContractHasTheLimitsOfContracts() throws {
        let folder = try TemporaryFolder()
        let comment = String(repeating: "# " + String(repeating: "x", count: 1_000) + "\n", count: 1_500)
        try folder.write(comment + Self.shop, to: "contracts/shop.contract.yaml")
        var access = AccessOptions()
        access.megabytes = 1
        var options = DiffSideOptions(boundary: ProjectBoundary(base: folder.path, ProjectConfiguration(), access))
        options.base = folder.path
        for path in ["contracts", "contracts/shop.contract.yaml"] {
            let messages = refusal(folder.path(path), options)
            #expect(messages.count == 1 && messages[0].contains("is larger than"), "\(messages)")
        }
    }

    @Test func aFileAndAFolderAreRead() throws {
        let folder = try repository()
        for path in ["contracts", "contracts/shop.contract.yaml"] {
            let side = try DiffSide.read(folder.path(path), options(folder))
            #expect(side.contracts.map { $0.resolved?.service.value } == ["Shop"])
            #expect(side.sources.count == 2, "the contract and its import")
        }
    }

    @Test func aCommitIsReadWithTheImportsOfItsOwn() throws {
        let folder = try repository()
        try folder.write(Self.money.replacing("amount", with: "value"), to: "shared/money.yaml")
        try folder.write(Self.shop.replacing("/item", with: "/thing"), to: "contracts/shop.contract.yaml")
        for argument in [
            "git:main", "git:HEAD", "git:main:contracts", "git:main:contracts/shop.contract.yaml", "git:main:",
        ] {
            let side = try DiffSide.read(argument, options(folder))
            let contract = try #require(side.contracts.first?.resolved)
            #expect(side.contracts.count == 1)
            #expect(contract.endpoints.first?.path?.shape == "/item", "\(argument)")
            guard case .structure(let fields)? = contract.type(named: "Price")?.form else {
                Issue.record("\(argument): no structure `Price`")
                continue
            }
            #expect(fields.map(\.name.value) == ["amount"], "\(argument)")
            let range = try #require(contract.endpoints.first?.name.range)
            let commit = argument == "git:HEAD" ? "git:HEAD" : "git:main"
            #expect(side.shown(range).description == "\(commit):contracts/shop.contract.yaml:6:3")
            #expect(side.sources["\(commit):contracts/shop.contract.yaml"] == Array(Self.shop.utf8))
        }
    }

    @Test func aPathInACommitMayBeginAtTheWorkingFolder() throws {
        let folder = try repository()
        let inner = options(folder, below: "contracts")
        #expect(try DiffSide.read("git:main:./shop.contract.yaml", inner).contracts.count == 1)
        #expect(try DiffSide.read("git:main:.", inner).contracts.count == 1)
        #expect(
            refusal("git:main:shop.contract.yaml", inner) == [
                "git:main:shop.contract.yaml: `git:main` has no contract `shop.contract.yaml`"
            ])
    }

    @Test func aContractThatIsGoneTodayIsThereInItsCommit() throws {
        let folder = try repository()
        try Self.git(["checkout", "--quiet", "-b", "feature/remove"], in: folder)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("contracts"))
        try Self.commit("Second", in: folder)
        #expect(try DiffSide.read("git:main", options(folder)).contracts.count == 1)
        #expect(
            refusal("git:feature/remove", options(folder)) == [
                "git:feature/remove: `git:feature/remove` has no contract at `contracts`"
            ])
    }

    /// The first pull request with contracts is compared with a commit that has none.
    @Test func aCommitWithoutAnyContractIsAnEmptyOldSide() throws {
        let folder = try TemporaryFolder()
        try folder.write("# Shop\n", to: "README.md")
        try Self.git(["init", "--quiet", "--initial-branch", "main"], in: folder)
        try Self.commit("First", in: folder)
        try folder.write(Self.money, to: "contracts/money.contract.yaml")
        let sides = try DiffSides("git:main", folder.path("contracts"), options(folder))
        #expect(sides.old.contracts.isEmpty && sides.new.contracts.count == 1)
        #expect(refusal("git:main", options(folder)) == ["git:main: `git:main` has no contract at `contracts`"])
        // Contracts in another folder are a mistake, and not new.
        try Self.commit("Second", in: folder)
        try folder.write(Self.money, to: "other/money.contract.yaml")
        #expect(throws: DiffSide.Unusable.self) {
            try DiffSides("git:main", folder.path("other"), options(folder))
        }
    }

    @Test(arguments: [
        ("git:", "`` is not the name of a commit"),
        ("git:--upload-pack=touch", "`--upload-pack=touch` is not the name of a commit"),
        ("git:-h", "`-h` is not the name of a commit"),
        ("git:main..HEAD", "`main..HEAD` is not the name of a commit"),
        ("git:no-such", "the repository has no commit `no-such`"),
        ("git:main:gone.contract.yaml", "`git:main` has no contract `gone.contract.yaml`"),
        ("git:main:/etc/passwd", "`/etc/passwd` is not a path in a commit"),
        ("git:main:../other", "`../other` is not a path in a commit"),
        ("git:main:contracts/../../other", "`contracts/../../other` is not a path in a commit"),
    ]) func aSideThatNamesNothingIsRefusedInClearWords(_ argument: String, _ message: String) throws {
        let folder = try repository()
        #expect(refusal(argument, options(folder)) == ["\(argument): \(message)"])
    }

    @Test func aFolderWithoutARepositoryHasNoCommits() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.money, to: "contracts/money.contract.yaml")
        #expect(refusal("git:main", options(folder)) == ["git:main: this folder is not in a git repository"])
        #expect(
            refusal(folder.path("gone.contract.yaml"), options(folder)).first?.hasSuffix(
                "there is no contract or folder `\(folder.path("gone.contract.yaml"))`") == true)
    }

    @Test func theErrorsOfASideAreThoseOfItsCommit() throws {
        let folder = try repository()
        try folder.write(
            Self.shop.replacing("response: Price", with: "response: Prize"), to: "contracts/shop.contract.yaml")
        try Self.commit("Second", in: folder)
        try folder.write(Self.shop, to: "contracts/shop.contract.yaml")
        let found = refusal("git:main", options(folder))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("git:main:contracts/shop.contract.yaml:6:") == true, "\(found)")
        #expect(try DiffSide.read("git:main~1", options(folder)).contracts.count == 1)
    }

    @Test func bothSidesReportTheirProblemsTogether() throws {
        let folder = try repository()
        do throws(DiffSide.Unusable) {
            _ = try DiffSides("git:no-such", folder.path("gone"), options(folder))
            Issue.record("nothing is there")
        } catch {
            #expect(error.findings.map(\.rule) == ["unusable-history", "missing-file"])
        }
    }

    @Test func aCommitAloneHasTheContractsOfTheOtherSide() throws {
        let folder = try repository()
        try folder.write(Self.money, to: "contracts/money.contract.yaml")
        try Self.commit("Second", in: folder)
        let sides = try DiffSides("git:main", folder.path("contracts/shop.contract.yaml"), options(folder))
        #expect(sides.old.contracts.map(\.file) == ["contracts/shop.contract.yaml"])
    }

    @Test func twoContractsOfOneServiceAreNoSide() throws {
        let folder = try repository()
        try folder.write(Self.shop, to: "contracts/other.contract.yaml")
        let found = refusal(folder.path("contracts"), options(folder))
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("two contracts have the service name `Shop`") == true, "\(found)")
    }

    @Test func aDocumentIsImported() throws {
        let folder = try repository()
        let side = try DiffSide.read(folder.path("api.json"), options(folder))
        #expect(side.document != nil)
        #expect(side.contracts.first?.resolved?.endpoints.map(\.name.value) == ["getItem"])
        let old = try DiffSide.read("git:main:api.json", options(folder))
        #expect(old.contracts.first?.resolved?.endpoints.map(\.name.value) == ["getItem"])
        #expect(Array(old.sources.keys) == ["git:main:api.json"])
    }

    @Test func aDocumentTakesTheNameOfTheServiceThatItIsComparedWith() throws {
        let folder = try repository()
        let shop = folder.path("contracts/shop.contract.yaml")
        let sides = try DiffSides("git:main:api.json", shop, options(folder))
        #expect(sides.old.contracts.first?.resolved?.service.value == "Shop")
        let reversed = try DiffSides(shop, folder.path("api.json"), options(folder))
        #expect(reversed.new.contracts.first?.resolved?.service.value == "Shop")
    }

    @Test func aBrokenDocumentIsNoSide() throws {
        let folder = try repository()
        try folder.write(#"{"openapi": "3.1.0", "info": [}"#, to: "api.json")
        let found = refusal(folder.path("api.json"), options(folder))
        #expect(!found.isEmpty && !found.contains { $0.hasPrefix("read:") }, "\(found)")
    }
}
