/// The contract language's names for types of JSON Schema, OpenAPI, SQL, protocol buffers and Swift.
enum ForeignTypeNames {
    /// The replacement for a type name of another language; nil if the name is unknown.
    static func help(for name: String) -> (text: String, replacement: String?)? {
        let folded = String(name.lowercased().filter { $0 != "_" && $0 != "-" })
        if let type = scalars[folded] { return ("write `\(type)`", type) }
        switch folded {
        case "number": return ("write `double`, or `decimal` for an amount of money", nil)
        case "array", "list", "set":
            return ("write the type of the elements in brackets, such as `[string]`", nil)
        case "object", "dictionary", "map", "struct":
            return (
                "declare its fields as a type under `types`, or write `[string: T]` for a map and `json` for any JSON value",
                nil
            )
        case "enum": return ("declare it under `types`: `Color: {enum: [red, green]}`", nil)
        default: return nil
        }
    }

    private static let scalars: [String: String] = [
        "integer": "int", "long": "int64", "bigint": "int64", "short": "int", "byte": "int", "uint32": "uint",
        "uint64": "uint", "boolean": "bool", "text": "string", "str": "string", "varchar": "string", "char": "string",
        "email": "string", "float32": "float", "float64": "double", "real": "double", "numeric": "decimal",
        "money": "decimal", "bigdecimal": "decimal", "datetime": "timestamp",
        "instant": "timestamp",
        "guid": "uuid", "uri": "url", "binary": "bytes", "blob": "bytes", "base64": "bytes", "data": "bytes",
        "any": "json", "anything": "json", "dynamic": "json",
    ]
}
