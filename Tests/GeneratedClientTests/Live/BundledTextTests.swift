import Foundation
import TestServices
import Testing

/// A program whose bundle has texts shows them in the user's language, without any setting.
@Suite struct BundledTextTests {
    private static let languages = [
        "en": "Gifts for {price} coins are too dear.", "de": "Das Geschenk kostet {price} Münzen.",
        "pt-BR": "Você precisa de {price} moedas.",
    ]

    @Test func theUsersLanguageDecides() async throws {
        let server = try await FaultServer(
            otherwise: .status(200, body: #"{"code": 4020, "msg": "No.", "data": {"price": 200}}"#))
        let folder = FileManager.default.temporaryDirectory.appending(path: "BundledTexts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appending(path: "MessageTeller")
        let built = try BuiltProgram.named("MessageTeller")
        // A link of the same file is in the folder, as a copy would be.
        do {
            try FileManager.default.linkItem(at: built, to: program)
        } catch {
            try FileManager.default.copyItem(at: built, to: program)
        }
        let contract = "You need 200 coins for this gift."
        #expect(try await message(of: program, server, ["LANG": "de_DE.UTF-8"]) == contract)
        for (language, text) in Self.languages {
            let resources = folder.appending(path: language + ".lproj")
            try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
            let file = """
                /* Error of Live. The app does not offer to try again. The app puts the error's data in place of {price}.
                   Text: "You need {price} coins for this gift." */
                "Live.notEnoughCoins" = "\(text)";

                """
            try Data(file.utf8).write(to: resources.appending(path: "Localizable.strings"))
        }
        for (environment, language) in [
            (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "en_US.UTF-8", "LANGUAGE": "fr:de"], "de"),
            (["LC_ALL": "pt_BR"], "pt-BR"), (["LANG": "C"], "en"), (["LANG": "fr_FR.UTF-8"], "en"),
        ] {
            let text = try #require(Self.languages[language]).replacingOccurrences(of: "{price}", with: "200")
            #expect(try await message(of: program, server, environment) == text, "\(environment)")
        }
        // A placeholder without data is left out, with the blank before it.
        await server.otherwise(.status(200, body: #"{"code": 4020, "msg": "No."}"#))
        #expect(try await message(of: program, server, ["LANG": "de_AT.UTF-8"]) == "Das Geschenk kostet Münzen.")
        await server.stop()
    }

    private func message(
        of program: URL, _ server: FaultServer, _ environment: [String: String]
    ) async throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = [server.url]
        var own = ProcessInfo.processInfo.environment
        for name in ["LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"] { own[name] = nil }
        process.environment = own.merging(environment) { $1 }
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
