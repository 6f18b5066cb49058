import ErrandJSON
import ErrandRuntime

/// Makes the declared headers of a command's response.
enum HeaderExample {
    /// The fields of a success, with a value for each header.
    static func fields<C: Command>(
        of type: C.Type, seed: UInt64
    ) throws(ExampleDocument.NotFound) -> [(name: String, value: String)] {
        let headers = C.endpoint.headers
        guard !headers.isEmpty else { return [] }
        let document: JSONValue =
            if let type = type as? any HeaderCommand.Type {
                try ExampleDocument.headers(of: type, seed: seed)
            } else {
                try ExampleDocument.response(of: type, seed: seed)
            }
        return headers.compactMap { header in
            document.object?[header.name].flatMap(text).map { (header.name, $0) }
        }
    }

    /// A value as a header has it; nil for none.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        case .array(let elements): elements.compactMap(text).joined(separator: ", ")
        case .null, .object: nil
        }
    }
}
