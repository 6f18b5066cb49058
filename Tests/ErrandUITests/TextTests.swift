import ErrandRuntime
import Foundation
import Testing

@testable import ErrandUI

/// The words of presentations.
@Suite struct TextTests {
    @Test func everyKeyHasATextInEveryLanguage() {
        for (language, table) in BuiltInTexts.languages {
            #expect(table.keys.sorted() == BuiltInTexts.keys, "\(language)")
            #expect(!table.values.contains(""), "\(language)")
        }
        for kind in CommandFault.Kind.allCases { #expect(BuiltInTexts.english["errand.\(kind.rawValue)"] != nil) }
    }

    /// `ERRAND_RECORD=1` writes it anew.
    @Test func theCatalogHasTheSameTexts() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/Runtime/ErrandUI/Texts/Errand.xcstrings")
        let wanted = Self.catalog()
        if ProcessInfo.processInfo.environment["ERRAND_RECORD"] != nil {
            try wanted.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("recorded")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == wanted, "ERRAND_RECORD=1 records it")
        let read = try JSONSerialization.jsonObject(with: Data(wanted.utf8)) as? [String: Any]
        #expect(read?["sourceLanguage"] as? String == "en")
        #expect((read?["strings"] as? [String: Any])?.count == BuiltInTexts.keys.count)
    }

    /// The catalog as Xcode writes it.
    private static func catalog() -> String {
        func quoted(_ text: String) -> String {
            "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
        }
        let strings = BuiltInTexts.keys.map { key in
            let comment = BuiltInTexts.comments[key] ?? "Message: the runtime's own text for `\(key.dropFirst(7))`."
            let texts = BuiltInTexts.languages.keys.sorted().map { language in
                """
                        "\(language)" : {
                          "stringUnit" : {
                            "state" : "translated",
                            "value" : \(quoted(BuiltInTexts.languages[language]?[key] ?? ""))
                          }
                        }
                """
            }
            return """
                    \(quoted(key)) : {
                      "comment" : \(quoted(comment)),
                      "extractionState" : "manual",
                      "localizations" : {
                \(texts.joined(separator: ",\n"))
                      }
                    }
                """
        }
        return """
            {
              "sourceLanguage" : "en",
              "strings" : {
            \(strings.joined(separator: ",\n"))
              },
              "version" : "1.0"
            }

            """
    }

    @Test func theUsersFirstLanguageThatIsThereIsTaken() {
        let cases: [([String], String)] = [
            (["de-AT"], "Anmelden"), (["de_DE.UTF-8"], "Anmelden"), (["fr", "de"], "Anmelden"), (["fr"], "Log In"),
            ([], "Log In"), (["en-GB", "de"], "Log In"),
        ]
        for (languages, wanted) in cases {
            #expect(PresentationTexts(languages: languages).text("errand.action.logIn") == wanted, "\(languages)")
        }
        #expect(UserLanguages.named(in: ["LANG": "de_DE.UTF-8"]) == ["de_DE.UTF-8"])
        #expect(UserLanguages.named(in: ["LC_ALL": "C.UTF-8", "LANGUAGE": "de"]).isEmpty)
        #expect(UserLanguages.named(in: ["LANG": "fr_FR", "LANGUAGE": "de:en"]).first == "de")
        #expect(UserLanguages.named(in: [:]).isEmpty)
    }

    @Test func onlyErrandsOwnTextsAreReplaced() {
        let german = PresentationTexts(languages: ["de"], lookup: { $0 == "errand.offline" ? "Kein Netz." : nil })
        #expect(german.message(of: CommandFault(.offline).context) == "Kein Netz.")
        #expect(german.message(of: CommandFault(.unreachable).context) == "Der Server ist nicht erreichbar.")
        #expect(german.message(of: CommandFault(.rejected, message: "Nicht so.").context) == "Nicht so.")
        let declared = FailureContext(name: "frozen", message: "Eingefroren.", service: "Bank")
        #expect(german.message(of: declared) == "Eingefroren.")
        #expect(german.localize("errand.timedOut", CommandFault(.timedOut).context.message) != nil)
        #expect(german.localize("errand.timedOut", "The bank's own words") == nil)
    }

    /// A server's text goes to a terminal and to a screen reader.
    @Test func whatAServerSaysIsMadeFitForAScreen() {
        let hostile = "\u{1B}]0;title\u{7}\u{1B}[2JLook\r\nhere\u{202E}txet\u{0}\u{9B}31m 👩\u{200D}👩\u{200D}👧"
        let shown = DisplayText.paragraph(hostile)
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        #expect(!shown.contains("\u{202E}") && shown.contains("👩\u{200D}👩\u{200D}👧") && shown.contains("Look\nhere"))
        #expect(shown == "Look\nheretxet 👩\u{200D}👩\u{200D}👧")
        #expect(DisplayText.line("a\nb\r\nc\u{2028}d") == "a b c d")
        #expect(DisplayText.paragraph(String(repeating: "ä\n", count: 9_999)).split(separator: "\n").count <= 12)
        #expect(DisplayText.paragraph(String(repeating: "x", count: 9_999)).count == DisplayText.limit + 1)
    }
}
