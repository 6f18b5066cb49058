import ErrandSemantics

/// The names that Swift and generated code need for themselves. No name of a contract may become one of them, or it is spelled
/// with backticks or with its module.
package enum ReservedNames {
    /// Words that Swift reads as something else somewhere; backticks make them names, and do no harm where not needed.
    package static let keywords: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case", "catch", "class",
        "consume", "consuming", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each", "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "inout", "internal", "is", "isolated", "let", "macro", "nil", "nonisolated", "open", "operator", "package",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "sending", "some",
        "static", "struct", "subscript", "super", "switch", "then", "throw", "throws", "true", "try", "typealias",
        "unsafe", "var", "where", "while", "yield",
    ]

    /// Words that Swift does not take as a member's name, or that mean something else after a dot.
    package static let forbidden: Set<String> = ["self", "Self", "init", "Type", "Protocol", "Any"]

    /// Whether a name is one of ``forbidden``. Most are of another length, which is quicker to see.
    package static func isForbidden(_ identifier: String) -> Bool {
        (forbiddenLengths >> identifier.utf8.count) & 1 == 1 && forbidden.contains(identifier)
    }

    /// A bit for each length.
    private static let forbiddenLengths = forbidden.reduce(0 as UInt64) { $0 | 1 << UInt64($1.utf8.count) }

    /// Names of the modules that generated code spells out.
    package static let modules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "ErrandJSON", "ErrandRuntime", "ErrandTransport",
        "ErrandDigests", "ErrandXML", "ErrandDurable", "ErrandConnections",
    ]

    /// Types of the runtime that generated code names without their module, since no contract needs these words.
    package static let runtimeTypes: Set<String> = [
        "CalendarDate", "DateOrTimestamp",
        "CheckedCommand", "CommandFailure", "CommandFault", "DecisionTable", "DeclaredName",
        "EndpointDescription", "EnvelopeDescription",
        "ErrorDescription", "ErrorMatch", "FailureContext", "FailureDetails", "FilePart", "HeaderCommand", "JSONError",
        "JSONKeys",
        "JSONCodable", "JSONReadable", "JSONReader", "JSONText", "JSONTokens", "JSONValue", "JSONWritable",
        "JSONWriter", "OpenedStream", "BodySource", "ResponseStream", "StreamCommand", "StreamDescription",
        "IdentityCommand", "LoginCommand", "LogoutCommand", "Nullable", "OutcomeCommand", "PagedCommand", "PageMark",
        "Redacted", "Redaction", "RefreshCommand",
        "RequestCheck",
        "RequestEncoder", "RetryRule", "ServiceBinding", "ServiceClient", "ServerRole", "ServiceDescription",
        "SessionPlacement",
        "SessionTokens", "SigningRule", "ChecksumRule", "RateLimitRule", "SystemXML", "XMLBody", "XMLDescription",
        "XMLMember",
        "XMLTypes",
    ]

    /// The same for a contract with a connection. In any other, they are free.
    package static let connectionTypes: Set<String> = [
        "AttachCommand", "ConnectionDescription", "FrameDescription", "ResumableCommand", "ServerEvent",
        "StreamPosition", "UnpositionedCommand",
    ]

    /// Types of the standard library that generated code cannot do without, under names that say little else.
    package static let standardTypes: Set<String> = [
        "CustomMirror", "Hashable", "Mirror", "Sendable", "StaticString", "Void",
    ]

    /// Types that contracts like to name after as well; beside such a name they are spelled with their module.
    package static let qualifiable: [String: String] = [
        "String": "Swift", "Bool": "Swift", "Int": "Swift", "Int32": "Swift", "Int64": "Swift", "UInt": "Swift",
        "UInt8": "Swift", "Double": "Swift", "Float": "Swift",
        "CaseIterable": "Swift", "Codable": "Swift", "CustomReflectable": "Swift", "Equatable": "Swift",
        "Identifiable": "Swift",
        "Decimal": "Foundation", "Date": "Foundation", "UUID": "Foundation", "URL": "Foundation",
    ]

    /// Members of every client, beside the contract's types.
    package static let clientTypes: Set<String> = [
        "Server", "Failure", "Common", "Command", "Response", "Element", "Service", "DecisionTables", "Envelopes",
        "XMLShapes",
    ]
    package static let clientMembers: Set<String> = [
        "binding", "service", "send", "stream", "result", "reply", "responding", "dispatcher", "session",
    ]

    /// The labels of the client's initializer.
    package static let clientLabels: Set<String> = ["on", "session", "common"]

    /// Members of every command.
    package static let commandTypes: Set<String> = ["Response", "Service", "Failure", "Completed", "PageElement"]
    /// Members of every failure.
    package static let failureCases: Set<String> = ["fault", "shared", "unconfirmed", "category"]
    /// Errors that every endpoint has.
    package static let builtInErrors = Set(BuiltInError.allCases.map(\.rawValue))
    /// Members of every enum and union.
    package static let enumCases: Set<String> = ["unrecognized", "tokens", "knownCases", "allCases"]

    /// Whether a type of the client's namespace cannot have this name.
    package static func isReservedType(_ identifier: String, hasConnection: Bool = false) -> Bool {
        isForbidden(identifier) || modules.contains(identifier) || runtimeTypes.contains(identifier)
            || standardTypes.contains(identifier) || hasConnection && connectionTypes.contains(identifier)
    }
}
