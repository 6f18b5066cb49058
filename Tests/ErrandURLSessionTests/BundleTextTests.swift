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

    @Test func aDispatcherOfTheSystemsTransportTakesThemUnlessTheAppHasItsOwn() {
        #expect(Dispatcher().settings.localize != nil)
        let own = Dispatcher(settings: DispatcherSettings(localize: { _, _ in "mine" }))
        #expect(own.settings.localize?("Live.noSuchRoom", "x") == "mine")
    }
}
