import Foundation
import Testing

/// `errand lint --changed-since` in checkouts of what a stranger has committed: git runs no program that a commit names.
@Suite struct StrangerRepositoryTests {
    static let shop = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        defaults: {timeout: 10s}
        endpoints:
          listItems: {get: /items, response: "[string]"}

        """

    /// A program that leaves a mark, at a path outside of the checkout.
    private static func marking(_ mark: String) -> String { "#!/bin/sh\ntouch '\(mark)'\nexit 1\n" }

    /// A clone of a repository with the files of a bare repository in `sub`, whose configuration names a command.
    private func checkout(_ configuration: (_ command: String, _ mark: String) -> String) throws -> (
        folder: ProjectFolder, checkout: URL, mark: String
    ) {
        let folder = try ProjectFolder()
        let mark = folder.path("mark")
        try folder.write(Self.marking(mark), to: "mark.sh")
        let origin = try ProjectFolder()
        try GitRepository.make(in: origin)
        try origin.write(Self.shop, to: "sub/shop.contract.yaml")
        try origin.write("ref: refs/heads/main\n", to: "sub/HEAD")
        try origin.write(String(repeating: "1234567890", count: 4) + "\n", to: "sub/refs/heads/main")
        try origin.write("", to: "sub/objects/kept")
        try origin.write(configuration("touch '\(mark)'; false", mark), to: "sub/config")
        try GitRepository.commit("First", in: origin)
        try GitRepository.run(["clone", "--quiet", origin.url.path, "checkout"], in: folder.url)
        return (folder, folder.url.appendingPathComponent("checkout"), mark)
    }

    private static let promisor = """
        [core]
            repositoryformatversion = 1
            bare = false
            worktree = .
        [extensions]
            partialClone = origin

        """

    @Test(arguments: ["sshCommand", "uploadpack", "ext", "fsmonitor", "alternateRefsCommand"])
    func aCommittedFolderIsNoRepository(_ way: String) throws {
        let (folder, checkout, mark) = try checkout { command, mark in
            let quoted = command.replacingOccurrences(of: "\"", with: "\\\"")
            let remote = "[remote \"origin\"]\n    promisor = true\n"
            return switch way {
            case "sshCommand":
                Self.promisor + "[core]\n    sshCommand = \"\(quoted)\"\n" + remote + "    url = ssh://shop.example/a\n"
            case "uploadpack": Self.promisor + remote + "    url = file:///nowhere\n    uploadpack = \"\(quoted)\"\n"
            case "ext":
                Self.promisor + "[protocol \"ext\"]\n    allow = always\n" + remote
                    + "    url = \"ext::sh -c touch% \(mark)\"\n"
            default: "[core]\n    bare = false\n    worktree = .\n    \(way) = \"\(quoted)\"\n"
            }
        }
        let run = try CommandRun(
            ["lint", "--changed-since", "git:HEAD"], in: checkout.appendingPathComponent("sub"),
            environment: ["HOME": folder.url.path])
        #expect(!FileManager.default.fileExists(atPath: mark), "the command was run")
        // The repository is the one around the folder, and the contract is one of its commit.
        #expect(run.status == 2 || run.status == 0, "\(run.output)\(run.complaints)")
    }

    /// A check that cannot fail says nothing: git without the tool's settings runs the command.
    @Test func theCommandRunsWhereGitIsCalledWithoutCare() throws {
        let (folder, checkout, mark) = try checkout { command, _ in
            Self.promisor + "[core]\n    sshCommand = \"\(command)\"\n"
                + "[remote \"origin\"]\n    promisor = true\n    url = ssh://shop.example/a\n"
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "rev-parse", "--verify", "HEAD^{commit}"]
        process.currentDirectoryURL = checkout.appendingPathComponent("sub")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        withExtendedLifetime(folder) { #expect(FileManager.default.fileExists(atPath: mark)) }
    }

    /// The configuration of the checkout itself is the person's. Still, nothing of it runs.
    @Test func theSettingsOfTheCheckoutRunNothingEither() throws {
        let folder = try ProjectFolder()
        let project = try ProjectFolder()
        let mark = folder.path("mark")
        try folder.write(Self.marking(mark), to: "mark.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path("mark.sh"))
        try GitRepository.make(in: project)
        try project.write(Self.shop, to: "contracts/shop.contract.yaml")
        try project.write("* diff=marked filter=marked\n", to: ".gitattributes")
        try GitRepository.commit("First", in: project)
        for (key, value) in [
            ("core.fsmonitor", folder.path("mark.sh")), ("core.hooksPath", folder.url.path),
            ("core.pager", folder.path("mark.sh")), ("pager.ls-tree", "true"),
            ("diff.external", folder.path("mark.sh")),
            ("diff.marked.textconv", folder.path("mark.sh")), ("filter.marked.smudge", folder.path("mark.sh")),
            ("core.sshCommand", folder.path("mark.sh")), ("core.editor", folder.path("mark.sh")),
        ] { try GitRepository.run(["config", key, value], in: project.url) }
        let run = try CommandRun(
            ["lint", "--changed-since", "git:HEAD"], in: project.url,
            environment: [
                "GIT_EXTERNAL_DIFF": folder.path("mark.sh"), "GIT_PAGER": folder.path("mark.sh"),
                "GIT_TRACE": folder.path("mark"), "GIT_DIR": folder.path("elsewhere"),
                "GIT_SSH": folder.path("mark.sh"),
                "GIT_WORK_TREE": folder.url.path, "LANG": "de_DE.UTF-8",
            ])
        #expect(run.status == 0, "\(run.output)\(run.complaints)")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    /// A program called `git` in the checkout is a stranger's.
    @Test func gitIsFoundInAbsoluteFoldersOutsideTheCheckout() throws {
        let project = try ProjectFolder()
        let folder = try ProjectFolder()
        let mark = folder.path("mark")
        try GitRepository.make(in: project)
        try project.write(Self.shop, to: "contracts/shop.contract.yaml")
        for place in ["git", "bin/git"] {
            try project.write(Self.marking(mark), to: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: project.path(place))
        }
        try GitRepository.commit("First", in: project)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for first in [".", "", "bin", "./bin", project.path("bin"), project.path("contracts/../bin")] {
            let run = try CommandRun(
                ["lint", "--changed-since", "git:HEAD"], in: project.url, environment: ["PATH": first + ":" + path])
            #expect(run.status == 0, "\(first): \(run.output)\(run.complaints)")
            #expect(!FileManager.default.fileExists(atPath: mark), "PATH=\(first)")
        }
        let none = try CommandRun(
            ["lint", "--changed-since", "git:HEAD"], in: project.url, environment: ["PATH": ".:bin"])
        #expect(none.status == 2 && none.complaints.contains("git cannot be run"), "\(none.complaints)")
    }

    /// What a commit refers to outside the repository is not read from the disk.
    @Test func anEarlierImportFromOutsideIsRefused() throws {
        let project = try ProjectFolder()
        try project.write(
            "errand: 1\nservice: S\ntypes: {Token: {word: hunter2}}\nendpoints: {}\n", to: "outside/s.yaml")
        try project.write(
            Self.shop.replacing("service", with: "imports: [../../outside/s.yaml]\nservice"),
            to: "checkout/contracts/shop.contract.yaml")
        let checkout = project.url.appendingPathComponent("checkout")
        try GitRepository.run(["init", "--quiet", "--initial-branch", "main"], in: checkout)
        try GitRepository.run(["add", "--all"], in: checkout)
        try GitRepository.run(
            ["-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "--quiet", "-m", "First"], in: checkout)
        let run = try CommandRun(["lint", "--changed-since", "git:HEAD"], in: checkout)
        #expect(run.status == 0 && run.output.contains("from before"), "\(run.output)\(run.complaints)")
        let allowed = try CommandRun(
            ["lint", "--changed-since", "git:HEAD", "--fail-on", "error", "--allow-folder", "../outside"], in: checkout)
        #expect(!(run.output + allowed.output).contains("hunter2"), "\(allowed.output)")
    }
}
