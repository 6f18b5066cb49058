import ContractModel
import Foundation
import YAMLTree

/// What Python's `jsonschema` says of documents under the schema of the contract language.
enum SchemaJudge {
    struct Unusable: Error, CustomStringConvertible { var description: String }

    /// For each document the first reasons to refuse it, empty for an accepted one; `nil` if `jsonschema` is not available.
    static func refusals(of documents: [DocumentTree], schema: String = ContractSchema.value.json) throws -> [[String]]?
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(schema.utf8).write(to: folder.appendingPathComponent("schema.json"))
        try Data("[\(documents.map(\.json).joined(separator: ",\n"))]".utf8).write(
            to: folder.appendingPathComponent("documents.json"))
        let script = """
            import json, sys
            try:
                from jsonschema import Draft202012Validator
            except ImportError:
                print("null"); sys.exit(0)
            schema, documents = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("schema", "documents"))
            Draft202012Validator.check_schema(schema)
            validator = Draft202012Validator(schema)
            say = lambda error: f"{error.json_path}: {error.message[:200]}"
            print(json.dumps([[say(e) for _, e in zip(range(3), validator.iter_errors(d))] for d in documents]))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Unusable(description: "Python ended with \(process.terminationStatus)")
        }
        let answer = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        if answer is NSNull {
            print("skipped: Python has no jsonschema")
            return nil
        }
        guard let refusals = answer as? [[String]], refusals.count == documents.count else {
            throw Unusable(description: "not an answer: \(answer)")
        }
        return refusals
    }

    /// Whether the decoder alone, which looks at one file and at no names, finds an error.
    static func decoderFindings(in text: String) -> [String]? {
        let parsed = YAMLParser().parse(text, file: "sample.contract.yaml")
        guard let document = parsed.document, !parsed.diagnostics.contains(where: { $0.severity == .error }) else {
            return nil
        }
        return ContractDecoder.decode(document).diagnostics.filter { finding in
            finding.severity == .error && !beyond.contains(where: finding.message.contains)
        }.map(\.rule)
    }

    /// Parts of messages about what no schema sees, because it would have to search a text or to know every spelling of another key.
    private static let beyond = [
        "does not mention its `fields`", "only `response: bytes` has", "is not a media type of",
        "is the kind of a frame as it is",
    ]
}

/// A document as the core schema of YAML 1.2 reads it, which is how editors do (YAML 1.2.2, section 10.3).
indirect enum DocumentTree {
    /// As JSON: a text with its quotation marks, a number, `true`, `null`.
    case scalar(String)
    case list([DocumentTree])
    case mapping([(key: String, value: DocumentTree)])

    init?(_ text: String) {
        guard let document = YAMLParser().parse(text, file: "sample").document else { return nil }
        self.init(document.root)
    }

    init(_ node: YAMLNode) {
        if let sequence = node.sequence {
            self = .list(sequence.map { DocumentTree($0) })
        } else if let mapping = node.mapping {
            self = .mapping(mapping.map { ($0.key.text ?? "", DocumentTree($0.value)) })
        } else {
            self = .scalar(node.scalar.map(Self.scalar) ?? "null")
        }
    }

    /// The same as JSON, which is also YAML.
    var json: String {
        switch self {
        case .scalar(let text): text
        case .list(let elements): "[\(elements.map(\.json).joined(separator: ", "))]"
        case .mapping(let pairs):
            "{\(pairs.map { Self.quoted($0.key) + ": " + $0.value.json }.joined(separator: ", "))}"
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func scalar(_ scalar: YAMLScalar) -> String {
        let text = scalar.value
        guard scalar.isPlain else { return quoted(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return "null"
        case "true", "True", "TRUE": return "true"
        case "false", "False", "FALSE": return "false"
        default: break
        }
        if text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil { return text }
        if text.wholeMatch(of: /[-+]?[0-9]+/) != nil {
            let digits = text.drop { $0 == "+" || $0 == "-" }.drop { $0 == "0" }
            return (text.hasPrefix("-") ? "-" : "") + (digits.isEmpty ? "0" : String(digits))
        }
        return quoted(text)
    }
}
