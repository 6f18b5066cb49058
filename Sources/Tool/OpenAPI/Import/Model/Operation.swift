import ContractModel

/// One operation of a document, of any version of OpenAPI.
struct Operation {
    var method: String
    /// The path of the document in the syntax of OpenAPI, perhaps with a query or a fragment.
    var path: String
    /// What a person should review, because the document leaves it open.
    var reviews: [String] = []
    var element: Element
    var operationID: String?
    var tags: [String] = []
    var summary: String?
    var documentation = Documentation()
    var description: String? { documentation.text }
    var parameters: [Parameter] = []
    var body: RequestBody?
    /// By status, as written: `200`, `4XX`, `default`.
    var responses: [Response] = []
    /// `nil` if the operation has none of its own, so the document's applies.
    var security: [Element]?
    var servers: [Element] = []
    /// The way of two in which the response arrives; `nil` if there is only one.
    var arrival: Arrival?
    /// The members of its body that tell it from the operation that it is a variant of.
    var needs: [String] = []
    /// Whether the document has another one of the same place under its own name.
    var isVariant: Bool { arrival == .stream || !needs.isEmpty }

    /// How the response of an operation that has both arrives.
    enum Arrival {
        case whole
        case stream
    }

    /// The path that the client sends.
    var route: String { RequestPath(path).route }
}

struct Parameter {
    enum Place: String {
        case path
        case query
        /// The whole query as one value (OpenAPI 3.2).
        case querystring
        case header
        case cookie
    }

    var name: String
    var place: Place
    var schema: Element
    var isRequired: Bool
    var style: String
    var explodes: Bool
    /// Whether its value is JSON text (`content`).
    var isJSON = false
    /// The only value, for a parameter that the document writes after the path.
    var constant: String?
    var description: String?
    var isDeprecated: Bool
    var element: Element

    /// What the parameter is on the wire. Names of headers are the same in any case.
    var identity: String { place.rawValue + " " + (place == .header ? name.lowercased() : name) }

    /// The parameters of one list, each once.
    static func distinct(_ parameters: [Parameter], _ findings: ImportFindings) -> [Parameter] {
        var seen = Set<String>()
        return parameters.filter { parameter in
            let isNew = seen.insert(parameter.identity).inserted
            if !isNew {
                findings.add(
                    .openAPIParameterLost, "`\(parameter.name)` is declared twice, so this declaration is left out",
                    at: parameter.element)
            }
            return isNew
        }
    }
}

struct RequestBody {
    var isOptional: Bool
    var media: [Media]
    var description: String?
    var element: Element
    /// The fields of a form as Swagger 2.0 has them, which are parameters.
    var formParameters: [Element] = []
}

struct Media {
    /// In lowercase, without parameters: `application/json`.
    var type: String
    var schema: Element?
    /// The schema of one element of a stream (OpenAPI 3.2).
    var itemSchema: Element?
    var encoding: Element?
    var examples = NamedExamples()
    var element: Element

    /// Whether a text is a media type without parameters, or a range of them.
    static func isType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { HeaderText.isName(String($0)) }
    }

    var isJSON: Bool {
        type == "application/json" || type.hasSuffix("+json") || type == "text/json" || type == "*/*"
            || type == "application/*"
    }
    var isXML: Bool { BodyDefinition.isXML(mediaType: type) }
    var isForm: Bool { type == "application/x-www-form-urlencoded" }
    var isMultipart: Bool { type == "multipart/form-data" }
    var isEvents: Bool { type == "text/event-stream" }
    var isLines: Bool {
        ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"].contains(type)
    }
}

struct Response {
    var status: String
    var description: String?
    var media: [Media]
    var headers: [(name: String, value: Element)]
    var element: Element

    /// The statuses that it covers; `nil` for `default` and for an invalid status.
    var statuses: ClosedRange<Int>? {
        if let number = Int(status), (100...999).contains(number) { return number...number }
        guard status.count == 3, status.uppercased().hasSuffix("XX"), let first = status.first?.wholeNumberValue,
            (1...5).contains(first)
        else { return nil }
        return (first * 100)...(first * 100 + 99)
    }

    /// Notes that the import has dealt with its content.
    func settleContent() {
        for media in media {
            if media.element.key != element.key { media.element.settle() }
            media.schema?.settle()
        }
    }

    var isDefault: Bool { status == "default" }
    var isSuccess: Bool { statuses.map { (200...299).contains($0.lowerBound) } ?? false }
}

/// The parts of a document that belong to the whole service.
struct APIDocument {
    var root: Element
    var version: Version
    var operations: [Operation] = []
    var servers: [Element] = []
    var security: [Element] = []
    var schemes: [(name: String, value: Element)] = []

    enum Version {
        case swagger2
        case openAPI30
        case openAPI31
    }
}
