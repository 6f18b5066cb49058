import ContractModel

/// What a command's response looks like in Swift, and how it is read.
struct ResponsePlan {
    /// The declaration of `Response` inside the command; empty where it is a structure beside it.
    var declaration = ""
    /// The functions that read it.
    var functions = ""
    /// The type as the client's method names it; `nil` for nothing.
    var result: String?
    /// Structures inside the command.
    var structures: [StructureInput] = []

    private let emission: Emission
    private let endpoint: ResolvedEndpoint
    private static let indent = "        "

    init(_ emission: Emission, _ endpoint: ResolvedEndpoint) {
        self.emission = emission
        self.endpoint = endpoint
        let command = SwiftIdentifier.spelled(endpoint.commandType)
        if endpoint.outcomes.isEmpty {
            plainResponse(command)
        } else {
            responseWithOutcomes(command)
        }
    }

    private var access: String { emission.access.rawValue }
    private var loadSignature: String {
        "\(Self.indent)\(access) static func load(from reader: inout JSONReader) -> Response?"
    }

    // MARK: One answer

    private mutating func plainResponse(_ command: String) {
        switch endpoint.response.value {
        case .none: declaration = alias("Void")
        case .bytes:
            result = "[\(emission.spelling.library("UInt8"))]"
            declaration = alias(result ?? "")
        case .type(let type, let skipsInvalid, let acceptsSingle):
            result = emission.spelling.spelled(type)
            declaration = alias(result ?? "")
            functions = "\(loadSignature) { \(payload(type, skipsInvalid, acceptsSingle, wrap: nil)) }\n"
        case .fields(let fields):
            result = command + ".Response"
            structures.append(structure("Response", fields, doc: "The answer to `\(endpoint.identifier)`."))
            functions = "\(loadSignature) { Response.load(from: &reader) }\n"
        }
    }

    private func alias(_ type: String) -> String { "\(Self.indent)\(access) typealias Response = \(type)\n" }

    private func payload(_ type: TypeReference, _ skipsInvalid: Bool, _ acceptsSingle: Bool, wrap: String?) -> String {
        var policy = ReadStatements.Policy()
        policy.skipsInvalid = skipsInvalid
        policy.acceptsSingle = acceptsSingle
        return emission.reads.payload(of: emission.contract.shape(of: type), policy, wrap: wrap)
    }

    private func structure(_ name: String, _ fields: [FieldDefinition], doc: String?) -> StructureInput {
        var plan = StructurePlan(emission, fields: fields)
        plan.isRead = true
        return plan.input(name, doc: doc)
    }

    // MARK: One of several

    private mutating func responseWithOutcomes(_ command: String) {
        result = command + ".Response"
        var cases: [String] = []
        switch endpoint.response.value {
        case .none:
            cases.append("completed")
            functions = "\(loadSignature) { reader.skipValue(); return .completed }\n"
        case .bytes:
            let bytes = "[\(emission.spelling.library("UInt8"))]"
            cases.append("completed(\(bytes))")
            functions = "\(loadSignature) { nil }\n"
            functions +=
                "\(Self.indent)\(access) static func load(bytes: \(bytes)) -> Response? { .completed(bytes) }\n"
        case .type(let type, let skipsInvalid, let acceptsSingle):
            cases.append("completed(\(emission.spelling.spelled(type)))")
            functions =
                "\(loadSignature) { \(payload(type, skipsInvalid, acceptsSingle, wrap: "Response.completed")) }\n"
        case .fields(let fields):
            cases.append("completed(Completed)")
            structures.append(structure("Completed", fields, doc: nil))
            functions = "\(loadSignature) { Completed.load(from: &reader).map(Response.completed) }\n"
        }
        var matches: [String] = []
        var documented = ""
        for outcome in endpoint.outcomes {
            let identifier = SwiftIdentifier.spelled(outcome.identifier)
            let name = SwiftLiteral.string(outcome.name.value)
            var item = identifier
            switch outcome.data {
            case .fields(let fields):
                let type = SwiftIdentifier.spelled(outcome.dataType)
                structures.append(structure(outcome.dataType, fields, doc: nil))
                item = "\(identifier)(\(type)?)"
                matches.append("case \(name): return Response.\(identifier)(match.data(\(type).load(from:)))")
            case .type(let type, _):
                let shape = emission.contract.shape(of: type)
                item = "\(identifier)(\(emission.spelling.spelled(shape.wrapped))?)"
                matches.append(
                    "case \(name): return Response.\(identifier)(match.data(\(emission.reads.dataLoader(of: shape.wrapped))))"
                )
            case nil: matches.append("case \(name): return Response.\(identifier)")
            }
            if let doc = outcome.doc {
                documented += DocComment.lines(doc, indent: Self.indent + "    ") + "\(Self.indent)    case \(item)\n"
            } else {
                cases.append(item)
            }
        }
        let list = SourceLayout.fill(
            cases, separator: ", ", first: Self.indent + "    case ", indent: Self.indent + "        ")
        declaration = "\(Self.indent)\(access) enum Response: Sendable {\n\(list)\n\(documented)\(Self.indent)}\n"
        let choice = (matches + ["default: return nil"]).map { "\(Self.indent)    \($0)" }.joined(separator: "\n")
        functions +=
            "\(Self.indent)\(access) static func outcome(_ name: DeclaredName, _ match: ErrorMatch) -> Response? {\n"
        functions += "\(Self.indent)    switch name {\n\(choice)\n\(Self.indent)    }\n\(Self.indent)}\n"
    }
}
