public import ErrandRuntime
import Foundation

/// The words of presentations, in the user's language: titles, buttons, and Errand's own messages.
///
/// English and German are built in. For another language, or for words of its own, an app has a string catalog named
/// `Errand.xcstrings`: `Sources/Runtime/ErrandUI/Texts/Errand.xcstrings` has all keys to begin with. A key that the app's catalog lacks has
/// its built-in text.
///
/// Messages of a contract's errors are the app's: `DispatcherSettings.localize` gives them, by `FailureContext.messageKey`.
public struct PresentationTexts: Sendable {
    /// The app's own text for a key, or nil for the built-in one.
    public typealias Lookup = @Sendable (_ key: String) -> String?

    private let table: [String: String]
    private let lookup: Lookup

    /// The texts in the first of the user's languages that there are texts in, the app's own first.
    public static let preferred = PresentationTexts(languages: UserLanguages.preferred, lookup: { ofTheApp.text($0) })

    /// - Parameters:
    ///   - languages: language codes (BCP 47), the preferred one first. English where none of them is built in.
    ///   - lookup: the app's own texts.
    public init(languages: [String], lookup: @escaping Lookup = { _ in nil }) {
        let known = languages.lazy.compactMap { BuiltInTexts.languages[UserLanguages.base(of: $0)] }.first
        table = known ?? BuiltInTexts.english
        self.lookup = lookup
    }

    /// The text for a key; the key itself if no text exists.
    public func text(_ key: String) -> String { lookup(key) ?? table[key] ?? BuiltInTexts.english[key] ?? key }

    /// For `DispatcherSettings.localize`: the texts of Errand's own failures, for an app that shows them without a presenter.
    public var localize: DispatcherSettings.Localization {
        { key, text in BuiltInTexts.english[key] == text ? self.text(key) : nil }
    }

    // MARK: Presentations

    func title(of action: PresentationAction) -> String { text("errand.action.\(action.rawValue)") }

    func title(_ importance: PresentationContent.Importance, _ category: ErrorCategory) -> String {
        switch importance {
        case .network: text("errand.title.offline")
        case .outage: text("errand.title.outage")
        case .session: text("errand.title.session")
        case .refusal: text(category == .retryable ? "errand.title.interrupted" : "errand.title.failed")
        }
    }

    /// The text that says how many further errors a presentation combines.
    func more(_ count: Int) -> String {
        text(count == 1 ? "errand.more.one" : "errand.more.other").replacingOccurrences(of: "%d", with: String(count))
    }

    /// A failure's message. Only a text that is Errand's own is replaced: the contract, the server and the app know better.
    func message(of context: FailureContext) -> String {
        // The keys of raised errors have the names of the app's types.
        let key = context.messageKey.hasPrefix("raised.") ? "errand.raised" : context.messageKey
        let isOwn = BuiltInTexts.english[key] == context.message || context.message.isEmpty
        return DisplayText.paragraph(
            isOwn ? text(BuiltInTexts.english[key] == nil ? "errand.raised" : key) : context.message)
    }

    /// As for the messages of a contract's errors (`BundleTexts`).
    private static let ofTheApp = BundleTable(.main, table: "Errand")
}
