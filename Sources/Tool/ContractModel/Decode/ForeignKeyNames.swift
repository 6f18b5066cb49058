/// The contract language's keys for keys of OpenAPI and of other descriptions of services.
enum ForeignKeyNames {
    /// What to write for a key of another language; nil if the key is unknown, or if the mapping does not have the
    /// language's own key.
    static func help(for key: String, in description: MappingDescription) -> String? {
        let folded = String(key.lowercased().filter { $0 != "_" && $0 != "-" })
        return entries.first { $0.names.contains(folded) && description.allows($0.key) }?.help
    }

    /// The keys of other languages, the key of this language, and what to write. If a name is in several entries, the first
    /// one whose key the mapping may have applies.
    private static let entries: [(names: Set<String>, key: String, help: String)] = [
        (
            ["host", "basepath", "baseurl", "url", "urls", "schemes"], "servers",
            "write `servers: {production: \"https://api.example.com/v1\"}`"
        ),
        (["info", "title", "name"], "service", "write `service: NAME`"),
        (
            ["paths", "routes", "operations", "resources", "requests", "methods"], "endpoints",
            "write `endpoints`, with a name for each request"
        ),
        (
            ["components", "schemas", "definitions", "models", "structs", "messages"], "types",
            "declare each type under `types`"
        ),
        (
            ["securityschemes", "security", "auth", "authentication"], "session",
            "declare how requests authenticate under `session`"
        ),
        (
            ["method", "verb", "path", "url", "uri", "route", "operation"], "get",
            "write the method with its path, such as `get: /items`"
        ),
        (
            ["parameters", "params", "queryparameters", "queryparams", "args", "arguments"], "query",
            "write parameters of the query under `query`, and those of the path in the path: `/items/{id:int}`"
        ),
        (["requestbody", "request", "payload", "input"], "body", "write `body`"),
        (
            ["responses", "returns", "return", "result", "output", "reply"], "response",
            "write `response` with the type of a success, and list failures under `errors`"
        ),
        (["pagination", "paging"], "paginate", "write `paginate`"),
        (["tag", "tags"], "group", "write `group`, and describe the group under `groups`"),
        (["tags"], "groups", "write `groups: {issues: What its endpoints have in common.}`"),
        (["idempotent", "idempotency", "idempotencykey"], "effect", "write `effect: idempotent` or `effect: keyed`"),
        (
            ["status", "statuscode", "httpstatus", "code"], "when",
            "write `when: {status: 409}` or `when: {code: 4010}`"
        ),
        (["retryable", "kind", "type"], "category", "write `category: retryable`, `nonRetryable` or `requiresLogout`"),
        (["required", "optional"], "type", "write `?` after the type of a field that may be absent: `type: string?`"),
        (["minimum", "maximum", "min", "max"], "range", "write `range: 1..100`"),
        (["minlength", "maxlength"], "length", "write `length: 1..100`"),
        (["minitems", "maxitems"], "items", "write `items: 1..100`"),
        (["properties", "members", "attributes"], "fields", "write `fields`"),
        (["description", "summary", "comment", "title", "text"], "doc", "write `doc`"),
    ]
}
