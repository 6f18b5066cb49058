/// Names that generated code trips over, if it trips over any.
enum NastyNames {
    /// For what becomes a property, a function or a case.
    static let values = [
        // words of Swift
        "actor", "any", "as", "async", "await", "borrowing", "break", "case", "catch", "class", "consume", "continue",
        "copy", "default", "defer", "deinit", "discard", "do", "each", "else", "enum", "extension", "false", "for",
        "func", "get", "guard", "if", "import", "in", "inout", "internal", "is", "isolated", "let", "macro", "nil",
        "nonisolated", "open", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat",
        "rethrows", "return", "sending", "set", "some", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "unowned", "unsafe", "var", "weak", "where", "while", "willSet", "yield",
        "lazy", "mutating", "prefix", "required", "indirect", "final", "dynamic", "override", "convenience",
        // types
        "Int", "String", "Bool", "Codable", "Equatable", "Hashable", "Sendable", "Error", "Result", "Optional", "Date",
        "URL", "UUID", "Decimal", "Void", "Never", "Task", "Array", "Swift", "Foundation", "Session", "Receipt",
        // members that types have or get
        "hashValue", "description", "debugDescription", "customMirror", "id", "rawValue", "hash", "init", "self",
        "allCases", "knownCases", "errorDescription", "localizedDescription",
        "failureReason", "none", "some", "map", "count", "isEmpty", "first",
        // what generated code calls things
        "reader", "writer", "keys", "fields", "value", "values", "newValue", "request", "response", "body", "check",
        "match", "error", "context", "details", "fault", "shared", "unconfirmed", "declared", "category", "completed",
        "unrecognized", "tokens", "validate", "encode", "decode", "load", "write", "writeFields", "endpoint", "service",
        "binding", "session", "server", "common", "dispatcher", "send", "reply", "result", "responding", "confirmation",
        "confirmed", "found", "receipt", "key", "idempotencyKey", "outcome", "holding", "kind", "children", "url",
        "makeService", "makeEndpoint", "encodeCommon", "refreshToken", "access", "bytes", "name", "known", "storage",
        "message",
        "isFaulted", "data", "type", "with", "token", "signingKey", "on",
        // spelled as no name should be
        "_", "__", "_value", "$", "1st", "a b", "a.b", "a-b", "a/b", "É", "größe", "日本", "😀", "e\u{301}", "ﬀ", "İ",
        "x\u{3021}", "NOT_FOUND", "URLPath", "\"", "\\(x)", "a\nb", "`let`", "//", "*/", "#if", "_0", "𝒳",
    ]

    /// For types, which have letters, digits and underscores.
    static let types = [
        "Int", "String", "Bool", "Double", "Float", "UInt8", "Int32", "Int64", "UInt", "Codable", "Equatable",
        "Identifiable", "CaseIterable", "Error", "Result", "Optional", "Array", "Dictionary", "Set", "Date", "Data",
        "URL", "UUID", "Decimal", "Character", "Never", "Task", "Sequence", "Encoder", "Decoder", "CodingKey",
        "LocalizedError", "RawRepresentable", "CustomReflectable", "CustomStringConvertible", "AnyObject", "Range",
        "ClosedRange", "UInt64", "Comparable", "Actor", "MainActor", "Duration", "Clock", "Locale", "Measurement",
        "Notification", "Bundle", "Request", "Session", "Dispatcher", "Receipt", "Reply", "Completed", "Body",
        "JSONNumber", "JSONObject", "Transport", "HTTPMethod", "Epoch", "Some", "None", "Let", "Var", "Class", "Init",
        "T", "_T", "Aa", "item", "itemBox", "NextBox", "ValueBox", "Item_", "I", "let", "self", "class", "import",
        "URLSession", "IdempotencyKey", "ConfirmableCommand", "Context", "Key", "Element", "Value", "Output", "Input",
    ]

    /// Names of types that the tool refuses.
    static let refusedTypes = [
        "Hashable", "Sendable", "Void", "Mirror", "StaticString", "Swift", "Foundation", "FoundationEssentials",
        "ErrandRuntime", "ErrandJSON", "ErrandTransport", "Response", "Command", "Failure", "Service", "Server",
        "Common", "Envelopes", "DecisionTables", "DecisionTable", "Nullable", "JSONValue", "JSONReader", "JSONKeys",
        "Redaction", "Redacted", "CommandFault", "FailureContext", "FailureDetails", "CommandFailure", "CalendarDate",
        "FilePart", "ServiceClient", "ServiceBinding", "SessionTokens", "ErrorMatch", "CheckedCommand",
        "OutcomeCommand", "Self", "Type", "Protocol", "Any",
    ]

    static let plainValues = [
        "amount", "title", "owner", "createdAt", "state", "items", "size", "color", "next", "parent", "left", "total",
        "currency", "email", "note", "page", "limit", "street", "city", "weight", "score", "tags", "photo", "level",
    ]
    static let plainTypes = [
        "Account", "Product", "Order", "Customer", "Address", "Message", "Shelf", "Rating", "Invoice", "Node", "Tree",
        "Money", "Status", "Kind", "Level", "Payment", "Price", "Note", "Basket", "Coupon",
    ]

    /// What people write into a `doc`, and what they should not.
    static let texts = [
        "What it is.", "Two lines.\nThe second one.", "*/ }", "// comment", "`code` and \\(interpolation)",
        "\"quoted\"",
        "\"\"\"", "", " ", "ends with a backslash \\", "tab\there", "漢字 😀 e\u{301}", "#\"raw\"#", "- Parameter x: y",
        "Use something else.", "a\\", "%@ %d", "$0 {token} {key}",
    ]
}
