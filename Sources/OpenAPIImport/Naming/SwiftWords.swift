/// Names that generated code needs for itself. The linter refuses them in a contract; an import chooses others. A test
/// holds that none is missing here.
enum SwiftWords {
    static let forbidden: Set<String> = ["self", "Self", "init", "Type", "Protocol", "Any"]

    /// Names that a type of a contract cannot have, folded.
    static let types: Set<String> = Set(
        [
            "Swift", "Foundation", "FoundationEssentials", "ErrandJSON", "ErrandRuntime", "ErrandURLSession",
            "ErrandDigests", "ErrandXML", "SystemXML", "XMLBody", "XMLDescription", "XMLMember", "XMLShapes",
            "XMLTypes",
            "CalendarDate", "DateOrTimestamp",
            "CheckedCommand", "CommandFailure", "CommandFault", "DecisionTable", "DeclaredName",
            "EndpointDescription", "EnvelopeDescription", "ErrorDescription", "ErrorMatch", "FailureContext",
            "FailureDetails", "FilePart", "JSONFault", "JSONKeys", "JSONCodable", "JSONReadable", "JSONReader",
            "JSONText", "JSONTokens", "JSONValue", "JSONWritable", "JSONWriter", "HeaderCommand", "IdentityCommand",
            "LoginCommand",
            "LogoutCommand",
            "Nullable", "OutcomeCommand", "Redacted", "Redaction", "RefreshCommand", "RequestCheck", "RequestEncoder",
            "RetryRule", "ServerRole", "ServiceBinding", "ServiceClient", "ServiceDescription", "SessionPlacement",
            "SessionTokens",
            "SigningRule", "ChecksumRule", "RateLimitRule", "CustomMirror", "Hashable", "Mirror", "Sendable",
            "StaticString", "Void",
            "Server",
            "Failure", "WriteFailure",
            "Common", "Command", "Response", "Service", "DecisionTables", "Envelopes", "None", "BodySource", "Element",
            "OpenedStream", "PageMark", "PagedCommand", "ResponseStream", "StreamCommand", "StreamDescription",
        ].map(NameText.folded) + forbidden.map(NameText.folded))

    /// Names that a service cannot have.
    static let services: Set<String> = Set(
        [
            "String", "Bool", "Int", "Int32", "Int64", "UInt", "UInt8", "Double", "Float", "CaseIterable", "Codable",
            "CustomReflectable", "Equatable", "Identifiable", "Decimal", "Date", "UUID", "URL", "Session", "Dispatcher",
            "Command", "Receipt", "Reply",
        ].map(NameText.folded))

    static let clientMembers: Set<String> = [
        "binding", "service", "send", "result", "reply", "responding", "dispatcher", "session", "with", "stubbed",
        "raise", "stream",
    ]
    static let failureCases: Set<String> = ["fault", "shared", "unconfirmed", "category"]
    static let enumCases: Set<String> = ["unrecognized", "tokens", "knowncases", "allcases", "custommirror"]

    /// The errors that every endpoint has, which no declared error is called.
    static let builtInErrors: Set<String> = [
        "invalidrequest", "bodychanged", "localstoragefull", "localfault", "offline", "unreachable", "connectionlost",
        "timedout", "insecure", "throttled",
        "requesttimeout", "unavailable", "serverfault", "unauthenticated", "sessionended", "rejected", "malformed",
        "cancelled",
    ]
}
