public import ErrandRuntime
public import Foundation

/// Texts for people in the bundle of an app: a string catalog that `errand texts` keeps up to date, or strings files.
///
///     let settings = DispatcherSettings(localize: BundleTexts.localization(in: .main, table: "Errors"))
///
/// On Linux, these are strings files (`de.lproj/Localizable.strings`), and the user's languages are those of the environment
/// (`LC_ALL`, `LANG`, `LANGUAGE`).
///
/// A dispatcher of `Dispatcher()` takes those of the main bundle and of the table `Localizable`.
public enum BundleTexts {
    /// Looks the text for a key up in a bundle, in the user's language.
    ///
    /// - Parameters:
    ///   - bundle: the bundle with the catalog.
    ///   - table: the name of the catalog's file without its extension; nil for `Localizable`.
    /// - Returns: a function that gives nil for a key that the catalog lacks.
    public static func localization(
        in bundle: Bundle = .main, table: String? = nil
    ) -> DispatcherSettings.Localization {
        let table = BundleTable(bundle, table: table ?? "Localizable")
        return { key, _ in table.text(key) }
    }
}
