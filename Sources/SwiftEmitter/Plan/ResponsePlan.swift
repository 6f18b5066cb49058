import ContractModel

/// Makes the template input of what a command's response looks like in Swift, and how it is read.
struct ResponsePlan {
    private(set) var input = ResponseInput()
    /// The type as the client's method names it; `nil` for nothing.
    private(set) var result: String?
    /// Whether the client's method gives a stream of elements.
    private(set) var isStream = false
    /// Structures inside the command.
    private(set) var structures: [StructureInput] = []

    private let emission: Emission
    private let endpoint: ResolvedEndpoint

    init(_ emission: Emission, _ endpoint: ResolvedEndpoint) {
        self.emission = emission
        self.endpoint = endpoint
        input.access = emission.access.rawValue
        let command = SwiftIdentifier.spelled(endpoint.commandType)
        if endpoint.stream != nil {
            stream(command)
        } else if endpoint.outcomes.isEmpty {
            plainResponse(command)
        } else {
            responseWithOutcomes(command)
        }
    }

    private var bytes: String { "[\(emission.spelling.library("UInt8"))]" }

    // MARK: A stream

    private mutating func stream(_ command: String) {
        isStream = true
        result = "ResponseStream<\(command)>"
        input.alias = "OpenedStream"
        switch endpoint.response.value {
        // Refused before anything is generated.
        case .none, .bytes: return
        case .type(let type, let skipsInvalid, let acceptsSingle):
            input.element = emission.spelling.spelled(type)
            input.elementLoading = payload(type, skipsInvalid, acceptsSingle, wrap: nil)
        case .fields(let fields):
            input.elementLoading = [.expression("Element.load(from: &reader)")]
            structures.append(structure("Element", fields, doc: "An element of `\(endpoint.identifier)`."))
        }
    }

    // MARK: One response

    private mutating func plainResponse(_ command: String) {
        switch endpoint.response.value {
        case .none: input.alias = "Void"
        case .bytes:
            result = bytes
            input.alias = bytes
        case .type(let type, let skipsInvalid, let acceptsSingle):
            let type = (reference: type, name: emission.spelling.spelled(type))
            result = type.name
            input.alias = type.name
            input.loading = payload(type.reference, skipsInvalid, acceptsSingle, wrap: nil)
        case .fields(let fields):
            result = command + ".Response"
            structures.append(structure("Response", fields, doc: "The response of `\(endpoint.identifier)`."))
            input.loading = [.expression("Response.load(from: &reader)")]
        }
    }

    private func payload(
        _ type: TypeReference, _ skipsInvalid: Bool, _ acceptsSingle: Bool, wrap: String?
    ) -> [Statement] {
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
        var completed = ResponseInput.Case(name: "completed")
        switch endpoint.response.value {
        case .none: input.loading = [.expression("reader.skipValue()"), .result(".completed")]
        case .bytes:
            completed.payload = bytes
            input.bytes = bytes
            input.loading = [.expression("nil")]
        case .type(let type, let skipsInvalid, let acceptsSingle):
            completed.payload = emission.spelling.spelled(type)
            input.loading = payload(type, skipsInvalid, acceptsSingle, wrap: "Response.completed")
        case .fields(let fields):
            completed.payload = "Completed"
            structures.append(structure("Completed", fields, doc: nil))
            input.loading = [.expression("Completed.load(from: &reader).map(Response.completed)")]
        }
        input.cases = [completed]
        for outcome in endpoint.outcomes {
            var item = ResponseInput.Case(name: SwiftIdentifier.spelled(outcome.identifier))
            item.doc = DocComment.lines(outcome.doc)
            item.literal = SwiftLiteral.string(outcome.name.value)
            switch outcome.data {
            case .fields(let fields):
                let type = SwiftIdentifier.spelled(outcome.dataType)
                structures.append(structure(outcome.dataType, fields, doc: nil))
                item.payload = type + "?"
                item.loader = type + ".load(from:)"
            case .type(let type, _):
                item.payload = emission.spelling.spelled(type.unwrapped) + "?"
                item.loader = emission.reads.dataLoader(of: emission.contract.shape(of: type).wrapped)
            case nil: break
            }
            input.cases.append(item)
        }
    }
}
