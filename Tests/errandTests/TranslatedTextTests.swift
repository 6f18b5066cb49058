import Foundation
import TestServices
import Testing

/// A text on its whole way: from the message of a contract into a file of `errand texts`, through a translator's hands, into a bundle,
/// and from there through the generated client to a person.
@Suite struct TranslatedTextTests {
    private static let contract = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("contracts/live.contract.yaml")

    @Test func aTranslationReachesThePerson() async throws {
        let folder = try ProjectFolder()
        let strings = "de.lproj/Localizable.strings"
        func update() throws -> String {
            let run = try CommandRun(["texts", Self.contract.path, "-o", strings], in: folder.url)
            #expect(run.status == 0, "\(run.complaints)")
            return try #require(folder.text(strings))
        }
        let text = #""Live.notEnoughCoins" = "You need {price} coins for this gift.";"#
        let written = try update()
        #expect(written.contains(text), "\(written)")
        let translated = written.replacingOccurrences(
            of: text, with: #""Live.notEnoughCoins" = "Das Geschenk kostet {price} Münzen.";"#)
        try folder.write(translated, to: strings)
        #expect(try update() == translated)

        let program = folder.url.appendingPathComponent("MessageTeller")
        let built = try CommandRun.tool().deletingLastPathComponent().appendingPathComponent("MessageTeller")
        do {
            try FileManager.default.linkItem(at: built, to: program)
        } catch {
            try FileManager.default.copyItem(at: built, to: program)
        }
        let server = try await FaultServer()
        func told(_ body: String, _ language: String) async throws -> String {
            await server.otherwise(.status(200, body: body))
            return try await Self.output(of: program, server.url, language)
        }
        let whole = #"{"code": 4020, "msg": "No.", "data": {"price": 200}}"#
        let missing = #"{"code": 4020, "msg": "No."}"#
        #expect(try await told(whole, "de_AT.UTF-8") == "Das Geschenk kostet 200 Münzen.")
        #expect(try await told(missing, "de_AT.UTF-8") == "Das Geschenk kostet Münzen.")
        // The bundle has no text in this language, so that of the contract is shown.
        #expect(try await told(whole, "it_IT.UTF-8") == "You need 200 coins for this gift.")
        #expect(try await told(missing, "it_IT.UTF-8") == "You need coins for this gift.")
        await server.stop()
    }

    private static func output(of program: URL, _ url: String, _ language: String) async throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = [url]
        var environment = ProcessInfo.processInfo.environment
        for name in ["LC_ALL", "LC_MESSAGES", "LANGUAGE"] { environment[name] = nil }
        environment["LANG"] = language
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        // The server is on the tasks of this process, of which none may be blocked.
        let output = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile())
            }
        }
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
