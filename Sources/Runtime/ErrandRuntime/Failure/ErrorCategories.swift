/// An app's categories of errors that aren't its own: those of the system, of a database, of another package. The app keeps
/// this value and passes it to `ErrorCategory(of:using:)`.
public struct ErrorCategories: Sendable {
    private var rules: [@Sendable (any Error) -> ErrorCategory?] = []

    /// Creates a value without categories.
    public init() {}

    /// The same with one more type of error. It is asked before those that were added earlier.
    ///
    /// - Parameter category: nil if nothing is to be said of this error. One that knows its category by
    ///   itself (`CategorizedError`) is not asked about.
    public func adding<Failure: Error>(
        _ type: Failure.Type, _ category: @escaping @Sendable (Failure) -> ErrorCategory?
    ) -> ErrorCategories {
        var categories = self
        // A cast to a type of its own also finds what another language threw, as `NSError` on Apple's systems.
        categories.rules.insert({ error in (error as? Failure).flatMap(category) }, at: 0)
        return categories
    }

    func category(of error: any Error) -> ErrorCategory? {
        for rule in rules {
            if let category = rule(error) { return category }
        }
        return nil
    }
}

extension TransportFault {
    /// The built-in error for it, if no row of the contract names the condition.
    var builtIn: CommandFault.Kind {
        let known =
            kind == .requestBody
            ? (underlying as? BodySourceError)?.builtIn
            : (underlying as? ProxyError)?.builtIn ?? (underlying as? PinError)?.builtIn
                ?? (underlying as? ClientCertificateError)?.builtIn
        return known ?? connection?.builtIn ?? kind.builtIn
    }
}

extension ProxyError {
    /// The built-in error for it; nil if the kind of the fault decides.
    fileprivate var builtIn: CommandFault.Kind? {
        switch self {
        case .malformed, .unsupported: .invalidRequest
        // A login at the service would not help.
        case .refusedCredentials: .rejected
        case .unreachable, .refusedConnection: nil
        }
    }
}

extension PinError {
    /// The built-in error for it; nil if the kind of the fault decides.
    fileprivate var builtIn: CommandFault.Kind? {
        switch self {
        case .malformed, .unsupported, .withoutTLS: .invalidRequest
        case .otherKey: nil
        }
    }
}

extension ClientCertificateError {
    /// The built-in error for it; nil if the kind of the fault decides.
    fileprivate var builtIn: CommandFault.Kind? {
        switch self {
        case .demanded, .refused: nil
        default: .invalidRequest
        }
    }
}

extension BodySourceError {
    /// The built-in error for it.
    var builtIn: CommandFault.Kind {
        switch self {
        case .fileChanged: .bodyChanged
        case .unreadableFile, .sourceFailed, .compressionFailed: .localFault
        case .wrongLength, .alreadyRead, .tooLargeForTransport: .invalidRequest
        }
    }
}

/// A transport's fault has the category of the built-in error that it leads to, regardless of contracts.
extension TransportFault: CategorizedError {
    public var category: ErrorCategory { builtIn.category }
}

extension ErrorCategory {
    /// The category of any error: its own if it has one, else what the app says of it, else `nonRetryable`.
    /// (The latter is correct for `CancellationError` too: a caller that cancels does not want a repetition.)
    ///
    /// In builds with `DEBUG`, a line on standard error names each type of error that only has the default.
    ///
    /// - Parameter categories: what the app says of errors that are not its own.
    public init(of error: any Error, using categories: ErrorCategories = ErrorCategories()) {
        if let known = (error as? any CategorizedError)?.category ?? categories.category(of: error) {
            self = known
        } else {
            self = .nonRetryable
            Self.noteUncategorized(error)
        }
    }

    /// Tells the developer of an error whose category is only a default.
    private static func noteUncategorized(_ error: any Error) {
        guard DeveloperNotice.isEnabled, !(error is CancellationError) else { return }
        let type = "\(Swift.type(of: error))"
        DeveloperNotice.say(
            "category \(type)",
            """
            `\(type)` has no category, so it counts as `nonRetryable`: people are not offered to try again. \
            Conform `\(type)` to `CategorizedError`, or add it to the `ErrorCategories` that you pass.
            """)
    }
}

/// An error that knows what is to be done about it. The failures of all commands do; an app's own
/// errors may.
public protocol CategorizedError: Error {
    var category: ErrorCategory { get }
}
