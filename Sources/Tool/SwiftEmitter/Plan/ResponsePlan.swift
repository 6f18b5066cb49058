import ContractModel

/// Makes the template input of what a command's response looks like in Swift, and how it is read.
struct ResponsePlan {
    private(set) var input = ResponseInput()
    /// The type as the client's method names it; `nil` for nothing.
    private(set) var result: SwiftType?
    /// Whether the client's method gives a stream of elements.
    private(set) var isStream = false
    /// Structures inside the command.
    private(set) var structures: [StructureInput] = []

    private let context: EmissionContext
    private let endpoint: ResolvedEndpoint

    init(_ context: EmissionContext, _ endpoint: ResolvedEndpoint) {
        self.context = context
        self.endpoint = endpoint
        input.access = context.access.rawValue
        let command = SwiftType.named(SwiftIdentifier.spelled(endpoint.commandType))
        if endpoint.stream != nil {
            stream(command)
        } else if endpoint.outcomes.isEmpty {
            plainResponse(command)
        } else {
            responseWithOutcomes(command)
        }
        guard !endpoint.responseHeaders.isEmpty else { return }
        structures.append(
            structure(
                endpoint.headersType, endpoint.responseHeaders.map(\.coercing),
                doc: "The declared headers of the response of `\(endpoint.identifier)`."))
    }

    // MARK: A stream

    private mutating func stream(_ command: SwiftType) {
        isStream = true
        result = .generic("ResponseStream", command)
        input.alias = .named("OpenedStream")
        input.elementName = endpoint.payloadType
        input.elementReader = endpoint.hasGaps ? "event" : "element"
        switch endpoint.response.value {
        // Refused before anything is generated.
        case .none, .bytes: return
        case .type(let type, let skipsInvalid, let acceptsSingle):
            input.element = context.spelling.type(type)
            input.elementLoading = payload(type, skipsInvalid, acceptsSingle, wrap: nil)
        case .fields(let fields):
            input.elementLoading = [.expression(context.reads.load(.named(endpoint.payloadType)))]
            structures.append(
                structure(endpoint.payloadType, fields, doc: "An element of `\(endpoint.identifier)`."))
        }
    }

    // MARK: One response

    private mutating func plainResponse(_ command: SwiftType) {
        switch endpoint.response.value {
        case .none where endpoint.definition.isResponseOfHeaders:
            result = .nested(command, endpoint.headersType)
            input.alias = .named(endpoint.headersType)
            input.loading = [.expression(context.reads.load(.named(endpoint.headersType)))]
        case .none: input.alias = .void
        case .bytes:
            result = context.spelling.bytes
            input.alias = result
        case .type(let type, let skipsInvalid, let acceptsSingle):
            result = context.spelling.type(type)
            input.alias = result
            input.loading = payload(type, skipsInvalid, acceptsSingle, wrap: nil)
        case .fields(let fields):
            result = .nested(command, "Response")
            structures.append(structure("Response", fields, doc: "The response of `\(endpoint.identifier)`."))
            input.loading = [.expression(context.reads.load(.named("Response")))]
        }
    }

    private func payload(
        _ type: TypeReference, _ skipsInvalid: Bool, _ acceptsSingle: Bool, wrap: Expression?
    ) -> [Statement] {
        var policy = ReadStatements.Policy()
        policy.skipsInvalid = skipsInvalid
        policy.acceptsSingle = acceptsSingle
        return context.reads.payload(of: context.contract.shape(of: type), policy, wrap: wrap)
    }

    private func structure(_ name: String, _ fields: [FieldDefinition], doc: String?) -> StructureInput {
        var plan = StructurePlan(context, fields: fields)
        plan.isRead = true
        return plan.input(name, doc: doc)
    }

    // MARK: One of several

    private mutating func responseWithOutcomes(_ command: SwiftType) {
        result = .nested(command, "Response")
        let wrap = SwiftType.named("Response").member("completed")
        var completed = ResponseInput.Case(name: "completed")
        switch endpoint.response.value {
        case .none where endpoint.definition.isResponseOfHeaders:
            let payload = SwiftType.named(endpoint.headersType)
            completed.payload = payload
            input.loading = [.expression(context.reads.load(payload).method("map", wrap))]
        case .none:
            let skip = Expression.name("reader").method("skipValue")
            input.loading = [.expression(skip), .result(.implicit("completed"))]
        case .bytes:
            completed.payload = context.spelling.bytes
            input.bytes = context.spelling.bytes
            input.loading = [.expression(.null)]
        case .type(let type, let skipsInvalid, let acceptsSingle):
            completed.payload = context.spelling.type(type)
            input.loading = payload(type, skipsInvalid, acceptsSingle, wrap: wrap)
        case .fields(let fields):
            let payload = SwiftType.named("Completed")
            completed.payload = payload
            structures.append(structure("Completed", fields, doc: nil))
            input.loading = [.expression(context.reads.load(payload).method("map", wrap))]
        }
        input.cases = [completed]
        for outcome in endpoint.outcomes {
            var item = ResponseInput.Case(name: SwiftIdentifier.spelled(outcome.identifier))
            item.doc = DocComment(outcome.doc)
            item.literal = .string(outcome.name.value)
            switch outcome.data {
            case .fields(let fields):
                let type = SwiftType.named(SwiftIdentifier.spelled(outcome.dataType))
                structures.append(structure(outcome.dataType, fields, doc: nil))
                item.payload = .optional(type)
                item.loader = .function(type.member("load"), labels: ["from"])
            case .type(let type, _):
                item.payload = .optional(context.spelling.type(type.unwrapped))
                item.loader = context.reads.dataLoader(of: context.contract.shape(of: type).wrapped)
            case nil: break
            }
            input.cases.append(item)
        }
    }
}
