import ContractModel
import Foundation
import JSONTree
import Testing

@testable import TextCatalog

/// What translators have done stays, and what the contract has changed is marked.
@Suite struct TextCatalogTests {
    private let texts = [
        ContractText(key: "Bank.frozen", text: "Your account is frozen.", comment: "Error of Bank."),
        ContractText(key: "Bank.poor", text: "You do not have enough money.", comment: "Error of Bank. */ \"Quoted\""),
    ]

    private func update(
        _ format: CatalogFormat, _ existing: String?, _ texts: [ContractText]? = nil, services: [String] = ["Bank"]
    ) throws -> CatalogUpdate {
        try format.update(existing.map { Array($0.utf8) }, with: texts ?? self.texts, of: services, language: "en")
    }

    private func changed(_ text: String) -> [ContractText] {
        [ContractText(key: "Bank.frozen", text: text, comment: "Error of Bank."), texts[1]]
    }

    @Test(arguments: CatalogFormat.allCases)
    func aSecondRunChangesNothing(_ format: CatalogFormat) throws {
        let first = try update(format, nil)
        #expect(first.added == ["Bank.frozen", "Bank.poor"] && first.changed.isEmpty && first.unused.isEmpty)
        let second = try update(format, first.text)
        #expect(second.text == first.text && second.added.isEmpty && second.changed.isEmpty && second.unused.isEmpty)
        for text in texts {
            let place = try #require(second.places[text.key])
            #expect(first.text.utf8.dropFirst(place).starts(with: "\"\(text.key)\"".utf8))
        }
    }

    @Test(arguments: CatalogFormat.allCases)
    func oneMoreErrorIsAddedAndAnotherServiceIsLeftAlone(_ format: CatalogFormat) throws {
        let first = try update(format, nil, [texts[1]])
        let second = try update(format, first.text)
        #expect(second.added == ["Bank.frozen"])
        let both = [ContractText(key: "Shop.soldOut", text: "Sold out.", comment: "Error of Shop.")]
        let third = try update(format, second.text, both, services: ["Shop"])
        #expect(third.added == ["Shop.soldOut"] && third.unused.isEmpty)
        let fourth = try update(format, third.text, [texts[0]])
        #expect(fourth.added.isEmpty && fourth.unused == ["Bank.poor"])
        #expect(fourth.text.contains("You do not have enough money."))
        // It is reported in each run, and marked once.
        let fifth = try update(format, fourth.text, [texts[0]])
        #expect(fifth.text == fourth.text && fifth.unused == ["Bank.poor"])
    }

    // MARK: String catalogs

    private let catalog = """
        {
          "sourceLanguage" : "en",
          "strings" : {
            "Bank.frozen" : {
              "extractionState" : "stale",
              "localizations" : {
                "de" : {"stringUnit" : {"state" : "translated", "value" : "Das Konto ist gesperrt."}},
                "en" : {"stringUnit" : {"state" : "translated", "value" : "Your account is frozen."}},
                "fr" : {"variations" : {"device" : {
                  "mac" : {"stringUnit" : {"state" : "translated", "value" : "Le compte est bloqué."}},
                  "other" : {"stringUnit" : {"state" : "new", "value" : ""}}}}}
              },
              "shouldTranslate" : true
            },
            "title" : {}
          },
          "version" : "1.1",
          "of another tool" : [1.50, null]
        }
        """

    @Test func aChangedTextMarksItsTranslations() throws {
        let update = try update(.xcstrings, catalog, changed("Your account was frozen."))
        #expect(update.changed == ["Bank.frozen"] && update.added == ["Bank.poor"])
        let root = try #require(JSONNode.parsed(Array(update.text.utf8)))
        let entry = try #require(root["strings"]?["Bank.frozen"])
        #expect(entry["extractionState"] == .string("manual") && entry["shouldTranslate"] == .bool(true))
        let localizations = try #require(entry["localizations"])
        #expect(localizations["en"]?["stringUnit"]?["value"] == .string("Your account was frozen."))
        #expect(localizations["de"]?["stringUnit"]?["state"] == .string("needs_review"))
        #expect(localizations["de"]?["stringUnit"]?["value"] == .string("Das Konto ist gesperrt."))
        let french = localizations["fr"]?["variations"]?["device"]
        #expect(french?["mac"]?["stringUnit"]?["state"] == .string("needs_review"))
        #expect(french?["other"]?["stringUnit"]?["state"] == .string("new"))
        // What is not of the contract stays, in its order.
        #expect(root["strings"]?.members?.map(\.name) == ["Bank.frozen", "Bank.poor", "title"])
        #expect(root["of another tool"] == .array([.number("1.50"), .null]) && root["version"] == .string("1.1"))
    }

    @Test func theSameTextMarksNothing() throws {
        let update = try update(.xcstrings, catalog)
        #expect(update.changed.isEmpty)
        #expect(update.text.contains("Das Konto ist gesperrt.") && !update.text.contains("needs_review"))
    }

    /// A text with variations is a person's work, and cannot be compared.
    @Test func variationsOfTheTextStay() throws {
        let own = catalog.replacingOccurrences(
            of: #""en" : {"stringUnit" : {"state" : "translated", "value" : "Your account is frozen."}}"#,
            with: #""en" : {"variations" : {"device" : {"mac" : {"stringUnit" : {"state" : "new", "value" : "A"}}}}}"#)
        let update = try update(.xcstrings, own, changed("Another text."))
        #expect(update.changed.isEmpty && !update.text.contains("Another text."))
    }

    @Test func aLanguageOfTheCatalogIsItsOwn() throws {
        let german = catalog.replacingOccurrences(of: #""sourceLanguage" : "en""#, with: #""sourceLanguage" : "de""#)
        let update = try update(.xcstrings, german)
        let entry = try #require(JSONNode.parsed(Array(update.text.utf8))?["strings"]?["Bank.poor"])
        #expect(entry["localizations"]?.members?.map(\.name) == ["de"])
    }

    /// Xcode must not write the whole file anew, so the layout is that of a catalog that Xcode has written.
    @Test func theLayoutIsThatOfXcode() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Runtime/ErrandUI/Texts/Errand.xcstrings")
        let text = try String(contentsOf: path, encoding: .utf8)
        let node = try #require(JSONNode.parsed(Array(text.utf8)))
        #expect(node.lines.split(separator: "\n") == text.split(separator: "\n"))
    }

    @Test(arguments: [
        ("", 0), ("[]", 0), ("{}", 0), (#"{"sourceLanguage": "en", "strings": {"a": }}"#, 42),
        (#"{"sourceLanguage": "en", "strings": []}"#, 0),
        (#"{"sourceLanguage": "en", "strings": {"Bank.frozen": 1}}"#, 0),
        (String(repeating: "[", count: 100_000), JSONParser.deepest),
    ])
    func whatIsNoCatalogIsRefused(_ text: String, _ offset: Int) {
        let problem = #expect(throws: CatalogProblem.self) { try update(.xcstrings, text) }
        #expect(problem?.offset == offset, "\(problem?.message ?? "")")
    }

    /// Xcode makes a string catalog of a strings file.
    @Test func aStringsFileIsNoFormat() {
        #expect(CatalogFormat(path: "de.lproj/Localizable.strings") == nil)
        #expect(CatalogFormat.help(for: "de.lproj/Localizable.strings").contains("Xcode converts"))
        #expect(!CatalogFormat.help(for: "texts.csv").contains("Xcode"))
    }

    // MARK: JSON

    @Test func aTranslationInJSONStays() throws {
        let update = try update(.json, #"{"z": 1, "Bank.frozen": "Gesperrt", "Bank.old": "Alt"}"#)
        #expect(update.added == ["Bank.poor"] && update.unused == ["Bank.old"] && update.changed.isEmpty)
        let read = try JSONSerialization.jsonObject(with: Data(update.text.utf8)) as? [String: Any]
        #expect(read?["Bank.frozen"] as? String == "Gesperrt" && read?["z"] as? Int == 1)
        #expect(read?["Bank.frozen@text"] as? String == "Your account is frozen.")
        #expect(update.places["Bank.old"] == #"{"z": 1, "Bank.frozen": "Gesperrt", "#.utf8.count)
    }

    private func strings(_ text: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }

    /// The contract's text is beside each entry, so that another one is found, and marked where the entry is translated.
    @Test func aChangedTextIsMarkedInJSON() throws {
        let first = try update(.json, nil)
        let german = first.text.replacing(
            "\"Bank.frozen\" : \"Your account is frozen.\"", with: "\"Bank.frozen\" : \"Gesperrt\"")
        #expect(german != first.text)
        let others = [changed("It is frozen.")[0], ContractText(key: "Bank.poor", text: "No money.", comment: "")]
        let second = try update(.json, german, others)
        #expect(second.changed == ["Bank.frozen", "Bank.poor"])
        #expect(
            try strings(second.text) == [
                "Bank.frozen": "Gesperrt", "Bank.frozen@text": "It is frozen.",
                "Bank.frozen@was": "Your account is frozen.", "Bank.poor": "No money.", "Bank.poor@text": "No money.",
            ])
        // The mark has the text that was translated, and stays until a person removes it.
        let third = try update(.json, second.text, [changed("Frozen.")[0], others[1]])
        #expect(try strings(third.text)["Bank.frozen@was"] == "Your account is frozen.")
        #expect(third.changed == ["Bank.frozen"])
        #expect(try update(.json, third.text, [changed("Frozen.")[0], others[1]]).text == third.text)
        // What is beside an entry goes with it.
        let without = third.text.replacing("  \"Bank.frozen\" : \"Gesperrt\",\n", with: "")
        #expect(try strings(update(.json, without, [others[1]]).text).keys.sorted() == ["Bank.poor", "Bank.poor@text"])
    }

    /// Each look-up went through all members.
    @Test func aLargeCatalogIsUpdatedAtOnce() throws {
        let many = (0..<20_000).map { ContractText(key: "Bank.error\($0)", text: "Text \($0).", comment: "") }
        let first = try update(.json, nil, many.sorted { $0.key < $1.key })
        #expect(first.added.count == many.count)
        let start = ContinuousClock.now
        let second = try update(.json, first.text, [many[0]] + texts)
        #expect(second.unused.count == many.count - 1 && second.added == texts.map(\.key))
        #expect(start.duration(to: .now) < .seconds(30))
    }

    @Test func unknownPlaceholdersAreBounded() {
        var update = CatalogUpdate(text: "")
        let all = (0..<50_000).map { "{p\($0)}" }.joined()
        update.check(all, of: texts[0])
        update.check(all, of: texts[1])
        #expect(update.unknownPlaceholders.count == CatalogUpdate.mostPlaceholders)
        #expect(update.unknownPlaceholders.first == .init(key: "Bank.frozen", name: "p0"))
    }

    // MARK: Comments of people

    @Test func linesOfTranslatorsStayInAStringCatalog() throws {
        for (comment, kept) in [
            ("Error of Bank. The old doc.\nAsk the lawyers.", "Error of Bank.\nAsk the lawyers."),
            ("Mine alone.", "Error of Bank.\nMine alone."), ("Error of Bank.", "Error of Bank."),
        ] {
            var root = try #require(JSONNode.parsed(Array(catalog.utf8)))
            var strings = try #require(root["strings"])
            var entry = try #require(strings["Bank.frozen"])
            entry["comment"] = .string(comment)
            strings["Bank.frozen"] = entry
            root["strings"] = strings
            let first = try update(.xcstrings, root.lines)
            let read = try #require(JSONNode.parsed(Array(first.text.utf8)))
            #expect(read["strings"]?["Bank.frozen"]?["comment"] == .string(kept))
            #expect(try update(.xcstrings, first.text).text == first.text)
        }
    }
}
