import Foundation

/// The user's languages.
package enum UserLanguages {
    /// BCP 47 codes or names of POSIX locales, the preferred one first.
    package static var preferred: [String] {
        #if canImport(Darwin)
        // The languages of the app that the user prefers, so that the whole screen has one language.
        Bundle.main.preferredLocalizations
        #else
        named(in: ProcessInfo.processInfo.environment)
        #endif
    }

    /// The languages that an environment names (POSIX.1-2017, section 8.2; `LANGUAGE` is GNU's list).
    package static func named(in environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        if ["C", "POSIX"].contains(where: { locale == $0 || locale.hasPrefix($0 + ".") }) { return [] }
        return (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
    }

    /// The language of a code or of a locale, without its region.
    package static func base(of language: String) -> String {
        String(language.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }).lowercased()
    }
}

/// The texts of a table in a bundle, in the user's language.
///
/// Apple's systems look them up in the compiled string catalog. On other systems, Foundation takes the English texts whatever the
/// user's language is, so the strings files are read here, once.
package final class BundleTable: Sendable {
    private let bundle: Bundle
    private let table: String
    private let languages: [String]
    private let texts = LockedState<[String: String]?> { nil }

    package init(_ bundle: Bundle, table: String, languages: [String]? = nil) {
        self.bundle = bundle
        self.table = table
        self.languages = languages ?? UserLanguages.preferred
    }

    /// The text for a key; nil if the table lacks it.
    package func text(_ key: String) -> String? {
        #if canImport(Darwin)
        // The value for a missing key.
        let text = bundle.localizedString(forKey: key, value: "\u{0}", table: table)
        return text == "\u{0}" || text == key ? nil : text
        #else
        let all = texts.withLock { texts -> [String: String] in
            let known = texts ?? readTexts()
            texts = known
            return known
        }
        return all[key].flatMap { $0 == key ? nil : $0 }
        #endif
    }

    /// The texts of the first of the user's languages that has the table, else those of the bundle's own language.
    private func readTexts() -> [String: String] {
        let available = bundle.localizations
        // `Bundle.developmentLocalization` ends the process on Linux if the bundle names none (Swift 6.3).
        let own = bundle.object(forInfoDictionaryKey: "CFBundleDevelopmentRegion") as? String
        for localization in Self.order(of: available, for: languages, own: own) {
            let file = bundle.url(
                forResource: table, withExtension: "strings", subdirectory: nil, localization: localization)
            if let texts = file.flatMap(Self.strings) { return texts }
        }
        return bundle.url(forResource: table, withExtension: "strings").flatMap(Self.strings) ?? [:]
    }

    private static func strings(_ file: URL) -> [String: String]? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: String]
    }

    /// The localizations to look at: for each of the user's languages the one with its region, then the one of its script, then the one
    /// without, then one of another region. A script that the user may not read comes last.
    static func order(of available: [String], for languages: [String], own: String?) -> [String] {
        func normalized(_ name: String) -> String {
            name.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-").lowercased()
        }
        var order: [String] = []
        for language in languages + [own, "en", "Base"].compactMap({ $0 }) {
            let base = UserLanguages.base(of: language)
            order += available.filter { normalized($0) == normalized(language) }
            let script = Self.script(of: normalized(language))
            let alike = available.filter { UserLanguages.base(of: $0) == base }.sorted()
            let readable = alike.filter { Self.script(of: normalized($0)) == script }
            order += readable.filter { normalized($0) == "\(base)-\(script)" }
            order += readable.filter { normalized($0) == base }
            order += readable + alike
        }
        return order
    }

    /// The script of a code in lowercase: the one that it names, or that of Chinese in its region; nothing for others.
    private static func script(of code: String) -> String {
        let parts = code.split(separator: "-").map(String.init)
        if let script = parts.dropFirst().first(where: { $0.count == 4 && $0.allSatisfy(\.isLetter) }) { return script }
        guard parts.first == "zh" else { return "" }
        return parts.contains { ["tw", "hk", "mo"].contains($0) } ? "hant" : "hans"
    }
}
