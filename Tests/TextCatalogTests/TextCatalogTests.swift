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
            .appendingPathComponent("../../Sources/ErrandUI/Texts/Errand.xcstrings")
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

    // MARK: Strings files

    @Test func aStringsFileIsKept() throws {
        let file = """
            // Of the app.
            "title" = "Konten"; /* behind */ unquoted.key = plain;

            /* A comment of its own.

               Text: "Your account is frozen." */
            "Bank.frozen" = "Das Konto ist \\"gesperrt\\".\\U00e4\\n";
            "alone";

            """
        let update = try update(.strings, file, changed("Your account was frozen."))
        #expect(update.changed == ["Bank.frozen"] && update.added == ["Bank.poor"])
        #expect(
            update.text.hasPrefix(
                "// Of the app.\n\"title\" = \"Konten\"; /* behind */ unquoted.key = plain;\n\n/* Error of Bank."))
        let entries = try StringsFile(Array(update.text.utf8)).entries
        #expect(entries.map(\.key) == ["title", "unquoted.key", "Bank.frozen", "alone", "Bank.poor"])
        #expect(entries[2].value == "Das Konto ist \"gesperrt\".ä\n" && entries[3].value == "alone")
        #expect(
            entries[2].comment?.contains("The text was \"Your account is frozen.\" when this was translated.") == true)
        // The mark stays until a person removes it, with the text that was translated.
        let next = try self.update(.strings, update.text, changed("Your account has been frozen."))
        let again = try StringsFile(Array(next.text.utf8)).entries
        #expect(
            again[2].comment?.contains("The text was \"Your account is frozen.\" when this was translated.") == true)
        #expect(again[2].comment?.contains("Text: \"Your account has been frozen.\"") == true)
        #expect(again[2].value == entries[2].value)
    }

    /// People write between Errand's comment and the key. The comment stays that of the key, so the change is seen.
    @Test(arguments: ["/* mine */\n", "// mine\n", "\n", "/* mine */\n\n// mine\n"])
    func whatPeopleWriteBelowErrandsCommentHidesNothing(_ own: String) throws {
        let first = try update(.strings, nil).text
        let file = first.replacing(
            "\"Bank.frozen\" = \"Your account is frozen.\"", with: own + "\"Bank.frozen\" = \"Gesperrt.\"")
        #expect(file != first)
        #expect(try update(.strings, file).text == file)
        let second = try update(.strings, file, changed("It was frozen."))
        #expect(second.changed == ["Bank.frozen"])
        #expect(second.text.contains("Text: \"It was frozen.\"") && second.text.contains(own + "\"Bank.frozen\" ="))
        #expect(!second.text.contains("Text: \"Your account is frozen.\""), "\(second.text)")
    }

    @Test func aTextThatWasNotTranslatedFollowsTheContract() throws {
        let first = try update(.strings, nil)
        let second = try update(.strings, first.text, changed("Another text */ with an end."))
        #expect(second.changed == ["Bank.frozen"] && !second.text.contains("The text was"))
        let entries = try StringsFile(Array(second.text.utf8)).entries
        #expect(entries.map(\.value) == ["Another text */ with an end.", "You do not have enough money."])
        #expect(try update(.strings, second.text, changed("Another text */ with an end.")).text == second.text)
    }

    @Test func aFileInUTF16IsRead() throws {
        let text = "\"Bank.frozen\" = \"Gesperrt 🔒\";\n"
        let bytes: [UInt8] =
            [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(try StringsFile(bytes).entries.map(\.value) == ["Gesperrt 🔒"])
        let update = try CatalogFormat.strings.update(bytes, with: texts, of: ["Bank"], language: "en")
        #expect(update.text.contains("Gesperrt 🔒") && update.added == ["Bank.poor"])
    }

    /// Reports show lines of the text, and not of its bytes.
    @Test func placesAreThoseOfTheDecodedText() throws {
        let text = "\"titel\" = \"Übersicht\";\n/* 🔒 */ \"Bank.frozen\" = \"Gesperrt\";\n"
        let little: [UInt8] = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big: [UInt8] = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let forms: [[UInt8]] = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big,
        ]
        for bytes in forms {
            let update = try CatalogFormat.strings.update(bytes, with: texts, of: ["Bank"], language: "en")
            let source = CatalogFormat.strings.source(of: bytes)
            #expect(source == Array(text.utf8))
            let place = try #require(update.places["Bank.frozen"])
            #expect(source.dropFirst(place).starts(with: "\"Bank.frozen\"".utf8))
        }
        #expect(CatalogFormat.strings.source(of: [0xFF]) == [0xFF] && CatalogFormat.json.source(of: [0xEF]) == [0xEF])
    }

    @Test func linesEndAsTheyDidInTheFile() throws {
        let file = "\"title\" = \"Konten\";\r\n\"Bank.frozen\" = \"Gesperrt\";\r\n"
        let update = try update(.strings, file)
        let lines = update.text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 9 && lines.dropLast().allSatisfy { $0.last == "\r" }, "\(lines.count) \(update.text)")
        #expect(try self.update(.strings, update.text).text == update.text)
    }

    /// Foundation reads what this code writes.
    @Test func foundationReadsTheSame() throws {
        let hostile =
            "a \"b\" \\ \n\t\r \u{1} \u{B} \u{C} \u{85} \u{2028} \u{2029} 🔒 */ /* // \\U0041 %@ ; */\u{301} \"\u{301}"
        let update = try update(
            .strings, nil, [ContractText(key: "Bank.x", text: hostile, comment: "*/ // */\u{301} \"a\" = \"b\";")])
        // No line of the comment ends in the middle of the text.
        #expect(update.text.split(whereSeparator: \.isNewline).count == 3, "\(update.text)")
        let read = try PropertyListSerialization.propertyList(from: Data(update.text.utf8), format: nil)
        #expect(read as? [String: String] == ["Bank.x": hostile])
        #expect(try StringsFile(Array(update.text.utf8)).entries.map(\.value) == [hostile])
    }

    @Test(arguments: [
        ("\"a\" = \"b\"", 9), ("\"a\" = ;", 6), ("\"a", 0), ("/* a", 0), ("= 1;", 0), ("\"a\" = \"\\Uzz\";", 9),
        ("\"ä\" \"b\";", 5), ("\"\\Ud83d\" = b;", 0),
    ])
    func whatIsNoStringsFileIsRefused(_ text: String, _ offset: Int) {
        let problem = #expect(throws: CatalogProblem.self) { try update(.strings, text) }
        #expect(problem?.offset == offset, "\(problem?.message ?? "")")
    }

    @Test func bytesWithoutATextAreRefused() {
        for bytes: [UInt8] in [[0xFF], [0xFF, 0xFE, 0x00], [0xFF, 0xFE, 0x3D, 0xD8], [0xC3]] {
            #expect(throws: CatalogProblem.self) { try StringsFile(bytes) }
        }
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

    @Test func linesOfTranslatorsStayInAStringsFile() throws {
        let file = """
            /* Error of Bank. The old doc.
               Text: "Your account is frozen."
               Ask the lawyers.

               Two sentences at most. */
            "Bank.frozen"   /* no period */ = "Gesperrt" ; // short
            /* Mine alone. */
            "Bank.poor" = "Kein Geld";

            """
        let update = try update(.strings, file, changed("It is frozen."))
        #expect(
            update.text == """
                /* Error of Bank.
                   Text: "It is frozen."
                   The text was "Your account is frozen." when this was translated. Remove this line after a review.
                   Ask the lawyers.
                   
                   Two sentences at most. */
                "Bank.frozen"   /* no period */ = "Gesperrt" ; // short
                /* Error of Bank. * / "Quoted"
                   Text: "You do not have enough money."
                   Mine alone. */
                "Bank.poor" = "Kein Geld";

                """, "\(update.text)")
        #expect(try self.update(.strings, update.text, changed("It is frozen.")).text == update.text)
    }

    /// Only a whole text in quotes makes a line one of Errand.
    @Test func linesOfTranslatorsBeginAsTheyLike() throws {
        let own = [
            "Text: as short as possible", "Text: \"konto\" is too short", "The text was \"Gesperrt\" in the old app.",
            "The text was checked by Ada.", "No contract has this key any more. Or does one?",
        ]
        let file = "/* \(own.joined(separator: "\n   ")) */\n\"Bank.frozen\" = \"Gesperrt\";\n"
        for texts in [changed("It is frozen."), changed("It was frozen."), [texts[1]], [texts[1]]] {
            let update = try update(.strings, file, texts)
            for line in own { #expect(update.text.contains(line), "\(line): \(update.text)") }
            let next = try self.update(.strings, update.text, texts)
            #expect(next.text == update.text, "\(next.text)")
            guard update.unused == ["Bank.frozen"] else { continue }
            #expect(update.text.contains("   No contract has this key any more. */"))
        }
    }

    @Test func aValueIsReplacedAlone() throws {
        let file = "/* Text: \"Your account is frozen.\" */\n  \"Bank.frozen\"  =\n\"Your account is frozen.\"  ;\n"
        let update = try update(.strings, file, changed("It is frozen."))
        #expect(update.text.contains("  \"Bank.frozen\"  =\n\"It is frozen.\"  ;\n"), "\(update.text)")
    }

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
