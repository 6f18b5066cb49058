import ErrandTransport
import Foundation
import Testing

@testable import ErrandRuntime

/// The texts of an app's bundle come before those of the contract.
@Suite struct BundleTextTests {
    @Test func aBundleHasTextsForSomeKeys() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "BundleTexts-\(UUID().uuidString).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        let resources = folder.appending(path: "en.lproj")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        let file = #"""
            /* Error of Live. */
            "Live.notEnoughCoins" = "Only {price} coins buy this \"gift\".";
            "Live.same" = "Live.same";

            """#
        try Data(file.utf8).write(to: resources.appending(path: "Errors.strings"))
        let bundle = try #require(Bundle(path: folder.path))

        let texts = BundleTexts.localization(in: bundle, table: "Errors")
        #expect(texts("Live.notEnoughCoins", "You need coins.") == #"Only {price} coins buy this "gift"."#)
        #expect(texts("Live.noSuchRoom", "This room is closed.") == nil)
        // A catalog whose text is the key has no text.
        #expect(texts("Live.same", "x") == nil)
        #expect(BundleTexts.localization(in: bundle)("Live.notEnoughCoins", "x") == nil)
        #expect(BundleTexts.localization()("Live.notEnoughCoins", "x") == nil)
    }

    @Test func theNearestLocalizationComesFirst() {
        func first(_ available: [String], _ languages: [String], own: String? = nil) -> String? {
            BundleTable.order(of: available, for: languages, own: own).first
        }
        let available = ["en", "fr", "de", "de-AT", "pt-BR", "zh_TW"]
        #expect(first(available, ["de_AT.UTF-8", "en"]) == "de-AT")
        #expect(first(available, ["de_CH@euro"]) == "de")
        #expect(first(available, ["it", "fr-CA"]) == "fr")
        #expect(first(available, ["pt_PT"]) == "pt-BR")
        #expect(first(available, ["zh-tw"]) == "zh_TW")
        // Chinese of a region is in the script of that region, and another script comes last.
        let chinese = ["en", "zh-Hans", "zh-Hant"]
        for language in ["zh_TW.UTF-8", "zh-HK", "zh_MO", "zh-Hant-SG"] {
            #expect(first(chinese, [language]) == "zh-Hant", "\(language)")
        }
        for language in ["zh_CN.UTF-8", "zh-SG", "zh", "zh-Hans-HK"] {
            #expect(first(chinese, [language]) == "zh-Hans", "\(language)")
        }
        #expect(first(["en", "zh", "zh_HK"], ["zh_TW"]) == "zh_HK")
        #expect(first(["en", "zh-Hans"], ["zh_TW"]) == "zh-Hans")
        #expect(first(["de", "sr", "sr-Latn"], ["sr_RS"]) == "sr")
        #expect(first(["sr", "sr-Latn"], ["sr-Latn-ME"]) == "sr-Latn")
        #expect(first(available, [], own: "fr") == "fr" && first(available, ["it"]) == "en")
        #expect(first(["de"], ["it"]) == nil)
    }

    #if !canImport(Darwin)
    @Test func stringsFilesAreReadInTheUsersLanguage() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "BundleTable-\(UUID().uuidString).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        for language in ["en", "de", "ja"] {
            let resources = folder.appending(path: language + ".lproj")
            try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
            let text = "\"key\" = \"in \(language)\";\n" + (language == "en" ? "\"more\" = \"more\";\n" : "")
            // Xcode writes UTF-16, and older files have a byte order mark.
            let encoding = language == "ja" ? String.Encoding.utf16 : .utf8
            try #require(text.data(using: encoding)).write(to: resources.appending(path: "Errors.strings"))
        }
        // A file that cannot be read is as none.
        try FileManager.default.createDirectory(
            at: folder.appending(path: "fr.lproj"), withIntermediateDirectories: true)
        try Data("oops = ;".utf8).write(to: folder.appending(path: "fr.lproj/Errors.strings"))
        let bundle = try #require(Bundle(path: folder.path))
        for (language, text) in [("de_DE", "in de"), ("ja", "in ja"), ("fr", "in en"), ("it", "in en")] {
            #expect(BundleTable(bundle, table: "Errors", languages: [language]).text("key") == text, "\(language)")
        }
        #expect(BundleTable(bundle, table: "Errors", languages: ["de"]).text("more") == nil)
        #expect(BundleTable(bundle, table: "Other", languages: ["de"]).text("key") == nil)
    }
    #endif

    @Test func aDispatcherOfTheSystemsTransportTakesThemUnlessTheAppHasItsOwn() {
        #expect(Dispatcher().settings.localize != nil)
        let own = Dispatcher(settings: DispatcherSettings(localize: { _, _ in "mine" }))
        #expect(own.settings.localize?("Live.noSuchRoom", "x") == "mine")
    }
}
