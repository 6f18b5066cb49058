import Foundation
import Testing

/// Git as a test uses it to make repositories.
enum GitRepository {
    static func make(in folder: ProjectFolder) throws {
        try run(["init", "--quiet", "--initial-branch", "main"], in: folder.url)
    }

    static func commit(_ message: String, in folder: ProjectFolder) throws {
        try run(["add", "--all", "--force"], in: folder.url)
        try run(
            [
                "-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "-c", "commit.gpgSign=false", "commit",
                "--quiet", "-m", message,
            ], in: folder.url)
    }

    static func run(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "git \(arguments)")
    }
}
