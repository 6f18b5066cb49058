import Foundation
import Testing

/// `errand diff` with commits, accepted breaks and versions, as a process in real repositories.
@Suite struct DiffSideCommandTests {
    private static let old = """
        errand: 1
        service: Shop
        version: 1.2.0
        servers: {main: https://shop.example}
        endpoints:
          order: {post: /orders, body: {item: int}, response: {number: int}}

        """
    private static let broken = old.replacingOccurrences(of: "{number: int}", with: "{number: string}")

    /// A repository with the old contract on `main`, and another one in its folder.
    private func repository(_ new: String) throws -> ProjectFolder {
        let folder = try ProjectFolder()
        try folder.write(Self.old, to: "contracts/shop.contract.yaml")
        try GitRepository.make(in: folder)
        try GitRepository.commit("First", in: folder)
        try folder.write(new, to: "contracts/shop.contract.yaml")
        return folder
    }

    @Test func aCommitIsComparedWithTheContractsOfToday() throws {
        let folder = try repository(Self.broken)
        for arguments in [
            ["git:main"], ["git:main", "contracts"], ["git:HEAD:contracts", "contracts/shop.contract.yaml"],
        ] {
            let run = try CommandRun(["diff"] + arguments, in: folder.url)
            #expect(run.status == 1, "\(arguments): \(run.complaints)")
            #expect(
                run.output.hasPrefix(
                    "contracts/shop.contract.yaml:6:56: error: `endpoints.order.response.number` changes"),
                "\(run.output)")
        }
    }

    @Test func whatIsGoneIsShownInItsCommit() throws {
        let folder = try repository(
            Self.old.replacingOccurrences(of: "  order:", with: "  buy:").replacingOccurrences(
                of: "/orders", with: "/buy"))
        let run = try CommandRun(["diff", "git:main"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.output.contains("git:main:contracts/shop.contract.yaml:6:"), "\(run.output)")
        #expect(run.output.contains("    6 |   order: {post: /orders"), "the excerpt is of the commit: \(run.output)")
    }

    @Test(arguments: ["git:no-such", "git:--help", "git:", "git:main:gone.yaml", "gone.yaml"])
    func aSideThatIsNotThereEndsWith2(_ side: String) throws {
        let folder = try repository(Self.old)
        let run = try CommandRun(["diff", side, "contracts"], in: folder.url)
        #expect(run.status == 2, "\(run.output)")
        #expect(run.complaints.contains(side) && run.output.isEmpty, "\(run.complaints)")
    }

    @Test func anAcceptedBreakDoesNotFailUntilItsDayIsOver() throws {
        let folder = try repository(Self.broken)
        let signing = try CommandRun(
            ["diff", "git:main", "--sign-off", "no app uses it", "--expires", "2999-12-31"], in: folder.url)
        #expect(signing.status == 0, "\(signing.output)\(signing.complaints)")
        let run = try CommandRun(["diff", "git:main"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.output.contains("note: signed off until 2999-12-31: no app uses it"), "\(run.output)")
        #expect(run.output.hasSuffix("nothing breaks, 1 signed off (1 change in 1 service)\n"), "\(run.output)")
        let file = folder.url.appendingPathComponent(".errand-signoffs.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacingOccurrences(of: "2999-12-31", with: "2020-12-31").utf8).write(to: file)
        let expired = try CommandRun(["diff", "git:main"], in: folder.url)
        #expect(expired.status == 1)
        #expect(expired.output.contains("[expired-sign-off]") && expired.output.contains("[wire-break]"))
    }

    @Test func aSignOffWithoutItsBreakIsAFinding() throws {
        let folder = try repository(Self.broken)
        _ = try CommandRun(["diff", "git:main", "--sign-off", "agreed", "--expires", "2999-12-31"], in: folder.url)
        try folder.write(Self.old, to: "contracts/shop.contract.yaml")
        let run = try CommandRun(["diff", "git:main"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.output.contains("[unused-sign-off]"), "\(run.output)")
    }

    @Test(arguments: [
        ["--sign-off", "agreed"], ["--expires", "2999-12-31"], ["--sign-off", " ", "--expires", "2999-12-31"],
        ["--sign-off", "agreed", "--expires", "soon"], ["--sign-off", "agreed", "--expires", "2020-12-31"],
    ]) func aSignOffNeedsAReasonAndADay(_ arguments: [String]) throws {
        let folder = try repository(Self.broken)
        let run = try CommandRun(["diff", "git:main"] + arguments, in: folder.url)
        #expect(run.status == 2 || run.status == 64, "\(run.status)")
        #expect(
            !FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(".errand-signoffs.yaml").path))
    }

    @Test func theNextVersionIsSuggestedAndChecked() throws {
        let folder = try repository(Self.broken)
        let suggested = try CommandRun(["diff", "git:main", "--suggest-version"], in: folder.url)
        #expect(suggested.output == "Shop 1.2.0 → 2.0.0\n")
        let checked = try CommandRun(["diff", "git:main", "--check"], in: folder.url)
        #expect(checked.output.contains("contracts/shop.contract.yaml:3:10: error: the version `1.2.0` is too low"))
        #expect(checked.output.contains("[version-too-low]"))
        let new = Self.broken.replacingOccurrences(of: "1.2.0", with: "2.0.0")
        try folder.write(new, to: "contracts/shop.contract.yaml")
        let right = try CommandRun(["diff", "git:main", "--check"], in: folder.url)
        #expect(!right.output.contains("[version-too-low]"), "\(right.output)")
    }

    @Test func aDraftMayBreak() throws {
        let draft = Self.old.replacingOccurrences(of: "version: 1.2.0", with: "version: 1.2.0\nstability: draft")
        let folder = try repository(draft)
        try GitRepository.commit("Second", in: folder)
        try folder.write(
            draft.replacingOccurrences(of: "{number: int}", with: "{number: string}"),
            to: "contracts/shop.contract.yaml")
        let run = try CommandRun(["diff", "git:main", "--check"], in: folder.url)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("note: a draft may break"), "\(run.output)")
    }
}
