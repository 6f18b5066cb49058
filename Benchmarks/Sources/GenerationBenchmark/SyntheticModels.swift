/// Models of twelve fields each, as a contract and as an engineer would write them for `Codable`. Each model but the first has
/// the one before it as an optional, every fourth a list of it, so that one endpoint reaches all of them and none is large.
enum SyntheticModels {
    /// Contract type, Swift type.
    private static let fields: [(name: String, contract: String, swift: String)] = [
        ("id", "int", "Int"), ("title", "string", "String"), ("note", "string?", "String?"),
        ("amount", "double", "Double"),
        ("isActive", "bool", "Bool"), ("kind", "Kind", "Synthetic.Kind"), ("tags", "[string]", "[String]"),
        ("createdAt", "timestamp", "Date"), ("weight", "double?", "Double?"), ("count", "int64", "Int64"),
        ("counts", "\"[string: int]\"", "[String: Int]"),
    ]

    private static func fields(_ number: Int) -> [(name: String, contract: String, swift: String)] {
        if number == 0 { return fields + [("names", "[string]", "[String]")] }
        let before = "Model\(number - 1)"
        return fields + [
            number % 4 == 0
                ? ("parts", "[\(before)]", "[Synthetic.\(before)]") : ("part", "\(before)?", "Synthetic.\(before)?")
        ]
    }

    static func contract(_ count: Int) -> String {
        let types = (0..<count).map { number in
            "  Model\(number):\n" + fields(number).map { "    \($0.name): \($0.contract)\n" }.joined()
        }
        return """
            errand: 1
            service: Synthetic
            version: 1.0.0
            servers: {main: "https://api.example/v1"}
            types:
              Kind:
                enum: [first, second, third]
            \(types.joined())
            endpoints:
              replace:
                put: /models
                body: {model: Model\(count - 1)}
                response: Model\(count - 1)

            """
    }

    /// The same structures with synthesized `Codable`, and the public initializer that a public model needs to be sent.
    static func twins(_ count: Int, files: Int) -> [String] {
        var texts = Array(repeating: "public import Foundation\n\nextension Synthetic {\n", count: files)
        texts[0] += "    public enum Kind: String, Codable, Sendable { case first, second, third }\n"
        for number in 0..<count {
            let fields = fields(number)
            let parameters = fields.map { "\($0.name): \($0.swift)" + ($0.swift.hasSuffix("?") ? " = nil" : "") }
            texts[number * files / count] += """
                    public struct Model\(number): Codable, Sendable {
                \(fields.map { "        public var \($0.name): \($0.swift)\n" }.joined())
                        public init(\(parameters.joined(separator: ", "))) {
                \(fields.map { "            self.\($0.name) = \($0.name)\n" }.joined())        }
                    }

                """
        }
        return texts.map { $0 + "}\n" }
    }
}
