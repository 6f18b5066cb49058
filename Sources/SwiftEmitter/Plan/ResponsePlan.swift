import ContractModel

/// What a command's response looks like in Swift, and how it is read.
struct ResponsePlan {
    /// The declaration of `Response` inside the command; empty where it is a structure beside it.
    var declaration = ""
    /// The functions that read it.
    var functions = ""
    /// The type as the client's method names it; `nil` for nothing.
    var result: String?
    /// Whether the client's method gives a stream of elements.
    var isStream = false
    /// Structures inside the command.
    var structures: [StructureInput] = []

    private let emission: Emission
    private let endpoint: ResolvedEndpoint

    init(_ emission: Emission, _ endpoint: ResolvedEndpoint) {
        self.emission = emission
        self.endpoint = endpoint
        let command = SwiftIdentifier.spelled(endpoint.commandType)
        if endpoint.stream != nil {
            stream(command)
        } else if endpoint.outcomes.isEmpty {
            plainResponse(command)
        } else {
            responseWithOutcomes(command)
        }
    }

    private var access: String { emission.access.rawValue }

    /// The function that reads the payload.
    private func load(_ body: [String]) -> String { function("load(from reader: inout JSONReader)", body) }

    private func function(_ signature: String, _ body: [String]) -> String {
        (["", "\(access) static func \(signature) -> Response? {"] + body + ["}"]).text
    }

    // MARK: A stream

    private mutating func stream(_ command: String) {
        isStream = true
        result = "ResponseStream<\(command)>"
        var element: String
        var body: [String]
        switch endpoint.response.value {
        // Refused before anything is generated.
        case .none, .bytes: return
        case .type(let type, let skipsInvalid, let acceptsSingle):
            element = emission.spelling.spelled(type)
            body = payload(type, skipsInvalid, acceptsSingle, wrap: nil)
        case .fields(let fields):
            element = command + ".Element"
            body = ["Element.load(from: &reader)"]
            structures.append(structure("Element", fields, doc: "An element of `\(endpoint.identifier)`."))
        }
        declaration = "\(access) typealias Response = OpenedStream\n"
        if case .type = endpoint.response.value { declaration += "\(access) typealias Element = \(element)\n" }
        functions =
            (["", "\(access) static func element(from reader: inout JSONReader) -> Element? {"] + body + ["}"]).text
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
            functions = load(payload(type, skipsInvalid, acceptsSingle, wrap: nil))
        case .fields(let fields):
            result = command + ".Response"
            structures.append(structure("Response", fields, doc: "The answer to `\(endpoint.identifier)`."))
            functions = load(["Response.load(from: &reader)"])
        }
    }

    private func alias(_ type: String) -> String { "\(access) typealias Response = \(type)\n" }

    private func payload(_ type: TypeReference, _ skipsInvalid: Bool, _ acceptsSingle: Bool, wrap: String?) -> [String]
    {
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
            cases.append("case completed")
            functions = load(["reader.skipValue()", "return .completed"])
        case .bytes:
            let bytes = "[\(emission.spelling.library("UInt8"))]"
            cases.append("case completed(\(bytes))")
            functions = load(["nil"]) + function("load(bytes: \(bytes))", [".completed(bytes)"])
        case .type(let type, let skipsInvalid, let acceptsSingle):
            cases.append("case completed(\(emission.spelling.spelled(type)))")
            functions = load(payload(type, skipsInvalid, acceptsSingle, wrap: "Response.completed"))
        case .fields(let fields):
            cases.append("case completed(Completed)")
            structures.append(structure("Completed", fields, doc: nil))
            functions = load(["Completed.load(from: &reader).map(Response.completed)"])
        }
        var matches: [String] = []
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
                item = "\(identifier)(\(emission.spelling.spelled(type.unwrapped))?)"
                matches.append(
                    "case \(name): return Response.\(identifier)(match.data(\(emission.reads.dataLoader(of: shape.wrapped))))"
                )
            case nil: matches.append("case \(name): return Response.\(identifier)")
            }
            cases.append(DocComment.lines(outcome.doc) + "case " + item)
        }
        declaration = "\n" + Block.lines("\(access) enum Response: Sendable", cases).text
        functions += function(
            "outcome(_ name: DeclaredName, _ match: ErrorMatch)",
            Block.lines("switch name", matches + ["default: return nil"]))
    }
}
