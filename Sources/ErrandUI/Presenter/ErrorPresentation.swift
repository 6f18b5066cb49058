public import ErrandRuntime

/// One thing that is shown to a person about something that went wrong.
///
/// A value is complete: it has its texts and its buttons. An adapter draws it and passes the chosen button on.
public struct ErrorPresentation: Sendable, Hashable, Identifiable {
    /// Identifies the presentation among all of its presenter. It stays the same while texts change.
    public let id: Int
    /// What it is about, in a few words.
    public let title: String
    /// The text for people.
    public let message: String
    /// What a developer wants to see: the error's name, status and code. Nil in builds for release.
    public let technicalLine: String?
    /// What is to be done about the error.
    public let category: ErrorCategory
    /// The error's name: as the contract declares it, or that of a built-in one.
    public let name: String
    /// How many errors the presentation stands for. Above 1 only for errors that the app has raised.
    public let count: Int
    /// The buttons, in the order of their importance. There is at least one.
    public let buttons: [PresentationButton]
    /// How it is meant to be shown.
    public let style: PresentationStyle

    /// Title and message in one text, for assistive technologies and for plain output.
    public var announcement: String { title.isEmpty ? message : "\(title). \(message)" }
}

/// A button of a presentation.
public struct PresentationButton: Sendable, Hashable, Identifiable {
    /// What it does.
    public let action: PresentationAction
    /// What it says.
    public let title: String

    public var id: PresentationAction { action }
    /// Whether it only takes the presentation away.
    public var isCancel: Bool { action == .dismiss }
}

/// What a person can do about an error.
public enum PresentationAction: String, Sendable, Hashable, CaseIterable {
    /// What failed is tried again.
    case retry
    /// The login screen is shown, and what failed is tried again after a login.
    case logIn
    /// What failed ends with its error.
    case dismiss
}

/// How a presentation is meant to be shown.
public enum PresentationStyle: String, Sendable, Hashable, CaseIterable {
    /// A line beside the content, which stays usable: for a cause that can end by itself.
    case banner
    /// A question that has to be answered before anything else.
    case alert
    /// A page of its own above the content. No presentation has it unless the app asks for it.
    case sheet
}

/// What one place shows now.
public struct PresentedState: Sendable, Hashable {
    /// The presentation on the screen; nil for none.
    public internal(set) var presentation: ErrorPresentation?
    /// Whether a person has chosen to log in, and the login screen is to be shown above the content.
    public internal(set) var isLoginWanted = false

    public init() {}
}

extension ErrorPresentation {
    /// The message, with what a developer wants to see below it.
    var text: String { technicalLine.map { "\(message)\n[\($0)]" } ?? message }
}
