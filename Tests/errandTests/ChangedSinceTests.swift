import Foundation
import Testing

/// `errand lint --changed-since git:REF` in real repositories: only what came since counts.
@Suite struct ChangedSinceTests {
    static let shop = """
        errand: 1
        service: Shop
        imports: [../shared/money.yaml]
        servers: {main: https://shop.example}
        defaults: {timeout: 10s}
        endpoints:
          getItem: {get: /getItem, response: Price}

        """
    static let money = "errand: 1\nservice: Money\ntypes:\n  Price: {amount: decimal}\nendpoints: {}\n"
    static let since = ["lint", "--fail-on", "note", "--changed-since"]

    /// A repository with one commit; `getItem` is a `verb-in-path` of old.
    private func repository() throws -> ProjectFolder {
        let folder = try ProjectFolder()
        try folder.write(Self.shop, to: "contracts/shop.contract.yaml")
        try folder.write(Self.money, to: "shared/money.yaml")
        try GitRepository.make(in: folder)
        try GitRepository.commit("First", in: folder)
        return folder
    }

    private func lint(_ reference: String, in folder: ProjectFolder, _ more: [String] = []) throws -> CommandRun {
        try CommandRun(Self.since + [reference] + more, in: folder.url)
    }

    @Test func whatWasThereDoesNotCountAndWhatCameDoes() throws {
        let folder = try repository()
        #expect(try CommandRun(["lint", "--fail-on", "note"], in: folder.url).status == 1)
        let same = try lint("git:HEAD", in: folder)
        #expect(
            same.status == 0 && same.output == "no problems in 1 contract, 1 from before\n",
            "\(same.output)\(same.complaints)")
        let text = Self.shop.replacingOccurrences(
            of: "endpoints:", with: "# moved down\n\nendpoints:\n  addItem: {post: /addItem, effect: idempotent}")
        try folder.write(text, to: "contracts/shop.contract.yaml")
        let changed = try lint("git:main", in: folder)
        #expect(
            changed.status == 1 && changed.output.contains("addItem") && !changed.output.contains("getItem"),
            "\(changed.output)")
        try GitRepository.commit("Second", in: folder)
        #expect(try lint("git:HEAD", in: folder).status == 0)
        #expect(try lint("git:HEAD~1", in: folder).status == 1)
    }

    @Test func aChangeOfAnImportedFileCountsWhereItHurts() throws {
        let folder = try repository()
        try folder.write(Self.money.replacingOccurrences(of: "Price", with: "Cost"), to: "shared/money.yaml")
        let run = try lint("git:HEAD", in: folder)
        #expect(
            run.status == 1 && run.output.contains("[unknown-type]") && !run.output.contains("[verb-in-path]"),
            "\(run.output)")
        try GitRepository.commit("Second", in: folder)
        #expect(try lint("git:HEAD", in: folder).status == 0, "errors that were there do not count either")
    }

    @Test(arguments: [true, false])
    func aContractThatMovedIsTheSame(_ isCommitted: Bool) throws {
        let folder = try repository()
        try FileManager.default.createDirectory(
            atPath: folder.path("contracts/goods"), withIntermediateDirectories: true)
        try FileManager.default.removeItem(atPath: folder.path("contracts/shop.contract.yaml"))
        let moved = Self.shop.replacingOccurrences(of: "../shared", with: "../../shared")
        try folder.write(
            moved + "  addItem: {post: /addItem, effect: idempotent}\n", to: "contracts/goods/store.contract.yaml")
        if isCommitted { try GitRepository.commit("Move", in: folder) }
        let run = try lint(isCommitted ? "git:HEAD~1" : "git:HEAD", in: folder)
        #expect(
            run.status == 1 && run.output.contains("addItem") && !run.output.contains("getItem"),
            "\(run.output)\(run.complaints)")
    }

    @Test func aNewContractCountsWhole() throws {
        let folder = try repository()
        try folder.write(
            "errand: 1\nservice: Mail\ndefaults: {timeout: 10s}\nendpoints:\n  getMail: {get: /getMail}\n",
            to: "contracts/mail.contract.yaml")
        let run = try lint("git:HEAD", in: folder)
        #expect(
            run.status == 1 && run.output.contains("mail.contract.yaml") && !run.output.contains("shop.contract.yaml"),
            "\(run.output)")
    }

    @Test func pathsAreOfTheRepositoryAndNotOfTheFolder() throws {
        let folder = try repository()
        let inside = folder.url.appendingPathComponent("shared")
        for path in ["../contracts", folder.path("contracts/shop.contract.yaml")] {
            let run = try CommandRun(Self.since + ["git:HEAD", path], in: inside)
            #expect(run.status == 0, "\(run.output)\(run.complaints)")
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.contract.yaml"), withDestinationPath: "contracts/shop.contract.yaml")
        #expect(try lint("git:HEAD", in: folder, ["link.contract.yaml"]).output.contains("outside-project"))
    }

    @Test func fixesAreOfWhatCame() throws {
        let folder = try repository()
        let old = Self.shop.replacingOccurrences(of: "response: Price}", with: "response: Price, retry: {base: 1s}}")
        try folder.write(old, to: "contracts/shop.contract.yaml")
        try GitRepository.commit("Second", in: folder)
        try folder.write(
            old + "  listItems: {get: /all, response: Price, retry: {base: 2s}}\n", to: "contracts/shop.contract.yaml")
        _ = try lint("git:HEAD", in: folder, ["--fix"])
        let text = try #require(folder.text("contracts/shop.contract.yaml"))
        #expect(text.contains("retry: {base: 1s}") && text.contains("retry: {attempts: 3, base: 2s}"), "\(text)")
    }

    @Test func saysWhyItCannotRun() throws {
        let folder = try repository()
        for (reference, says) in [
            ("git:nowhere", "the repository has no commit `nowhere`"), ("git:--all", "is not the name of a commit"),
            ("git:", "is not the name of a commit"),
            ("git:HEAD..main", "is not the name of a commit"), ("git:HEAD:shared", "the repository has no commit"),
            ("main", "takes git:REF"),
        ] {
            let run = try lint(reference, in: folder)
            #expect(
                run.status == 2 && run.output.isEmpty && run.complaints.contains(says),
                "\(reference): \(run.output)\(run.complaints)")
        }
        let both = try CommandRun(
            ["lint", "--changed-since", "git:HEAD", "--baseline", "b", "--update-baseline"], in: folder.url)
        #expect(both.status == 2)
        let noGit = try CommandRun(
            ["lint", "--changed-since", "git:HEAD"], in: folder.url, environment: ["PATH": "/nowhere"])
        #expect(noGit.status == 2 && noGit.complaints.contains("git cannot be run"), "\(noGit.complaints)")
        let other = try ProjectFolder()
        try other.write(Self.money, to: "contracts/money.contract.yaml")
        let outside = try lint("git:HEAD", in: folder, [other.path("contracts/money.contract.yaml")])
        #expect(
            outside.status == 2 && outside.complaints.contains("is outside the repository"), "\(outside.complaints)")
        let none = try lint("git:HEAD", in: other)
        #expect(
            none.status == 2 && none.complaints.contains("this folder is not in a git repository"), "\(none.complaints)"
        )
    }

    @Test func aShallowCloneSaysWhatToFetch() throws {
        let folder = try repository()
        try folder.write(Self.money + "# second\n", to: "shared/money.yaml")
        try GitRepository.commit("Second", in: folder)
        let clones = try ProjectFolder()
        try GitRepository.run(
            ["clone", "--quiet", "--depth", "1", "file://" + folder.url.path, "clone"], in: clones.url)
        let run = try CommandRun(Self.since + ["git:HEAD~1"], in: clones.url.appendingPathComponent("clone"))
        #expect(run.status == 2 && run.complaints.contains("fetch-depth: 0"), "\(run.complaints)")
        #expect(try CommandRun(Self.since + ["git:HEAD"], in: clones.url.appendingPathComponent("clone")).status == 0)
    }
}
