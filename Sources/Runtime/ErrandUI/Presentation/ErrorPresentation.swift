public import ErrandRuntime

/// One thing that is shown to a person about something that went wrong.
///
/// A value is complete: it has its texts and its buttons. An adapter draws it and passes the chosen button on.
public struct ErrorPresentation: Sendable, Hashable, Identifiable {
    /// Identifies the presentation among all of its presenter. It stays the same while texts change.
    public let id: Int
    /// The subject, in a few words.
    public let title: String
    /// The text for people.
    public let message: String
    /// The line for developers: the error's name, status and code. Nil in builds for release.
    public let technicalLine: String?
    /// The action that the error calls for.
    public let category: ErrorCategory
    /// The error's name: as the contract declares it, or that of a built-in one.
    public let name: String
    /// The number of errors that the presentation combines. Above 1 only for errors that the app has raised.
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
    /// The button's action.
    public let action: PresentationAction
    /// The button's text.
    public let title: String

    public var id: PresentationAction { action }
    /// Whether it only takes the presentation away.
    public var isCancel: Bool { action == .dismiss }
}

/// An action that a person can choose for an error.
public enum PresentationAction: String, Sendable, Hashable, CaseIterable {
    /// The failed command is tried again.
    case retry
    /// The login screen is shown, and what failed is tried again after a login.
    case logIn
    /// The failed command ends with its error.
    case dismiss
}

/// How a presentation is meant to be shown.
public enum PresentationStyle: String, Sendable, Hashable, CaseIterable {
    /// A line beside the content, which stays usable: for a cause that can end by itself.
    case banner
    /// A question that has to be answered before any other interaction.
    case alert
    /// A page of its own above the content. No presentation has it unless the app asks for it.
    case sheet
}

/// The content of one place at this time.
public struct PresentedState: Sendable, Hashable {
    /// The presentation on the screen; nil for none.
    public internal(set) var presentation: ErrorPresentation?
    /// Whether a person has chosen to log in, and the login screen is to be shown above the content. The screen logs in through
    /// ``ErrorPresenter/loginClient(_:)``.
    public internal(set) var isLoginWanted = false

    public init() {}
}

extension ErrorPresentation {
    /// The message, with what a developer wants to see below it.
    var text: String { technicalLine.map { "\(message)\n[\($0)]" } ?? message }
}
